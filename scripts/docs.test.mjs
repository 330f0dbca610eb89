import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from './bootstrap.mjs';

/** Checks the documents of the project: links, paths, commands and settings. */
const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(ROOT, path)));
/** The documents of the specification are not ours to change. */
const pages = tracked.filter((path) => path.endsWith('.md') && !path.startsWith('docs/specification/'));
const read = (path) => readFileSync(join(ROOT, path), 'utf8');

const withoutFences = (text) => text.replace(/^(`{3,}).*\n[^]*?^\1$/gm, '');
const withoutCode = (text) => withoutFences(text).replace(/`[^`\n]+`/g, '');
const anchorOf = (heading) =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

/** Returns the anchors of the headings; repeated ones are numbered. */
function anchorsOf(text) {
  const anchors = [];
  for (const [, heading] of text.replace(/^(`{3,}).*\n[^]*?^\1$/gm, '').matchAll(/^#+ (.*)$/gm)) {
    const anchor = anchorOf(heading);
    const before = anchors.filter((each) => each === anchor || each.replace(/-\d+$/, '') === anchor).length;
    anchors.push(before === 0 ? anchor : `${anchor}-${before}`);
  }
  return anchors;
}

/** Returns relative links of a page without a target. */
function deadLinks(page, text, { exists = (path) => existsSync(join(ROOT, path)), textOf = read } = {}) {
  return [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .filter((target) => {
      const [path, anchor] = target.split('#');
      const file = path === '' ? page : normalize(join(dirname(page), path));
      if (file !== page && !exists(file)) return true;
      return anchor !== undefined && file.endsWith('.md') && !anchorsOf(file === page ? text : textOf(file)).includes(anchor);
    });
}

/** Returns missing paths in backticks that start with a folder of the repository; `*`, `<…>`, `{…}` and `…` are wildcards. */
function missingPaths(text, { files = tracked, folders = new Set(tracked.map((path) => path.split('/')[0])) } = {}) {
  const named = [...text.matchAll(/`([\w.@-]+(?:\/[\w.@*<>{},…-]+)+\/?)`/g)].map(([, path]) => path);
  return named.filter((path) => {
    if (!folders.has(path.split('/')[0]) || /(^|\/)(dist|node_modules)(\/|$)/.test(path)) return false;
    const pattern = path
      .replace(/\/$/, '')
      .split(/(\*+|<[^>]*>|…)/)
      .map((part, i) =>
        i % 2 === 1
          ? '.*'
          : part.replace(/[.+?^$()|[\]\\]/g, '\\$&').replace(/\{([^}]*)\}/g, (_, list) => `(?:${list.replaceAll(',', '|')})`),
      )
      .join('');
    const expected = new RegExp(`^${pattern}(?:/|$)`);
    return !files.some((file) => expected.test(file));
  });
}

/** Pages that lead a new reader to the files: each file that they name must exist. */
const GUIDES_TO_THE_CODE = pages.filter(
  (page) => ['README.md', 'CONTRIBUTING.md', 'docs/architecture.md'].includes(page) || page.startsWith('docs/flows/'),
);

/**
 * Returns missing files that a page names in backticks. A name without folder, such as `compose.ts`, and an ending, such as `-store.ts`,
 * must fit at least one file. A file that the reader saves is left out.
 */
function missingFiles(text, { files = tracked } = {}) {
  const named = [...withoutFences(text).matchAll(/(?<!Save this as )`((?:[\w.-]+\/)*[\w.-]+\.(?:ts|mjs|js|md|json|ya?ml|conf|sh))`/g)].map(
    ([, path]) => path,
  );
  return named.filter((path) => !files.some((file) => file === path || file.endsWith(/^[.-]/.test(path) ? path : `/${path}`)));
}

const MAX_COLUMNS = 140;
const MAX_PARAGRAPH_LINES = 5;
const isTableRow = (line) => /^\s*\|/.test(line);
const isLinkOnly = (line) => /^\s*(?:[-*] |\d+\. )?!?\[[^\]]*\]\([^)]*\)[.,:;]?$/.test(line);

/** Returns lines that are too long; tables, code blocks and lines of one link may be longer. */
function longLines(text) {
  return withoutFences(text)
    .split('\n')
    .filter((line) => [...line].length > MAX_COLUMNS && !isTableRow(line) && !isLinkOnly(line));
}

/** Returns the first line of each paragraph, or item of a list, that has too many lines. */
function longParagraphs(text) {
  const paragraphs = [[]];
  for (const line of withoutFences(text).split('\n')) {
    const isBreak = line.trim() === '' || /^#/.test(line) || isTableRow(line);
    if (isBreak || /^\s*(?:[-*>] |\d+\. )/.test(line)) paragraphs.push([]);
    if (!isBreak) paragraphs.at(-1).push(line);
  }
  return paragraphs.filter(({ length }) => length > MAX_PARAGRAPH_LINES).map(([first]) => first);
}

/** Returns npm commands that package.json does not define. */
function missingCommands(text, scripts) {
  return [...text.matchAll(/npm run (?:--silent )?([a-z][\w:-]*)/g)].map(([, name]) => name).filter((name) => !(name in scripts));
}

describe.each(pages)('%s', (page) => {
  const text = read(page);

  it('has no dead link, and names only paths and commands that exist', () => {
    expect(deadLinks(page, text)).toEqual([]);
    expect(missingPaths(text)).toEqual([]);
    expect(missingCommands(text, JSON.parse(read('package.json')).scripts)).toEqual([]);
  });
});

describe.each(pages)('%s', (page) => {
  it(`has at most ${MAX_COLUMNS} columns in a line and ${MAX_PARAGRAPH_LINES} lines in a paragraph`, () => {
    expect(longLines(read(page))).toEqual([]);
    expect(longParagraphs(read(page))).toEqual([]);
  });
});

describe.each(GUIDES_TO_THE_CODE)('%s', (page) => {
  it('names only files that exist', () => {
    expect(missingFiles(read(page))).toEqual([]);
  });
});

const flows = pages.filter((page) => page.startsWith('docs/flows/'));

describe.each(flows)('%s', (page) => {
  it('is linked from architecture.md and names at least ten files', () => {
    expect(read('docs/architecture.md')).toContain(`](${page.slice('docs/'.length)})`);
    expect(read(page).match(/`(?:apps|packages|services)\/[^`]+\.tsx?`/g)?.length).toBeGreaterThanOrEqual(10);
  });
});

