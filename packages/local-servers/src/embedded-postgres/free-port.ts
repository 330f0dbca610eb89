import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Lowest port: below the ephemeral range (Linux: 32768 and up), so outgoing connections do not use it. */
const LOWEST = 15_432;
const HIGHEST = 32_000;

async function isFree(port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** Finds a free port of 127.0.0.1, `preferred` when possible. */
export async function freePort(preferred?: number): Promise<number> {
  if (preferred !== undefined && preferred >= 1024 && (await isFree(preferred))) return preferred;
  for (let attempt = 0; attempt < 200; attempt++) {
    const port = randomInt(LOWEST, HIGHEST);
    if (await isFree(port)) return port;
  }
  throw new Error(`no free port found between ${LOWEST} and ${HIGHEST}`);
}
