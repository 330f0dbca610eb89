import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, posix, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../bootstrap.mjs';
import { main, ScriptError } from '../command.mjs';
import { layoutPage } from './layout.mjs';
import { addressOf, renderMarkdown } from './markdown.mjs';
import { readNavigation } from './navigation.mjs';

const THEME = join(import.meta.dirname, 'theme');
const CONSOLE_STYLES = join(ROOT, 'apps/console/src/design/styles');
/** Files of other types are shown by the repository, not by the site. */
const COPIED = /\.(?:png|webp|svg|json)$/;
/** Pages of these topics, of the specification, and of no topic come last in the search: most readers use or run the product. */
const LAST_TOPICS = ['Understand and change it', 'The project'];
const LAST_FOLDER = 'docs/specification/';
/** Every page of the console in all sizes: 17 MB of pictures that no page of the site needs. */
const WITHOUT = ['docs/pictures/README.md'];

/**
 * Builds the site of the documentation: a page for each document, a search that works offline, and the design of the console.
 * @param {string} folder is emptied first
 * @param {{ source?: string }} [options] source: address of the files of this version; without it links to sources become text
 * @returns {{ pages: number, addresses: Map<string, Set<string>>, links: { from: string, to: string }[] }} addresses of pages with their
 * anchors, and all links inside of the site
 * @throws {ScriptError} when a document leads to a file that does not exist
 */
export function buildSite(folder, { source } = {}) {
  const topics = readNavigation();
  const files = listDocuments();
  const copied = new Set();
  const addresses = new Map();
  const links = [];
  const entries = [];
  const firstTopics = topics.filter(({ title }) => !LAST_TOPICS.includes(title));
  const isFirst = (file) => !file.startsWith(LAST_FOLDER) && firstTopics.some(({ pages }) => pages.some((page) => page.file === file));
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  rmSync(folder, { recursive: true, force: true });
  for (const file of files) {
    const resolveTarget = (target) => resolveLink(target, { file, files, topics, source, copied });
    const page = { file, ...renderMarkdown(readFileSync(join(ROOT, file), 'utf8'), { resolve: resolveTarget }) };
    const address = addressOf(file);
    addresses.set(address, page.ids);
    for (const to of page.links) if (!isExternal(to)) links.push({ from: address, to });
    for (const { id, title, level, text } of page.sections)
      entries.push({
        page: page.title,
        title,
        text,
        url: level === 1 ? address : `${address}#${id}`,
        weight: isFirst(file) ? 1 : 0.3,
      });
    write(join(folder, address), layoutPage(page, { topics, version, source }));
  }
  for (const file of copied) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    copyFileSync(join(ROOT, file), join(folder, file));
    addresses.set(file, new Set());
  }
  writeTheme(folder, entries);
  return { pages: files.length, addresses, links };
}

const isExternal = (address) => /^[a-z][a-z0-9+.-]*:/i.test(address);

/** Returns the documents of the repository; those that git ignores are none. */
export function listDocuments() {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], { cwd: ROOT, encoding: 'utf8' });
  return listed
    .split('\n')
    .filter((file) => file !== '' && !file.startsWith('.github/') && !WITHOUT.includes(file) && existsSync(join(ROOT, file)));
}

function resolveLink(target, { file, files, topics, source, copied }) {
  if (isExternal(target) || target.startsWith('#')) return target;
  const [path, fragment] = target.split('#');
  const found = posix.join(posix.dirname(file), path).replace(/\/$/, '');
  if (!existsSync(join(ROOT, found))) throw new ScriptError(`${file} leads to ${target}, which does not exist.`);
  const suffix = fragment === undefined ? '' : `#${fragment}`;
  const relative = (address) => posix.relative(posix.dirname(addressOf(file)), address) + suffix;
  const document = statSync(join(ROOT, found)).isDirectory() ? firstOf(found, files, topics) : found;
  if (files.includes(document)) return relative(addressOf(document));
  if (COPIED.test(found)) {
    copied.add(found);
    return relative(found);
  }
  return source === undefined ? undefined : `${source}${found}${suffix}`;
}

/** Returns the document that stands for a folder: its README, else the first of its pages in the navigation. */
function firstOf(folder, files, topics) {
  const readme = `${folder}/README.md`;
  if (files.includes(readme)) return readme;
  return topics.flatMap(({ pages }) => pages).find(({ file }) => file.startsWith(`${folder}/`))?.file;
}

/** Writes styles, scripts and the search; the scripts are no modules, since browsers load no modules from a folder of the computer. */
function writeTheme(folder, entries) {
  const styles = [join(CONSOLE_STYLES, 'tokens.css'), join(CONSOLE_STYLES, 'base.css'), join(THEME, 'site.css')];
  write(join(folder, 'theme/site.css'), styles.map((file) => readFileSync(file, 'utf8')).join('\n'));
  for (const name of ['theme.js', 'site.js']) copyFileSync(join(THEME, name), join(folder, 'theme', name));
  copyFileSync(join(CONSOLE_STYLES, 'icon.svg'), join(folder, 'theme/icon.svg'));
  const library = createRequire(import.meta.url)
    .resolve('minisearch')
    .replace(/dist\/.*$/, 'dist/umd/index.js');
  const code = readFileSync(library, 'utf8').replace(/\n\/\/# sourceMappingURL=.*$/m, '');
  const licence = readFileSync(join(dirname(library), '../../LICENSE.txt'), 'utf8');
  write(join(folder, 'theme/search.js'), `/*!\nMiniSearch\n${licence}*/\n${code}\nglobalThis.SECTIONS = ${JSON.stringify(entries)};\n`);
}

function write(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Runs `node scripts/launch.mjs docs-site [FOLDER] [--source URL]`. */
function run() {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { source: { type: 'string' } } });
  const folder = resolve(positionals[0] ?? join(ROOT, 'release/docs'));
  if (existsSync(folder) && !existsSync(join(folder, 'theme/site.css')))
    throw new ScriptError(`${folder} exists and is no site of the documentation. Name a new folder: the command empties it.`);
  const { pages } = buildSite(folder, { source: values.source?.replace(/\/*$/, '/') });
  console.log(`${pages} pages: ${join(folder, 'index.html')}`);
  return 0;
}

if (process.argv[1] === import.meta.filename) await main(async () => run());
