import { pbkdf2 } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startServerProcess, type ServerCommand } from './server-process.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sinebar-server-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const command = (program: string, args: readonly string[]): ServerCommand => ({
  name: 'The server',
  program,
  args,
  cwd: folder,
  logFile: join(folder, 'server.log'),
  env: {},
  stopSteps: [['SIGKILL', 5_000]],
  isReady: () => Promise.resolve(false),
  readyTimeoutMs: 10_000,
});

describe('startServerProcess', () => {
  it('reports a server that has ended before its log file is closed here', async () => {
    const busy = new AbortController();
    // Files are closed by the threads that compute keys. They end, in case the start does not.
    const endMs = performance.now() + 5_000;
    const threads = Array.from({ length: 8 }, async () => {
      while (!busy.signal.aborted && performance.now() < endMs) await promisify(pbkdf2)('password', 'salt', 40_000, 32, 'sha256');
    });
    try {
      const start = startServerProcess(command('/bin/sh', ['-c', 'exit 3']), new AbortController().signal);
      await expect(start).rejects.toThrow('The server ended with code 3');
    } finally {
      busy.abort();
      await Promise.all(threads);
    }
  });

  it('reports a program that is not there', async () => {
    await expect(startServerProcess(command(join(folder, 'nothing'), []), new AbortController().signal)).rejects.toThrow(
      'cannot be started',
    );
  });
});
