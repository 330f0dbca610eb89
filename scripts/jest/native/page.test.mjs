import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT } from '../../bootstrap.mjs';

/** Changes what a page has in every way that must end with the file, and checks that another file has not. */
const CHANGES = `
  import { expect, it } from '@jest/globals';
  it('finds an empty page', () => {
    expect(document.documentElement.outerHTML).toBe('<html><head></head><body></body></html>');
    expect({ ...localStorage, ...sessionStorage }).toEqual({});
    expect(document.body.clientWidth).toBe(0);
    expect(location.href).toBe('http://localhost/');
    expect(String(print)).not.toContain('changed');
    document.body.innerHTML = '<p>changed</p>';
    document.body.className = 'changed';
    localStorage.setItem('changed', 'yes');
    sessionStorage.setItem('changed', 'yes');
    history.pushState(null, '', '/changed');
    Object.defineProperty(HTMLElement.prototype, 'clientWidth', { configurable: true, get: () => 300 });
    window.print = () => 'changed';
    expect(document.body.clientWidth).toBe(300);
    expect(print()).toBe('changed');
  });`;
const FILES = {
  'first.test.mjs': CHANGES,
  'second.test.mjs': CHANGES,
  'late.test.mjs': `
    import { it } from '@jest/globals';
    it('ends', () => {
      document.body.addEventListener('click', () => { throw new Error('thrown by a listener'); });
      document.body.click();
    });`,
  'ends.test.mjs': `
    import { it } from '@jest/globals';
    it('ends its thread', () => process.exit());`,
};

describe('tests in a thread with the globals of a browser', () => {
  let folder;
  let files;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sinebar-page-'));
    for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
    const config = {
      rootDir: folder,
      testMatch: ['**/*.test.mjs'],
      testEnvironment: join(ROOT, 'scripts/jest/native/environment.mjs'),
      testRunner: join(ROOT, 'apps/console/jest/runner.mjs'),
      transform: {},
    };
    const jest = [join(ROOT, 'node_modules/jest/bin/jest.js'), '--runInBand', '--json', '--config', JSON.stringify(config)];
    const text = await new Promise((resolve) => {
      execFile(process.execPath, jest, { cwd: ROOT, encoding: 'utf8' }, (_error, stdout) => resolve(stdout));
    });
    files = JSON.parse(text).testResults;
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const file = (name) => files.find((result) => result.name === join(folder, name));

  it.each(['first.test.mjs', 'second.test.mjs'])('find the page as if no other file had run (%s)', (name) => {
    expect(file(name).message).toBe('');
    expect(file(name).status).toBe('passed');
  });

  it.each([
    ['late.test.mjs', 'thrown by a listener'],
    ['ends.test.mjs', 'The thread of the tests of the page has ended.'],
  ])('fail with an error outside of a test: %s', (name, message) => {
    expect(file(name).status).toBe('failed');
    expect(file(name).message).toContain(message);
  });
});