describe('the table of folders in README.md', () => {
  it.each(['apps', 'packages', 'services', 'tests'])('names each folder of %s, or their group', (group) => {
    const [, table = ''] = read('README.md').split('\n## Where things are\n');
    const named = new Set([...table.matchAll(/`([^`]+)`/g)].map(([, path]) => path));
    const folders = new Set(tracked.filter((path) => path.startsWith(`${group}/`)).map((path) => path.split('/').slice(0, 2).join('/')));
    expect(folders.size).toBeGreaterThan(0);
    expect([...folders].filter((folder) => !named.has(folder) && !named.has(group))).toEqual([]);
  });
});

describe('docs/glossary.md', () => {
  it('has at most 40 terms, and is linked from README.md and CONTRIBUTING.md', () => {
    const rows = read('docs/glossary.md').match(/^\| (?!term|-)/gm) ?? [];
    expect(rows.length).toBeGreaterThan(20);
    expect(rows.length).toBeLessThanOrEqual(40);
    for (const page of ['README.md', 'CONTRIBUTING.md']) expect(read(page)).toContain('](docs/glossary.md)');
  });
});

/** Returns the tests that the last cell of each row of docs/security.md names: `file` › title; title. A comma begins an explanation. */
function guardProofs(markdown) {
  const cells = [...markdown.matchAll(/^\|.*\|\s*(`[^|]*\.test\.ts`[^|]*)\|$/gm)].map(([, cell]) => cell.trim());
  return cells.flatMap((cell) => {
    let file;
    return cell.split(/; |, (?=`)/).map((piece) => {
      const [, named, title] = /^`([^`]+)`(?: › (.*))?/.exec(piece) ?? [undefined, file, piece];
      file = named;
      return { file, title };
    });
  });
}

describe('docs/security.md', () => {
  const proofs = guardProofs(read('docs/security.md'));

  it('names tests that exist for more than forty guards', () => {
    expect(proofs.length).toBeGreaterThan(40);
    const missing = proofs.filter(({ file, title }) => {
      if (!tracked.includes(file)) return true;
      const source = read(file);
      return (
        title !== undefined &&
        !["'", '"', '`'].some((quote) => source.includes(`${quote}${title}${quote}`) || source.includes(`${quote}${title} [`))
      );
    });
    expect(missing).toEqual([]);
  });
});

