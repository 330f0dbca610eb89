import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT } from '../../bootstrap.mjs';

/** Changes the process in every way that must end with the file, and checks that another file has not. */
const CHANGES = `
  import { expect, it, jest } from '@jest/globals';
  import { loads } from './shared.mjs';
  it('finds the process as it was', () => {
    expect(process.env.CHANGED).toBeUndefined();
    expect(process.exitCode).toBeUndefined();
    expect(Date.now()).toBeGreaterThan(0);
    expect(setTimeout(() => undefined, 0)).toHaveProperty('unref');
    process.env.CHANGED = 'yes';
    process.exitCode = 3;
    jest.spyOn(Date, 'now').mockReturnValue(0);
    jest.useFakeTimers();
  });
  it('shares modules', () => expect(loads).toBe(1));
`;
const FILES = {
  'shared.mjs': `export const loads = (globalThis.loads = (globalThis.loads ?? 0) + 1);`,
  'first.test.mjs': CHANGES,
  'second.test.mjs': CHANGES,
  'outcomes.test.mjs': `
    import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
    describe('a block', () => {
      it('passes', () => expect(1).toBe(1));
      it('fails', () => expect(1).toBe(2));
      it.skip('is skipped', () => undefined);
      it('hangs', () => new Promise(() => undefined));
      it('asserts too little', () => expect.assertions(1));
    });
    describe('a block whose set-up fails', () => {
      beforeAll(() => { throw new Error('no set-up'); });
      it('fails too', () => undefined);
    });`,
  'patient.test.mjs': `
    import { it, jest } from '@jest/globals';
    jest.setTimeout(60_000);
    it('waits', () => new Promise((resolve) => setTimeout(resolve, 1000)));`,
  'late-error.test.mjs': `
    import { it } from '@jest/globals';
    it('ends', () => new Promise((resolve) => { setTimeout(() => { throw new Error('late'); }, 1); setTimeout(resolve, 100); }));`,
  'rejection.test.mjs': `
    import { it } from '@jest/globals';
    it('ends', () => { Promise.reject(new Error('lost')); return new Promise((resolve) => setTimeout(resolve, 100)); });`,
  'broken.test.mjs': `import './missing.mjs';`,
};

describe('tests that Node loads', () => {
  let folder;
  let files;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sinebar-runner-'));
    for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
    const config = {
      rootDir: folder,
      testMatch: ['**/*.test.mjs'],
      testEnvironment: join(ROOT, 'scripts/jest/native/environment.mjs'),
      testRunner: join(ROOT, 'scripts/jest/native/runner.mjs'),
      transform: {},
      testTimeout: 500,
    };
    const jest = [join(ROOT, 'node_modules/jest/bin/jest.js'), '--runInBand', '--json', '--config', JSON.stringify(config)];
    const text = await new Promise((resolve) => {
      execFile(process.execPath, jest, { cwd: ROOT, encoding: 'utf8' }, (_error, stdout) => resolve(stdout));
    });
    files = JSON.parse(text).testResults;
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const file = (name) => files.find((result) => result.name === join(folder, name));
  const outcome = (fullName) => file('outcomes.test.mjs').assertionResults.find((result) => result.fullName === fullName);

  it.each(['first.test.mjs', 'second.test.mjs'])('share modules and nothing else (%s)', (name) => {
    expect(file(name).message).toBe('');
    expect(file(name).status).toBe('passed');
  });

  it.each([
    ['a block passes', 'passed', undefined],
    ['a block fails', 'failed', 'Expected: 2'],
    ['a block is skipped', 'pending', undefined],
    ['a block hangs', 'failed', 'Exceeded timeout of 500 ms'],
    ['a block asserts too little', 'failed', 'expect.assertions(1)'],
    ['a block whose set-up fails fails too', 'failed', 'no set-up'],
  ])('%s: %s', (fullName, status, message) => {
    expect(outcome(fullName).status).toBe(status);
    if (message) expect(outcome(fullName).failureMessages.join('\n')).toContain(message);
  });

  it('have a title and the titles of the blocks around them', () => {
    expect(outcome('a block passes')).toMatchObject({ title: 'passes', ancestorTitles: ['a block'] });
  });

  it('may set their time limit', () => expect(file('patient.test.mjs').status).toBe('passed'));

  it.each([
    ['late-error.test.mjs', 'late'],
    ['rejection.test.mjs', 'lost'],
    ['broken.test.mjs', 'missing.mjs'],
  ])('fail with an error outside of a test: %s', (name, message) => {
    expect(file(name).status).toBe('failed');
    expect(file(name).message).toContain(message);
  });
});
