import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Range of ports below the ephemeral ones (32768 and up on Linux, 49152 and up elsewhere). */
export const PORT_RANGE = { first: 20_000, last: 29_999 } as const;

const ATTEMPTS = 50;

/**
 * Chooses a free port of 127.0.0.1: `preferred` if possible, else a random one from {@link PORT_RANGE}.
 * Another process may take it first: a server that cannot bind must be restarted on another port.
 * @param canBind for tests; by default the port is bound and released
 * @throws when no free port is found in 50 attempts.
 */
export async function chooseFreePort(preferred?: number, canBind = canBindLocally): Promise<number> {
  if (preferred !== undefined && preferred >= 1024 && (await canBind(preferred))) return preferred;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = randomInt(PORT_RANGE.first, PORT_RANGE.last + 1);
    if (await canBind(port)) return port;
  }
  throw new Error(`There is no free port between ${PORT_RANGE.first} and ${PORT_RANGE.last}.`);
}

function canBindLocally(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
}
