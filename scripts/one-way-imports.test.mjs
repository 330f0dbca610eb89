import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';
import { oneWayImports } from './one-way-imports.mjs';

describe('the rule that imports run one way', () => {
  let root;
  beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'sinebar-imports-'))));
  afterEach(() => rmSync(root, { recursive: true }));

  /** Lints files of a package. @returns the messages by file */
  async function lint(files) {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, 'src', name)), { recursive: true });
      writeFileSync(join(root, 'src', name), text);
    }
    const rules = { plugins: { sinebar: { rules: { 'one-way-imports': oneWayImports } } }, rules: { 'sinebar/one-way-imports': 'error' } };
    const eslint = new ESLint({
      cwd: root,
      overrideConfigFile: true,
      overrideConfig: [{ files: ['**/*.ts'], languageOptions: { parser: tseslint.parser }, ...rules }],
    });
    const results = await eslint.lintFiles(['src/**/*.ts']);
    return Object.fromEntries(
      results.filter(({ messages }) => messages.length > 0).map((one) => [one.filePath.slice(join(root, 'src').length + 1), one.messages]),
    );
  }

  it('finds two folders that import each other by different files, one of them only a type', async () => {
    const found = await lint({
      'pool/lease.ts': `import { translate } from '../transaction/errors.ts'; export const lease = translate;`,
      'pool/address.ts': 'export interface Address { url: string }',
      'transaction/errors.ts': 'export const translate = 1;',
      'transaction/outcome.ts': `import type { Address } from '../pool/address.ts'; export type Known = Address;`,
    });
    expect(Object.keys(found).sort()).toEqual(['pool/lease.ts', 'transaction/outcome.ts']);
    expect(found['pool/lease.ts'][0].message).toContain('pool/lease.ts → transaction/errors.ts, transaction/outcome.ts → pool/address.ts');
  });

  it('finds them below a folder, and three in a ring', async () => {
    const found = await lint({
      'inner/a/one.ts': `export * from '../b/two.ts';`,
      'inner/b/two.ts': `export type Three = import('../c/three.ts').Three;`,
      'inner/b/four.ts': `export { three } from '../c/three.ts';`,
      'inner/c/three.ts': `import { one } from '../a/five.ts'; export const three = one; export type Three = 3;`,
      'inner/a/five.ts': 'export const one = 1;',
    });
    expect(Object.keys(found).sort()).toEqual(['inner/a/one.ts', 'inner/b/four.ts', 'inner/b/two.ts', 'inner/c/three.ts']);
  });

  it('finds a file and a folder that import each other', async () => {
    const found = await lint({
      'log.ts': `import { isError } from './pool/errors.ts'; export const log = isError;`,
      'pool/errors.ts': 'export const isError = 1;',
      'pool/connection.ts': `import { log } from '../log.ts'; export const connection = log;`,
    });
    expect(Object.keys(found).sort()).toEqual(['log.ts', 'pool/connection.ts']);
  });

  it('finds two files that import each other by types', async () => {
    const found = await lint({
      'a.ts': `import type { B } from './b.ts'; export interface A { b?: B }`,
      'b.ts': `import type { A } from './a.ts'; export interface B { a?: A }`,
    });
    expect(Object.keys(found).sort()).toEqual(['a.ts', 'b.ts']);
  });

  it('accepts imports one way, and those of tests', async () => {
    const found = await lint({
      'pool/lease.ts': 'export const lease = 1;',
      'pool/lease.test.ts': `import { write } from '../transaction/write.ts'; export const tested = write;`,
      'transaction/write.ts': `import { lease } from '../pool/lease.ts'; export const write = lease;`,
    });
    expect(found).toEqual({});
  });
});
