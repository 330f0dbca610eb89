import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ensureReady, pnpmCommand } from './bootstrap.mjs';
import { run, runWithProgress } from './command.mjs';

describe('ensureReady', () => {
  let root;
  let started;
  const put = (file, text = '', at = Date.now() / 1000) => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
    utimesSync(join(root, file), at, at);
  };
  const finish = {
    'Installing packages': () => put('node_modules/.pnpm/lock.yaml', readFileSync(join(root, 'pnpm-lock.yaml'))),
    'Building the page': () => put('apps/console/dist/index.html', '', Date.now() / 1000 + 1),
  };
  const step = (title) => {
    started.push(title);
    finish[title]();
    return Promise.resolve();
  };
  const ready = (runStep = step) => ensureReady({ root, runStep, findPnpm: () => Promise.resolve(['pnpm']) });

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'sinebar-bootstrap-'));
    started = [];
    put('pnpm-lock.yaml', 'one');
    put('apps/console/index.html');
    put('apps/console/vite.config.ts');
    put('apps/console/src/folder/index.ts');
    for (const name of ['charts', 'client', 'contracts', 'query-language']) put(`packages/${name}/src/folder/index.ts`);
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it('installs and builds once, then starts nothing', async () => {
    await ready();
    expect(started).toEqual(['Installing packages', 'Building the page']);
    await ready();
    expect(started).toHaveLength(2);
  });

  it('installs again when the lock file differs from what is installed', async () => {
    await ready();
    put('pnpm-lock.yaml', 'two', Date.now() / 1000 - 60);
    await ready();
    expect(started.slice(2)).toEqual(['Installing packages']);
  });

  it.each(['packages/contracts/src/folder/index.ts', 'apps/console/index.html', 'packages/client/src/added.ts'])(
    'builds the page again when %s is newer',
    async (file) => {
      await ready();
      put(file, '', Date.now() / 1000 + 60);
      await ready();
      expect(started.slice(2)).toEqual(['Building the page']);
    },
  );

  it('builds the page again when it is missing', async () => {
    await ready();
    rmSync(join(root, 'apps/console/dist'), { recursive: true });
    await ready();
    expect(started.slice(2)).toEqual(['Building the page']);
  });

  it('retries after a failure', async () => {
    await expect(ready(() => Promise.reject(new Error('no network')))).rejects.toThrow('no network');
    await ready();
    expect(started).toEqual(['Installing packages', 'Building the page']);
  });

  it('installs exactly the versions of the lock file', async () => {
    const commands = [];
    await ready((title, command) => {
      commands.push(command);
      return step(title);
    });
    expect(commands[0]).toEqual(expect.arrayContaining(['install', '--frozen-lockfile']));
  });
});

describe('pnpm', () => {
  let root;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'sinebar-pnpm-'));
    writeFileSync(join(root, 'package.json'), '{"packageManager":"pnpm@10.34.9"}');
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));
  const installed = (version) => {
    writeFileSync(join(root, 'pnpm'), `#!/bin/sh\necho ${version}\n`, { mode: 0o755 });
    return { PATH: `${root}:/bin` };
  };

  it('of the exact version is used from the PATH', async () => {
    expect(await pnpmCommand(root, installed('10.34.9'))).toEqual(['pnpm']);
  });
  it.each([
    ['another version', () => installed('10.34.8')],
    ['no version', () => ({ PATH: '/nowhere' })],
  ])('is that of the lock file where the PATH has %s', async (_what, environment) => {
    const fetched = (options) => Promise.resolve(join(options.root, 'fetched.cjs'));
    expect(await pnpmCommand(root, environment(), fetched)).toEqual([process.execPath, join(root, 'fetched.cjs')]);
  });
});

describe('a step', () => {
  const step = (script) => {
    const printed = [];
    return {
      printed,
      done: runWithProgress('Working', [process.execPath, '-e', script], { cwd: tmpdir(), print: (text) => printed.push(text) }),
    };
  };

  it('prints its title only when it succeeds', async () => {
    const { printed, done } = step('console.log("chatter")');
    await done;
    expect(printed.join('')).toMatch(/^Working/);
    expect(printed.join('')).not.toContain('chatter');
  });

  it('prints its whole output when it fails', async () => {
    const { done } = step('console.log("first line"); console.error("the reason"); process.exitCode = 3');
    await expect(done).rejects.toThrow(/first line[\s\S]*the reason[\s\S]*Working failed: .* ended with code 3/);
  });

  it('reports that its program does not exist', async () => {
    await expect(runWithProgress('Working', ['/no/such/program'], { cwd: tmpdir(), print: () => undefined })).rejects.toThrow(
      '/no/such/program cannot be started',
    );
  });

  it('is ended after its time-out', async () => {
    const result = await run([process.execPath, '-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore', timeoutMs: 200 });
    expect(result).toMatchObject({ timedOut: true, code: 137 });
  });
});
