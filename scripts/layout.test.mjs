import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ROOT } from './bootstrap.mjs';
import { layoutProblems } from './layout.mjs';

describe('the layout of the sources', () => {
  it('follows its rules', () => {
    expect(layoutProblems(ROOT)).toEqual([]);
  });
});

describe('the check of the layout', () => {
  let root;
  beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'sinebar-layout-'))));
  afterEach(() => rmSync(root, { recursive: true }));

  /** Checks files with these texts. @returns the files and folders that are named first in the problems */
  function check(folder, files) {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, folder, name)), { recursive: true });
      writeFileSync(join(root, folder, name), text);
    }
    return layoutProblems(root);
  }
  const named = (problems) => problems.map((problem) => /src\/([^ :]+)/.exec(problem)[1]).sort();

  it('finds packages that a package may not import', () => {
    const problems = check('packages/http/src', {
      'a.ts': `import { pool } from '@sinebar/database'; import type { Code } from '@sinebar/contracts';`,
      'b.ts': `export type Pool = import('@sinebar/database/pool').Pool;`,
      'a.test.ts': `import { pool } from '@sinebar/database';`,
    });
    expect(problems.sort()).toEqual([
      expect.stringMatching(/^packages\/http\/src\/a\.ts imports @sinebar\/database\. .* only: contracts, /),
      expect.stringMatching(/^packages\/http\/src\/b\.ts imports @sinebar\/database\/pool\./),
    ]);
  });

  it('finds two prepared statements with one name', () => {
    const problems = check('services/inspection/src', {
      'plan/a.ts': `session.query('SELECT 1', [], { name: 'plan-read' });`,
      'plan/b.ts': `session.query('SELECT 2', [], { name: 'plan-read' }); session.query('SELECT 3', [], { name: 'plan-count' });`,
    });
    expect(problems).toEqual([
      'services/inspection/src/plan/a.ts and services/inspection/src/plan/b.ts prepare statements with the same name plan-read.',
    ]);
  });

  it('finds imports against the order of folders', () => {
    const problems = check('services/inspection/src', {
      'plan/a.ts': `export { read } from '../measurements/b.ts';`,
      'measurements/b.ts': `export const read = 1;`,
      'measurements/c.ts': `export { compose } from '../compose.ts';`,
      'measurements/d.ts': `export { shared } from '../shared/e.ts';`,
      'shared/e.ts': 'export const shared = 1;',
      'compose.ts': 'export const compose = 1;',
      'exchange/f.ts': `export { figure } from '../analysis/g.ts';`,
      'analysis/g.ts': 'export const figure = 1;',
    });
    expect(named(problems)).toEqual(['exchange/f.ts', 'measurements/c.ts', 'plan/a.ts']);
  });

  it('finds what a closed folder imports from outside', () => {
    const problems = check('services/raw-data/src', {
      'blobs/a.ts': `export { b } from './b.ts'; export { c } from '../c.ts';`,
      'blobs/b.ts': 'export const b = 1;',
      'c.ts': 'export const c = 1;',
    });
    expect(named(problems)).toEqual(['blobs/a.ts']);
  });

  it('finds two folders that import each other by different files, one of them only a type', () => {
    const problems = check('packages/database/src', {
      'pool/lease.ts': `import { translate } from '../transaction/errors.ts'; export const lease = translate;`,
      'pool/address.ts': 'export interface Address { url: string }',
      'transaction/errors.ts': 'export const translate = 1;',
      'transaction/outcome.ts': `import type { Address } from '../pool/address.ts'; export type Known = Address;`,
    });
    expect(named(problems)).toEqual(['pool/lease.ts', 'transaction/outcome.ts']);
    const src = 'packages/database/src';
    expect(problems).toContain(
      `${src}/pool/lease.ts: entries of ${src} import each other: ${src}/pool/lease.ts → ${src}/transaction/errors.ts, ` +
        `${src}/transaction/outcome.ts → ${src}/pool/address.ts.`,
    );
  });

  it('finds them below a folder, and three in a ring', () => {
    const problems = check('packages/database/src', {
      'inner/a/one.ts': `export * from '../b/two.ts';`,
      'inner/b/two.ts': `export type Three = import('../c/three.ts').Three;`,
      'inner/b/four.ts': `export { three } from '../c/three.ts';`,
      'inner/c/three.ts': `import { one } from '../a/five.ts'; export const three = one; export type Three = 3;`,
      'inner/a/five.ts': 'export const one = 1;',
    });
    expect(named(problems)).toEqual(['inner/a/one.ts', 'inner/b/four.ts', 'inner/b/two.ts', 'inner/c/three.ts']);
  });

  it('finds a file and a folder that import each other', () => {
    const problems = check('packages/database/src', {
      'log.ts': `import { isError } from './pool/errors.ts'; export const log = isError;`,
      'pool/errors.ts': 'export const isError = 1;',
      'pool/connection.ts': `import {\n  log,\n} from '../log.ts';\nexport const connection = log;`,
    });
    expect(named(problems)).toEqual(['log.ts', 'pool/connection.ts']);
  });

  it('finds two files that import each other by types', () => {
    const problems = check('packages/database/src', {
      'a.ts': `import type { B } from './b.ts'; export interface A { b?: B }`,
      'b.ts': `import type { A } from './a.ts'; export interface B { a?: A }`,
    });
    expect(named(problems)).toEqual(['a.ts', 'b.ts']);
  });

  it('accepts imports one way, and those of tests', () => {
    const problems = check('packages/database/src', {
      'pool/lease.ts': 'export const lease = 1;',
      'pool/lease.test.ts': `import { write } from '../transaction/write.ts'; export const tested = write;`,
      'transaction/write.ts': `import { lease } from '../pool/lease.ts'; export const write = lease;`,
    });
    expect(problems).toEqual([]);
  });

  it('finds folders with too many files, but for tests and migrations', () => {
    const files = (folder, count, ending = '.ts') => Array.from({ length: count }, (_, i) => [`${folder}/${i}${ending}`, '']);
    const all = [...files('a', 16), ...files('b', 15), ...files('b', 9, '.test.ts'), ...files('migrations', 16)];
    expect(check('packages/database/src', Object.fromEntries(all))).toEqual([
      'packages/database/src/a holds 16 source files; above 15, divide it by subject.',
    ]);
  });

  it('finds long comments and members with #', () => {
    const long = 'x'.repeat(140);
    const problems = check('packages/database/src', {
      'a.ts': `// ${long}\n/** ${long} */\n// https://example.org/${long}\nconst text = '${long}';\nclass A {\n  #secret = 1;\n  get() {\n    return this.#secret;\n  }\n}`,
    });
    expect(named(problems)).toEqual(['a.ts', 'a.ts', 'a.ts', 'a.ts']);
    expect(problems.map((problem) => /:(\d+):/.exec(problem)[1])).toEqual(['1', '2', '6', '8']);
  });
});
