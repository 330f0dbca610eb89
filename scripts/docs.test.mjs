import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import markdownIt from 'markdown-it';
import { lint } from 'markdownlint/promise';
import relativeLinks from 'markdownlint-rule-relative-links';
import { ROOT } from './bootstrap.mjs';

/** Checks the documents of the project. markdownlint checks links, anchors and columns; the other rules compare documents with the code. */
const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(ROOT, path)));
/** The documents of the specification are not ours to change. */
const pages = tracked.filter((path) => path.endsWith('.md') && !path.startsWith('docs/specification/'));
const flows = pages.filter((page) => page.startsWith('docs/flows/'));
/** Pages that lead a new reader to the files: each file that they name must exist. */
const guides = ['README.md', 'CONTRIBUTING.md', 'docs/architecture.md', ...flows];
const read = (path) => readFileSync(join(ROOT, path), 'utf8');
const withoutFences = (text) => text.replace(/^(`{3,}).*\n[^]*?^\1$/gm, '');

/** Returns dead links and long lines, as `{ [file]: ['line: rule: detail'] }`; tables and code blocks may be wider. */
async function lintPages(options) {
  const results = await lint({
    ...options,
    customRules: [relativeLinks],
    markdownItFactory: () => markdownIt(),
    config: {
      default: false,
      'link-fragments': true,
      'relative-links': true,
      'line-length': { line_length: 140, tables: false, code_blocks: false },
    },
  });
  const textOf = ({ lineNumber, ruleNames, errorDetail, errorContext }) =>
    `${lineNumber}: ${ruleNames.at(-1)}: ${errorDetail ?? errorContext}`;
  const problems = Object.entries(results).map(([file, found]) => [file, found.map(textOf).sort()]);
  return Object.fromEntries(problems.filter(([, found]) => found.length > 0));
}

/** Returns the first line of each paragraph, or item of a list, with more than five lines. */
function longParagraphs(text) {
  const paragraphs = [[]];
  for (const line of withoutFences(text).split('\n')) {
    const isBreak = line.trim() === '' || /^#|^\s*\|/.test(line);
    if (isBreak || /^\s*(?:[-*>] |\d+\. )/.test(line)) paragraphs.push([]);
    if (!isBreak) paragraphs.at(-1).push(line);
  }
  return paragraphs.filter(({ length }) => length > 5).map(([first]) => first);
}

/**
 * Returns missing files and folders that a page names in backticks; `*`, `<…>`, `{a,b}` and `…` are wildcards.
 * A path begins with a folder of the repository. In a guide, the end of a path, such as `compose.ts` or `-store.ts`, must fit a file too,
 * unless the reader is to save it.
 */
function missingFiles(text, { files = tracked, isGuide = false } = {}) {
  const folders = new Set(files.map((file) => file.split('/')[0]));
  const named = [...withoutFences(text).matchAll(/(?<!Save this as )`([\w.@*<>{},…/-]+)`/g)].map(([, path]) => path);
  return named.filter((path) => {
    const pattern = path
      .replace(/\/$/, '')
      .replace(/[.+?^$()|[\]\\]/g, '\\$&')
      .replace(/\*+|<[^>]*>|…/g, '.*')
      .replace(/\{([^}]*)\}/g, (_, list) => `(?:${list.replaceAll(',', '|')})`);
    if (path.includes('/') && folders.has(path.split('/')[0])) {
      const expected = new RegExp(`^${pattern}(?:/|$)`);
      return !/(^|\/)(dist|node_modules)(\/|$)/.test(path) && !files.some((file) => expected.test(file));
    }
    if (!isGuide || !/^[\w./-]+\.(?:ts|mjs|js|md|json|ya?ml|conf|sh)$/.test(path)) return false;
    return !files.some((file) => file === path || file.endsWith(/^[.-]/.test(path) ? path : `/${path}`));
  });
}

/** Returns npm commands that package.json does not define. */
function missingCommands(text, { scripts } = JSON.parse(read('package.json'))) {
  return [...text.matchAll(/npm run (?:--silent )?([a-z][\w:-]*)/g)].map(([, name]) => name).filter((name) => !(name in scripts));
}

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

it('has no dead link and no line above 140 columns in any page', async () => {
  expect(pages.length).toBeGreaterThan(100);
  expect(await lintPages({ files: pages.map((page) => join(ROOT, page)) })).toEqual({});
});

describe.each(pages)('%s', (page) => {
  const text = read(page);

  it('names only files, folders and commands that exist', () => {
    expect(missingFiles(text, { isGuide: guides.includes(page) })).toEqual([]);
    expect(missingCommands(text)).toEqual([]);
  });

  it('has at most five lines in a paragraph', () => {
    expect(longParagraphs(text)).toEqual([]);
  });
});

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

describe('docs/security.md', () => {
  it('names tests that exist for more than forty guards', () => {
    const proofs = guardProofs(read('docs/security.md'));
    expect(proofs.length).toBeGreaterThan(40);
    const missing = proofs.filter(({ file, title }) => {
      if (!tracked.includes(file)) return true;
      const source = read(file);
      return (
        title !== undefined && !["'", '"', '`'].some((quote) => [quote, ' ['].some((end) => source.includes(`${quote}${title}${end}`)))
      );
    });
    expect(missing).toEqual([]);
  });
});

