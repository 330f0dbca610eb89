import { setTimeout as pause } from 'node:timers/promises';
import type { RunningServer } from './server-process.js';

export interface KeeperOptions {
  /** Receives lines for the terminal. */
  report: (line: string) => void;
  /** Called after a restart with a new process. */
  onStarted: () => void;
}

/** A database whose process was killed cannot start before the last of its children has noticed. */
const ATTEMPTS = 20;
const RETRY_MS = 500;

/**
 * Restarts servers that end by themselves, at the same address and on the same data; the map then holds the new ones.
 * @returns a function that ends the watch and waits for a running start; call it before stopping the servers
 */
export function keepRunning<N extends string>(servers: Map<N, RunningServer>, { report, onStarted }: KeeperOptions): () => Promise<void> {
  let isStopping = false;
  const stopping = (): boolean => isStopping;
  const keep = async (name: N): Promise<void> => {
    for (;;) {
      const server = servers.get(name) as RunningServer;
      await server.ended;
      if (stopping()) return;
      report(`${name} (pid ${server.pid}) has ended; it is started again`);
      const again = await startAgain(name, server, report, stopping);
      if (!again) return;
      servers.set(name, again);
      onStarted();
    }
  };
  const starts = new Map<N, Promise<void>>();
  for (const name of servers.keys()) starts.set(name, keep(name));
  return async () => {
    isStopping = true;
    // Running servers are not awaited: the caller stops them.
    for (const [name, server] of servers) if (await hasEnded(server)) await starts.get(name);
  };
}

async function startAgain(
  name: string,
  server: RunningServer,
  report: KeeperOptions['report'],
  stopping: () => boolean,
): Promise<RunningServer | undefined> {
  for (let attempt = 1; !stopping(); attempt += 1) {
    try {
      return await server.startAgain();
    } catch (error) {
      if (attempt === ATTEMPTS) {
        report(`${name} cannot be started again: ${(error as Error).message}`);
        return undefined;
      }
      await pause(RETRY_MS);
    }
  }
  return undefined;
}

function hasEnded(server: RunningServer): Promise<boolean> {
  return Promise.race([server.ended.then(() => true), pause(0, false)]);
}
