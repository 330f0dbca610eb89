import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Stamps record the state of the files at the last run of a step, so that it is not repeated.
 * They are stored in node_modules and removed with it.
 */
const STAMP_FOLDER = 'node_modules/.cache/sinebar';

/** Lists the folders of the workspace, relative to the root, of pnpm-workspace.yaml (`packages/*` or a plain folder). */
export function workspaceFolders(root) {
  const text = readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8');
  const [, list = ''] = /^packages:\n((?:[ \t]+.*\n|\n|#.*\n)*)/m.exec(text) ?? [];
  const patterns = [...list.matchAll(/^\s*-\s*['"]?([^'"\s#]+)['"]?/gm)].map(([, pattern]) => pattern);
  const folders = patterns.flatMap((pattern) => {
    if (!pattern.endsWith('/*')) return [pattern];
    const parent = pattern.slice(0, -2);
    return existsSync(join(root, parent)) ? readdirSync(join(root, parent)).map((name) => `${parent}/${name}`) : [];
  });
  return folders.filter((folder) => existsSync(join(root, folder, 'package.json'))).sort();
}

/** Returns a hash of everything that an installation depends on. */
export function installHash(root, { nodeVersion = process.version, platform = `${process.platform}-${process.arch}` } = {}) {
  const hash = createHash('sha256').update(`${nodeVersion} ${platform}\n`);
  const files = [
    'pnpm-lock.yaml',
    'pnpm-workspace.yaml',
    'package.json',
    ...workspaceFolders(root).map((folder) => `${folder}/package.json`),
  ];
  for (const file of files) {
    const path = join(root, file);
    // Names and lengths separate the files in the hash.
    const content = existsSync(path) ? readFileSync(path) : Buffer.from('missing');
    hash.update(`${file} ${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

/** Whether the packages of {@link installHash} exist: a user may have removed some. */
export function isInstalled(root) {
  return workspaceFolders(root).every((folder) => {
    const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    return Object.keys({ ...dependencies, ...devDependencies }).length === 0 || existsSync(join(root, folder, 'node_modules'));
  });
}

/** Returns a hash of size and time of every file that the build reads, except tests, and of the installation. */
export function buildHash(root) {
  const hash = createHash('sha256').update(`${installHash(root)}\n`);
  const note = (file) => {
    const { mtimeMs, size } = statSync(join(root, file));
    hash.update(`${file} ${mtimeMs} ${size}\n`);
  };
  for (const name of readdirSync(root)
    .filter((name) => /^tsconfig.*\.json$/.test(name))
    .sort())
    note(name);
  for (const folder of workspaceFolders(root)) {
    if (existsSync(join(root, folder, 'tsconfig.json'))) note(`${folder}/tsconfig.json`);
    for (const file of sourceFiles(root, `${folder}/src`)) note(file);
  }
  return hash.digest('hex');
}

/** Returns a hash of the build and of the script that bundles it. */
export function bundleHash(root) {
  return createHash('sha256')
    .update(`${buildHash(root)}\n`)
    .update(readFileSync(join(root, 'scripts/build/bundle.mjs')))
    .digest('hex');
}

/** Returns a hash of the content of every file that the build of the console reads, except tests, and of the installation. */
export function consoleHash(root) {
  const hash = createHash('sha256').update(`${installHash(root)}\n`);
  const folders = ['packages/console', 'packages/client', 'packages/contracts', 'packages/query-language'];
  const files = folders.flatMap((folder) => sourceFiles(root, `${folder}/src`));
  for (const file of [...files, 'packages/console/index.html', 'packages/console/vite.config.ts']) {
    const content = existsSync(join(root, file)) ? readFileSync(join(root, file)) : Buffer.from('missing');
    hash.update(`${file} ${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

function sourceFiles(root, folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return sourceFiles(root, path);
      return /\.(test|fixture)\.[a-z]+$/.test(entry.name) ? [] : [path];
    });
}

/** Lists workspace folders with sources but without built files. */
export function unbuiltFolders(root) {
  return workspaceFolders(root).filter(
    (folder) => sourceFiles(root, `${folder}/src`).length > 0 && !existsSync(join(root, folder, 'dist')),
  );
}

/** @param {'install' | 'build' | 'bundle' | 'console'} step */
export function stampIsCurrent(root, step, hash) {
  try {
    return readFileSync(join(root, STAMP_FOLDER, step), 'utf8').trim() === hash;
  } catch {
    return false;
  }
}

/** @param {'install' | 'build' | 'bundle' | 'console'} step */
export function writeStamp(root, step, hash) {
  const path = join(root, STAMP_FOLDER, step);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${hash}\n`);
}
