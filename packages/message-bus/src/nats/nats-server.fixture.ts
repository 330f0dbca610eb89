import { execFileSync } from 'node:child_process';

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
