import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { ROOT } from './bootstrap.mjs';

/** docs/spec-coverage.md against the documents in docs/specification and the tests that it names. */
const read = (path) => readFileSync(join(ROOT, path), 'utf8');
/** Each with the letter of its ids, and how many statements are found in it at least. */
const LETTERS = { 'inspection-service.md': 'I', 'raw-data-service.md': 'R', 'decisions.md': 'D', 'signalr.md': 'S' };
const MIN_STATEMENTS = { 'inspection-service.md': 50, 'raw-data-service.md': 50, 'decisions.md': 50, 'signalr.md': 20 };
const DOCUMENTS = Object.keys(LETTERS);
const SEPARATOR = ' › ';
/** A row may be cut, but must be recognisable. */
const MIN_PREFIX = 40;
const MAX_REQUIREMENT = 150;

/** Text as it is compared: without marks for code and bold, and without differences of blanks. */
const plain = (text) =>
  text
    .replaceAll('\\|', '|')
    .replaceAll('\\', '')
    .replace(/\*\*|`/g, '')
    .replace(/\s+/g, ' ')
    .trim();

/** Cells of a table row; a bar inside code or behind a backslash is text. */
function cellsOf(line) {
  const cells = [''];
  let inCode = false;
  for (const [character] of line
    .trim()
    .slice(1, -1)
    .matchAll(/\\\||[^]/g)) {
    if (character === '`') inCode = !inCode;
    if (character === '|' && !inCode) cells.push('');
    else cells[cells.length - 1] += character;
  }
  return cells.map((cell) => cell.trim());
}

/**
 * Table rows, list items and paragraphs with the headings above them. A paragraph that is bold as a whole or ends with a colon is the
 * heading of the table or list that follows.
 */
