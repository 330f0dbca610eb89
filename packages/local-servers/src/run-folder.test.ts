import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRunFolder, removeAbandonedRuns } from './run-folder.ts';

describe('run folders', () => {
  let runs: string;
  const children: ChildProcess[] = [];
  beforeEach(() => {
    runs = mkdtempSync(join(tmpdir(), 'sinebar-runs-'));
  });
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    rmSync(runs, { recursive: true, force: true });
  });

  const server = (argument: string, script = 'setInterval(() => {}, 1000)') => {
    const child = spawn(process.execPath, ['-e', `${script}; console.log('up')`, argument], {
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    children.push(child);
    return new Promise<{ pid: number; exit: Promise<string | null> }>((resolve) => {
      const exit = new Promise<string | null>((ended) => child.once('exit', (_code, signal) => ended(signal)));
      child.stdout.once('data', () => resolve({ pid: child.pid as number, exit }));
    });
  };
  /** Writes an owner that no longer runs, as after SIGKILL. */
  const abandon = (path: string, change: object = { commandLine: 'somebody who is gone' }) => {
    const owner = join(path, 'owner.json');
    writeFileSync(owner, JSON.stringify({ ...(JSON.parse(readFileSync(owner, 'utf8')) as object), ...change }));
  };

  it('of a living owner are kept', async () => {
    const folder = await openRunFolder(runs);
    const { pid } = await server(folder.path);
    folder.record('db', pid);
    await openRunFolder(runs);
    expect(existsSync(folder.path)).toBe(true);
    expect(() => process.kill(pid, 0)).not.toThrow();
  });

  it('of a killed owner are removed and their servers ended', async () => {
    const folder = await openRunFolder(runs);
    const { pid, exit } = await server(folder.path);
    folder.record('db', pid);
    abandon(folder.path);
    await openRunFolder(runs);
    expect(await exit).toBe('SIGTERM');
    expect(existsSync(folder.path)).toBe(false);
  });

  it('do not end a process that got the id of a server later', async () => {
    const folder = await openRunFolder(runs);
    const { pid } = await server('/some/other/folder');
    folder.record('db', pid);
    abandon(folder.path);
    await removeAbandonedRuns(runs);
    expect(existsSync(folder.path)).toBe(false);
    expect(() => process.kill(pid, 0)).not.toThrow();
  });

  it('of another machine that shares the folder are kept', async () => {
    const folder = await openRunFolder(runs);
    abandon(folder.path, { commandLine: 'unknown here', host: 'another-machine' });
    await removeAbandonedRuns(runs);
    expect(existsSync(folder.path)).toBe(true);
  });

  it('kill a server that does not stop on request', async () => {
    const folder = await openRunFolder(runs);
    const { pid, exit } = await server(folder.path, `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)`);
    folder.record('db', pid);
    abandon(folder.path);
    await removeAbandonedRuns(runs);
    expect(await exit).toBe('SIGKILL');
  });
});
