import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './bootstrap.mjs';

/**
 * Finds the tests of each statement of docs/specification and writes them to PAGE. A test names its statements at the end of its title:
 * `it('reads lists [I8, D1.3-D1.5]')`.
 * docs/specification/statements.json holds the id and text of each statement, and the statements that need no test.
 */
const PAGE = '.cache/spec-coverage.md';
const SPECIFICATION = join(ROOT, 'docs/specification');
const TEST_FILE = /(\/src\/.*\.test\.ts|^scripts\/.*\.test\.mjs)$/;

/** Returns text without the marks of Markdown and of table cells, and with single blanks. */
const plain = (text) => text.replace(/\\|\*\*|`/g, '').replace(/[\s|·]+/g, ' ').trim(); // prettier-ignore

const idsWithTexts = (headings) => Object.values(headings).flatMap((texts) => Object.entries(texts));

/**
 * Compares a document with its statements in the register, `{ [heading]: { [id]: text } }`.
 * Headings, heads of tables, and lines that the register has as a heading are no statements. A decision keeps its number: `3. text` is D1.3.
 * @returns {string[]} texts that only one of them has
 */
export function registerProblems(markdown, headings) {
  const isDecisions = /^## 1\. /m.test(markdown);
  const captions = new Set(Object.keys(headings).map((heading) => heading.split(' / ').at(-1)));
  const blocks = (isDecisions ? markdown.slice(markdown.indexOf('\n## ')) : markdown)
    .replace(/^\|.*\n\|[-|: ]+$/gm, '')
    .replace(/^#.*$/gm, '\n')
    .replace(/^(?:\d+\.|-) /gm, isDecisions ? '\n$&' : '\n')
    .split(/\n\s*\n/)
    .filter((block) => !captions.has(plain(block).replace(/:$/, '')));
  let rest = plain(blocks.join('\n'));
  const missing = [];
  const statements = idsWithTexts(headings).map(([id, text]) => {
    const [number] = /(?<=^D\d+\.)\d+$/.exec(id) ?? [];
    return { id, text: plain(number === undefined ? text : `${number}. ${text}`) };
  });
  // A long statement may contain a short one.
  for (const { id, text } of statements.sort((a, b) => b.text.length - a.text.length)) {
    if (text === '' || !rest.includes(text)) missing.push(`${id} is not in the document: ${text}`);
    else rest = rest.replace(text, () => '\n');
  }
  const unknown = rest.split('\n').filter((text) => text.trim() !== '');
  return [...missing, ...unknown.map((text) => `not in the register: ${text.trim()}`)];
}

/** Returns the ids of `I8, D1.3-D1.5`. */
function idsOf(list) {
  return list.split(', ').flatMap((id) => {
    const [, letter, first, last] = /^(D\d+\.|[A-Z])(\d+)-\1(\d+)$/.exec(id) ?? [];
    return Number(first) < Number(last) ? Array.from({ length: last - first + 1 }, (_, i) => `${letter}${Number(first) + i}`) : [id];
  });
}

/** Returns `{ title, ids }` of the tests and describe blocks of a file that carry ids; skipped ones are left out. */
export function testsOf(source) {
  const titles = source.matchAll(/(?<!\.(?:skip|todo)\(\s*)(?<=[(,]\s*)(['"`])((?:(?!\1)[^\n])+) \[([A-Z]\d[^\]\n]*)\]\1,/g);
  return [...titles].map(([, , title, list]) => ({ title, ids: idsOf(list) }));
}

/**
 * Compares statements with tests.
 * @param {Record<string, string>} statements texts by id
 * @param {Record<string, string[]>} exceptions ids of statements without test by reason
 * @returns {string[]} what is wrong
 */
export function coverageProblems(statements, tests, exceptions) {
  const proved = new Set(tests.flatMap(({ ids }) => ids));
  const excepted = Object.entries(exceptions).flatMap(([reason, ids]) => ids.map((id) => ({ id, reason })));
  const withoutTest = new Set(excepted.map(({ id }) => id));
  return [
    ...tests.flatMap(({ title, ids }) => ids.filter((id) => !(id in statements)).map((id) => `${title}: ${id} is no statement`)),
    ...Object.keys(statements).flatMap((id) => (proved.has(id) || withoutTest.has(id) ? [] : `${id} has no test: ${statements[id]}`)),
    ...excepted.flatMap(({ id, reason }) => [
      ...(id in statements ? [] : [`exception ${id} is no statement`]),
      ...(/^(not a requirement|open): \S/.test(reason) ? [] : [`exception ${id}: "${reason}" is no reason`]),
      ...(reason.startsWith('not') && proved.has(id) ? [`${id} is not a requirement, but has a test`] : []),
    ]),
  ];
}

/** Returns a table of the statements with the tests that carry their ids, or with the reason why they have none. */
export function pageOf(statements, tests, exceptions) {
  const escaped = (text) => text.replace(/[\\|<*`]/g, '\\$&');
  const rows = Object.entries(statements).map(([id, text]) => {
    const reasons = Object.keys(exceptions).filter((reason) => exceptions[reason].includes(id));
    const proofs = tests.filter(({ ids }) => ids.includes(id)).map(({ file, title }) => `\`${file}\` › ${escaped(title)}`);
    return `| ${id} | ${escaped(text)} | ${[...reasons, ...proofs].join('<br>')} |`;
  });
  return ['# Coverage of the specification', '', '| id | statement | proved by |', '|---|---|---|', ...rows, ''].join('\n');
}

/** Compares documents, register and tests. */
export function coverage() {
  const read = (name) => readFileSync(join(SPECIFICATION, name), 'utf8');
  const register = JSON.parse(read('statements.json'));
  const statements = Object.fromEntries(Object.values(register.statements).flatMap(idsWithTexts));
  const tests = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' })
    .split('\n')
    .filter((file) => TEST_FILE.test(file) && file !== 'scripts/spec-coverage.test.mjs' && existsSync(join(ROOT, file)))
    .flatMap((file) => testsOf(readFileSync(join(ROOT, file), 'utf8')).map((test) => ({ file, ...test })));
  const ofDocuments = Object.entries(register.statements).flatMap(([name, headings]) =>
    registerProblems(read(name), headings).map((problem) => `${name}: ${problem}`),
  );
  const problems = [...ofDocuments, ...coverageProblems(statements, tests, register.exceptions)];
  return { problems, page: pageOf(statements, tests, register.exceptions) };
}

if (process.argv[1] === import.meta.filename) {
  const { problems, page } = coverage();
  mkdirSync(join(ROOT, '.cache'), { recursive: true });
  writeFileSync(join(ROOT, PAGE), page);
  console.log(`${PAGE} names the tests of each statement of the specification.`);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}
