import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { checkNode, checkWritable, ensureReady, pnpmCommand } from './bootstrap.mjs';
import { run, runWithProgress } from './command.mjs';

describe('version of Node', () => {
  it.each(['20.19.0', '20.20.2', '22.1.0', '24.0.0'])('%s is accepted', (version) => {
    expect(() => checkNode(version)).not.toThrow();
  });
  it.each(['20.18.9', '19.9.0', '18.20.4', '8.0.0'])('%s is refused with a message', (version) => {
    expect(() => checkNode(version)).toThrow(`Sinebar needs Node 20.19 or newer; this is ${version}`);
  });
});

describe('ensureReady', () => {
  let root;
  let started;
  const put = (file, text = '') => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  const ready = (runStep = (title) => Promise.resolve(void started.push(title))) => ensureReady({ root, runStep });

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'sinebar-bootstrap-'));
    started = [];
    put('pnpm-workspace.yaml', 'packages:\n  - packages/*\n');
    put('pnpm-lock.yaml');
    put('package.json', '{"packageManager":"pnpm@10.34.9"}');
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
  let folder;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sinebar-pnpm-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const installed = (version) => {
    writeFileSync(join(folder, 'pnpm'), `#!/bin/sh\necho ${version}\n`, { mode: 0o755 });
    return { PATH: folder };
  };

  it('of the exact version is used from the PATH', () => {
    expect(pnpmCommand('pnpm@10.34.9', installed('10.34.9'))).toEqual(['pnpm']);
  });
  it('of another version is downloaded', () => {
    expect(pnpmCommand('pnpm@10.34.9', installed('10.34.8'))).toEqual(['npx', '-y', 'pnpm@10.34.9']);
    expect(pnpmCommand('pnpm@10.34.9+sha512.abc', { PATH: '/nowhere' })).toEqual(['npx', '-y', 'pnpm@10.34.9']);
  });
  it('must be named in package.json', () => {
    expect(() => pnpmCommand(undefined)).toThrow('names no version of pnpm');
    expect(() => pnpmCommand('yarn@4.0.0')).toThrow('names no version of pnpm');
  });
});

describe('a folder of another user', () => {
  // Root may write everywhere, so the check runs as another user there.
  const asNobody = process.getuid?.() === 0;
  const nobody = (flag) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));

  it('is reported in a message that explains what to do', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sinebar-owner-'));
    try {
      if (!asNobody) execFileSync('chmod', ['a-w', folder]);
      const script = `import(${JSON.stringify(new URL('./bootstrap.mjs', import.meta.url).href)}).then((m) => m.checkWritable(${JSON.stringify(folder)}, 'x/y')).catch((e) => console.log(e.message))`;
      const { output } = await run([process.execPath, '-e', script], {
        stdio: ['ignore', 'pipe', 'pipe'],
        ...(asNobody ? { uid: nobody('-u'), gid: nobody('-g'), cwd: '/' } : {}),
      });
      expect(output).toMatch(/cannot be written by .*: it belongs to user id \d+\. Run this as that user/);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('is no problem when it is writable', () => {
    expect(() => checkWritable(tmpdir(), 'some/new/folder')).not.toThrow();
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
