import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ensureReady, pnpmCommand } from './bootstrap.mjs';
import { run, runWithProgress } from './command.mjs';

describe('ensureReady', () => {
  let root;
  let started;
  const put = (file, text = '') => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  const ready = (runStep = (title) => Promise.resolve(void started.push(title))) =>
    ensureReady({ root, runStep, findPnpm: () => Promise.resolve(['pnpm']) });

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'sinebar-bootstrap-'));
    started = [];
    put('pnpm-workspace.yaml', 'packages:\n  - packages/*\n');
    put('pnpm-lock.yaml');
    put('package.json', '{}');
    put('packages/a/package.json', '{}');
    put('packages/a/src/index.ts');
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it('installs and builds once, then starts nothing', async () => {
    await ready();
    expect(started).toEqual(['Installing packages', 'Building']);
    put('packages/a/dist/index.js');
    await ready();
    expect(started).toHaveLength(2);
  });

  it('builds again after a change of the sources, without installing', async () => {
    put('packages/a/dist/index.js');
    await ready();
    put('packages/a/src/more.ts');
    await ready();
    expect(started).toEqual(['Installing packages', 'Building', 'Building']);
  });

  it('builds again when built files are missing', async () => {
    put('packages/a/dist/index.js');
    put('packages/a/tsconfig.tsbuildinfo', '{}');
    await ready();
    rmSync(join(root, 'packages/a/dist'), { recursive: true });
    await ready();
    expect(started).toEqual(['Installing packages', 'Building', 'Building']);
    expect(existsSync(join(root, 'packages/a/tsconfig.tsbuildinfo'))).toBe(false);
  });

  it('bundles once, and again when the sources, the script or the result change', async () => {
    put('packages/a/dist/index.js');
    put('scripts/build/bundle.mjs', 'one');
    await ready();
    expect(started).toEqual(['Installing packages', 'Building', 'Bundling']);
    put('dist/a.js');
    await ready();
    expect(started).toHaveLength(3);
    put('packages/a/src/more.ts');
    await ready();
    expect(started.slice(3)).toEqual(['Building', 'Bundling']);
    put('scripts/build/bundle.mjs', 'other');
    await ready();
    expect(started.slice(5)).toEqual(['Bundling']);
    rmSync(join(root, 'dist'), { recursive: true });
    await ready();
    expect(started.slice(6)).toEqual(['Bundling']);
  });

  it('builds the console once, and again when a file of it or its result changes', async () => {
    put('packages/a/dist/index.js');
    put('packages/console/index.html', 'one');
    await ready();
    expect(started).toEqual(['Installing packages', 'Building', 'Building the console']);
    put('services/inspection/dist/console/index.html');
    await ready();
    expect(started).toHaveLength(3);
    put('packages/console/index.html', 'other');
    await ready();
    expect(started.slice(3)).toEqual(['Building the console']);
    rmSync(join(root, 'services/inspection/dist/console'), { recursive: true });
    await ready();
    expect(started.slice(4)).toEqual(['Building the console']);
  });

  it('retries after a failure', async () => {
    await expect(ready(() => Promise.reject(new Error('no network')))).rejects.toThrow('no network');
    await ready();
    expect(started).toEqual(['Installing packages', 'Building']);
  });

  it('installs exactly the versions of the lock file', async () => {
    const commands = [];
    await ready((_title, command) => Promise.resolve(void commands.push(command)));
    expect(commands[0]).toEqual(expect.arrayContaining(['install', '--frozen-lockfile']));
    expect(commands[1]?.slice(-2)).toEqual(['-b', 'tsconfig.build.json']);
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