function statementsOf(markdown) {
  const statements = [];
  let headings = [];
  let caption;
  let captionIsUsed = false;
  let tableLines = 0;
  let paragraph = [];
  const add = (text) => statements.push({ place: [...headings, caption].filter(Boolean).join(' / '), text: plain(text) });
  const flush = (isItem = false) => {
    if (paragraph.length === 0) return;
    const text = paragraph.join(' ');
    paragraph = [];
    if (/^\*\*[^*]+\*\*$|:$/.test(text)) {
      caption = plain(text).replace(/:$/, '');
      captionIsUsed = false;
      return;
    }
    if (isItem) captionIsUsed = true;
    else if (captionIsUsed) caption = undefined;
    add(text);
  };
  for (const line of `${markdown}\n`.split('\n')) {
    const heading = /^(#+) (.*)$/.exec(line);
    const item = /^(?:\d+\.|-) (.*)$/.exec(line)?.[1];
    const isTable = line.startsWith('|');
    if (heading || item !== undefined || isTable || line.trim() === '') flush();
    tableLines = isTable ? tableLines + 1 : 0;
    if (heading) {
      headings = [...headings.slice(0, Math.max(0, heading[1].length - 2)), heading[1].length > 1 ? plain(heading[2]) : ''].filter(Boolean);
      caption = undefined;
    } else if (isTable) {
      captionIsUsed = true;
      if (tableLines > 2) add(cellsOf(line).filter(Boolean).join(' · '));
    } else if (item !== undefined) {
      paragraph = [item];
      flush(true);
    } else if (line.trim() !== '') paragraph.push(line.trim());
  }
  return statements;
}

/** Each numbered decision, or the whole section where nothing is numbered, with its id; not the introduction. */
function decisionsOf(markdown) {
  const decisions = [];
  for (const section of markdown.split(/^## /m).slice(1)) {
    const [title = '', ...lines] = section.split('\n');
    const number = Number.parseInt(title, 10);
    for (const line of lines.filter((each) => each.trim() !== '')) {
      const [, item, text] = /^(\d+)\. (.*)$/.exec(line) ?? [];
      const last = decisions.at(-1);
      if (item !== undefined) decisions.push({ id: `D${number}.${item}`, place: plain(title), text });
      else if (last?.place === plain(title)) last.text += ` ${line.trim()}`;
      else decisions.push({ id: `D${number}`, place: plain(title), text: line.trim() });
    }
  }
  return decisions.map((decision) => ({ ...decision, text: plain(decision.text) }));
}

/** Rows of the coverage by document. */
function coverageOf(markdown) {
  const rows = [];
  let headings = [];
  for (const line of markdown.split('\n')) {
    const heading = /^(##+) (.*)$/.exec(line);
    if (heading) headings = [...headings.slice(0, heading[1].length - 2), heading[2]];
    if (!/^\| [A-Z]\d/.test(line)) continue;
    const [id = '', requirement = '', proof = '', ...more] = cellsOf(line);
    const [document, ...place] = headings.map(plain);
    const isCut = /…`?$/.test(requirement);
    rows.push({ id, document, place: place.join(' / '), requirement, text: plain(requirement).replace(/…$/, ''), isCut, proof, more });
  }
  return rows;
}

/** Titles of tests and of the blocks around them, as they stand in the source; what is skipped proves nothing. */
function titlesOf(source, fileName = 'test.ts') {
  const paths = [];
  const visit = (node, above) => {
    let inside = above;
    if (ts.isCallExpression(node)) {
      const callee = node.expression.getText(file);
      const title = node.arguments.find((argument) => ts.isStringLiteralLike(argument) || ts.isTemplateExpression(argument));
      if (title && /^(it|test|describe)\w*(?!\w)/.test(callee) && !/\.(skip|todo)\b/.test(callee)) {
        inside = [...above, ts.isTemplateExpression(title) ? title.getText(file).slice(1, -1) : title.text];
        paths.push(inside);
      }
    }
    ts.forEachChild(node, (child) => visit(child, inside));
  };
  const file = ts.createSourceFile(fileName, source, ts.ScriptTarget.Latest, true);
  visit(file, []);
  return paths;
}

/** Returns the problem with the name of a test. */
function proofProblem(proof, titlesIn) {
  if (proof === 'not a requirement' || /^open: \S/.test(proof)) return undefined;
  const [, path = '', titles = ''] = /^`([^`]+)` › (.+)$/.exec(proof) ?? [];
  if (!/(\/src\/.*\.test\.ts|^scripts\/.*\.test\.mjs)$/.test(path)) return `"${proof}" names no test`;
  const known = titlesIn(path);
  if (!known) return `${path} does not exist`;
  const wanted = titles.replaceAll('\\|', '|').split(SEPARATOR);
  const found = known.filter((title) => {
    let from = 0;
    return title.at(-1) === wanted.at(-1) && wanted.every((part) => (from = title.indexOf(part, from) + 1) > 0);
  });
  if (found.length === 0) return `${path} has no test "${wanted.join(SEPARATOR)}"`;
  return found.length > 1 ? `${path} has several tests "${wanted.join(SEPARATOR)}": name the block` : undefined;
}

/** Statements that no row begins with; each row stands for one. */
function uncovered(statements, rows) {
  const free = [...rows];
  return statements.filter(({ id, place, text }) => {
    const index = free.findIndex(
      (row) =>
        (id === undefined || row.id === id) &&
        row.place === place &&
        text.startsWith(row.text) &&
        row.text.length >= Math.min(text.length, row.isCut ? MIN_PREFIX : 1),
    );
    if (index >= 0) free.splice(index, 1);
    return index < 0;
  });
}

const cache = new Map();
const titlesIn = (path) => {
  if (!cache.has(path)) cache.set(path, existsSync(join(ROOT, path)) ? titlesOf(read(path), path) : undefined);
  return cache.get(path);
};

describe('docs/spec-coverage.md', () => {
  const rows = coverageOf(read('docs/spec-coverage.md'));
  const statements = Object.fromEntries(
    DOCUMENTS.map((name) => [name, (name === 'decisions.md' ? decisionsOf : statementsOf)(read(`docs/specification/${name}`))]),
  );

  it('names only tests that exist', () => {
    const problems = rows.flatMap(({ id, proof }) =>
      proof.split('<br>').flatMap((each) => {
        const problem = proofProblem(each.trim(), titlesIn);
        return problem === undefined ? [] : [`${id}: ${problem}`];
      }),
    );
    expect(problems).toEqual([]);
  });

  it.each(DOCUMENTS)('has a row for every statement of %s', (name) => {
    const own = rows.filter(({ document }) => document === name);
    const missing = uncovered(statements[name], own);
    expect(missing.map(({ place, text }) => `${place}: ${text.slice(0, 100)}`)).toEqual([]);
    expect(statements[name].length).toBeGreaterThan(MIN_STATEMENTS[name]);
  });

  it.each(DOCUMENTS)('says nothing that is not in %s', (name) => {
    const own = rows.filter(({ document }) => document === name);
    const unknown = own.filter(({ place, text }) => !statements[name].some((each) => each.place === place && each.text.includes(text)));
    expect(unknown.map(({ id, requirement }) => `${id}: ${requirement}`)).toEqual([]);
  });

  it('has each id once and in order', () => {
    const valueOf = (id) => id.slice(1).split('.').map(Number);
    for (const [name, letter] of Object.entries(LETTERS)) {
      const ids = rows.filter(({ document }) => document === name).map(({ id }) => id);
      expect(ids.filter((id) => !new RegExp(`^${letter}\\d+(\\.\\d+)?$`).test(id))).toEqual([]);
      const disordered = ids.filter((id, i) => {
        if (i === 0) return false;
        const [[a, b = 0], [c, d = 0]] = [valueOf(ids[i - 1]), valueOf(id)];
        return a > c || (a === c && b >= d);
      });
      expect(disordered).toEqual([]);
    }
    expect(rows.filter(({ document }) => !DOCUMENTS.includes(document))).toEqual([]);
  });

  it('stays readable', () => {
    expect(rows.filter(({ requirement, more }) => requirement.length > MAX_REQUIREMENT + 5 || more.length > 0).map(({ id }) => id)).toEqual(
      [],
    );
  });
});

/** Tests that the tables of docs/security.md name, written `file` › title; title. Texts behind a comma and in parentheses explain. */
function guardProofs(markdown) {
  return markdown
    .split('\n')
    .filter((line) => /^\|.*\.test(-case)?\.ts`/.test(line))
    .flatMap((line) => {
      let path;
      return (cellsOf(line).at(-1) ?? '').split(/; |, (?=`)/).map((piece) => {
        const [, named, text = ''] = /^`([^`]+)`(.*)$/.exec(piece) ?? [undefined, path, `${SEPARATOR}${piece}`];
        path = named;
        return { path, title: text.startsWith(SEPARATOR) ? text.slice(SEPARATOR.length) : undefined };
      });
    });
}

describe('docs/security.md', () => {
  const proofs = guardProofs(read('docs/security.md'));

  it('names for each guard tests that exist', () => {
    const problems = proofs.filter(({ path, title }) => {
      const known = titlesIn(path);
      return known === undefined || (title !== undefined && !known.some((titles) => titles.at(-1) === title));
    });
    expect(problems).toEqual([]);
  });

  it('has a test in each row of its guards', () => {
    expect(proofs.length).toBeGreaterThan(40);
  });
});

describe('the check of the coverage', () => {
  const source = `
    describe.each([1])('outer %s', () => {
      describeWith(['postgres'], 'inner', () => {
        it('works', () => undefined);
        it.each<[string]>([['it("no")']])('takes %s', () => undefined);
        it(\`runs \${COUNT} times\`, () => undefined);
        it.skip('is skipped', () => undefined);
        expect('works not').toBe(1);
      });
    });
    it('works', () => undefined);`;
  const problem = (proof) => proofProblem(proof, (path) => (path === 'a/src/a.test.ts' ? titlesOf(source) : undefined));

  it.each([
    'not a requirement',
    'open: measurements',
    '`a/src/a.test.ts` › inner',
    '`a/src/a.test.ts` › inner › works',
    '`a/src/a.test.ts` › outer %s › inner › works',
    '`a/src/a.test.ts` › takes %s',
    '`a/src/a.test.ts` › runs ${COUNT} times',
  ])('takes %s', (proof) => {
    expect(problem(proof)).toBeUndefined();
  });

  it.each([
    ['open', /names no test/],
    ['`a/src/a.ts` › works', /names no test/],
    ['`a/src/b.test.ts` › works', /does not exist/],
    ['`a/src/a.test.ts` › works not', /has no test/],
    ['`a/src/a.test.ts` › is skipped', /has no test/],
    ['`a/src/a.test.ts` › no', /has no test/],
    ['`a/src/a.test.ts` › inner › outer %s', /has no test/],
    ['`a/src/a.test.ts` › works', /several tests/],
  ])('refuses %s', (proof, message) => {
    expect(problem(proof)).toMatch(message);
  });

  it('tells which statements have no row', () => {
    const statements = statementsOf(
      ['# T', 'First.', '## A', '| h | i |', '|---|---|', '| `x|y` | one |', '| x | two |', '**B**', '', '1. Rule **one**.', 'Last.'].join(
        '\n',
      ),
    );
    expect(statements.map(({ place, text }) => [place, text])).toEqual([
      ['', 'First.'],
      ['A', 'x|y · one'],
      ['A', 'x · two'],
      ['A / B', 'Rule one.'],
      ['A', 'Last.'],
    ]);
    const rows = coverageOf(
      '## d\n| I1 | First. | open: x |\n### A\n| I2 | `x\\|y` · one | open: x |\n#### B\n| I3 | Rule one. | open: x |',
    );
    expect(uncovered(statements, rows).map(({ text }) => text)).toEqual(['x · two', 'Last.']);
  });

  it('reads decisions over several lines, and sections without numbers', () => {
    expect(decisionsOf('# T\nintro\n## 1. One\n1. a\n   b\n\n2. c\n## 9. Nine\nall of\nit')).toEqual([
      { id: 'D1.1', place: '1. One', text: 'a b' },
      { id: 'D1.2', place: '1. One', text: 'c' },
      { id: 'D9', place: '9. Nine', text: 'all of it' },
    ]);
  });
});