describe('docs/cra.md', () => {
  /** Returns the points in the table below a heading, with their states. */
  const statesOf = (heading) => {
    const [, rest = ''] = read('docs/cra.md').split(`\n## ${heading}\n`);
    const rows = rest.split('\n## ')[0].matchAll(/^\| (\d(?: [a-z])?) *\|[^|]*\| *(\w+) *\|/gm);
    return new Map([...rows].map(([, point, state]) => [point, state]));
  };

  it.each([
    ['Annex I, part I: the product', ['1', ...[...'abcdefghijklm'].map((letter) => `2 ${letter}`)]],
    ['Annex I, part II: vulnerabilities', ['1', '2', '3', '4', '5', '6', '7', '8']],
  ])('answers each point of %s', (heading, points) => {
    const states = statesOf(heading);
    expect([...states.keys()]).toEqual(points);
    expect([...states.values()].filter((state) => !['yes', 'partly', 'no'].includes(state))).toEqual([]);
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
  it('finds dead links, dead anchors and long lines', async () => {
    const long = 'long '.repeat(30);
    const text = `# Here it is\n\n[a](README.md) [c](gone.md) [d](#here-it-is)\n[e](#there) [f](README.md#gone)\n\n${long}\n\n| ${long} |\n|---|\n`;
    const found = await lintPages({ strings: { [join(ROOT, 'page.md')]: text } });
    expect(Object.values(found)).toEqual([
      [
        expect.stringMatching(/^3: relative-links: .*gone\.md/),
        expect.stringMatching(/^4: link-fragments: .*#there/),
        expect.stringMatching(/^4: relative-links: .*README\.md#gone/),
        expect.stringMatching(/^6: line-length/),
      ],
    ]);
  });

  it('finds long paragraphs', () => {
    const lines = (count) => Array.from({ length: count }, (_, i) => `${count} ${i}`).join('\n');
    expect(longParagraphs(`# A\n${lines(5)}\n- ${lines(4)}\n- ${lines(6)}\n\n${lines(7)}`)).toEqual(['- 6 0', '7 0']);
  });

  it('finds missing files and commands', () => {
    const files = ['docs/a.md', 'services/x/src/y-store.ts'];
    const text =
      '`docs/a.md` `docs/` `docs/b.md` `services/<name>/src/*-store.ts` `services/{x,z}/src` `services/q/src` `text/plain` `services/x/dist/main.js`';
    expect(missingFiles(text, { files })).toEqual(['docs/b.md', 'services/q/src']);
    const guide = '`a.md` `x/src/y-store.ts` `-store.ts` `b.md` `q/y-store.ts`\n```sh\n`c.md`\n```';
    expect(missingFiles(guide, { files })).toEqual([]);
    expect(missingFiles(guide, { files, isGuide: true })).toEqual(['b.md', 'q/y-store.ts']);
    expect(missingCommands('`npm run --silent build` and npm run biuld', { scripts: { build: '' } })).toEqual(['biuld']);
  });
});
