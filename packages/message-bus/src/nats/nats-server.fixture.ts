import { execFileSync } from 'node:child_process';
import { createServer } from 'node:net';

/** A nats-server for a test, or the reason why there is none. */
export type FoundServer = { path: string; version: string } | { missing: string };

/** Looks at NATS_SERVER_BIN, then for `nats-server` on the PATH. */
export function findNatsServer(isWanted: (version: string) => boolean, candidates: readonly (string | undefined)[]): FoundServer {
  const seen: string[] = [];
  for (const path of candidates) {
    if (!path) continue;
    const version = versionOf(path);
    if (version !== undefined && isWanted(version)) return { path, version };
    seen.push(`${path} is ${version ?? 'missing'}`);
  }
  return { missing: seen.join(', ') };
}

function versionOf(path: string): string | undefined {
  try {
    return /v(\d+\.\d+\.\d+)/.exec(execFileSync(path, ['-v'], { encoding: 'utf8' }))?.[1];
  } catch {
    return undefined;
  }
}

/** Chooses a free port of 127.0.0.1 between 20,000 and 30,000, for a test that restarts its server. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    const free = await new Promise<boolean>((resolve) => {
      const server = createServer();
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
    });
    if (free) return port;
  }
  throw new Error('no free port found');
}