describe('settings in the pages', () => {
  it('exist in the code', () => {
    const isSource = (path) =>
      /^docker-compose[.\w]*yml$/.test(path) || (/\.(ts|mjs)$/.test(path) && !/\.(test|fixture)\.(ts|mjs)$/.test(path));
    const sources = tracked.filter(isSource).map(read);
    const known = new Set(sources.flatMap((text) => text.match(/\bSINEBAR_[A-Z0-9_]+\b/g) ?? []));
    const unknown = pages.flatMap((page) =>
      [...new Set(read(page).match(/\bSINEBAR_[A-Z0-9_]*[A-Z0-9]\b(?!_?…|_\*)/g) ?? [])]
        .filter((name) => !known.has(name) && !known.has(name.replace(/_FILE$/, '')))
        .map((name) => `${page}: ${name}`),
    );
    expect(known.size).toBeGreaterThan(30);
    expect(unknown).toEqual([]);
  });
});

describe('check of pages', () => {
  const others = { exists: (path) => path === 'docs/b.md', textOf: () => '# One\n## One\n## Say `it`: 2, 3' };

  it('finds dead links and anchors', () => {
    const text =
      '# Here\n[a](b.md) [b](c.md) [c](#here) [d](#there) [e](b.md#one-1) [f](b.md#say-it-2-3) [g](b.md#two) [h](https://x.y) `[i](z)`';
    expect(deadLinks('docs/a.md', text, others)).toEqual(['c.md', '#there', 'b.md#two']);
  });

  it('finds long lines and paragraphs', () => {
    const long = 'x'.repeat(141);
    const link = `[${long}](https://x.y)`;
    expect(longLines(`${long}\n| ${long} |\n- ${link}\nsee ${link}\n\`\`\`sh\n${long}\n\`\`\``)).toEqual([long, `see ${link}`]);
    const lines = (count) => Array.from({ length: count }, (_, i) => `${count} ${i}`).join('\n');
    expect(longParagraphs(`# A\n${lines(5)}\n- ${lines(4)}\n- ${lines(6)}\n\n${lines(7)}`)).toEqual(['- 6 0', '7 0']);
  });

  it('finds missing paths and commands', () => {
    const tree = { files: ['docs/a.md', 'services/x/src/y-store.ts'], folders: new Set(['docs', 'services']) };
    const text =
      '`docs/a.md` `docs/` `docs/b.md` `services/<name>/src/*-store.ts` `services/{x,z}/src` `services/q/src` `text/plain` `services/x/dist/main.js`';
    expect(missingPaths(text, tree)).toEqual(['docs/b.md', 'services/q/src']);
    expect(missingFiles('`a.md` `x/src/y-store.ts` `-store.ts` `b.md` `q/y-store.ts`\n```sh\n`c.md`\n```', tree)).toEqual([
      'b.md',
      'q/y-store.ts',
    ]);
    expect(missingCommands('`npm run --silent build` and npm run biuld', { build: '' })).toEqual(['biuld']);
  });
});
