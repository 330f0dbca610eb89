import { createServer } from 'node:net';

/** Ports below the ephemeral ones, which outgoing connections take. */
const FIRST = 20_000;
const LAST = 29_999;
const ATTEMPTS = 50;
const chosen = new Set<number>();

/** Chooses a free port of 127.0.0.1, for a server that a test starts again; never the same port twice in a process. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST + 1));
    if (chosen.has(port)) continue;
    chosen.add(port);
    if (await isFreePort(port)) return port;
  }
  throw new Error(`no free port found between ${FIRST} and ${LAST}`);
}

/** Whether nothing listens on a port of 127.0.0.1. */
export function isFreePort(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
