import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyEmptyDatabase } from './data-folder.ts';
import { startProcess, type RunningProcess, type StartProcessOptions } from './start-process.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const READY = /^Sinebar is ready at (http:\/\/\S+)$/m;
/** Time limit of a start on a loaded machine, with a database that is made first. */
const START_LIMIT_MS = 120_000;

/** Words after `node` that run a command of the release, which jest makes before the first test (scripts/release/release.mjs). */
export function sinebarCommand(...words: readonly string[]): string[] {
  return [join(ROOT, 'apps/sinebar/dist/sinebar.js'), ...words];
}

/** Words after `node` that run the services of the release in processes of their own, behind one address. */
export const DISTRIBUTED: readonly string[] = [join(ROOT, 'tests/distributed/src/distributed.ts'), '--release'];

export interface StartedProduct {
  /** Address that it printed, without a slash at the end. */
  url: string;
  running: RunningProcess;
}

/**
 * Starts the product at a free port of 127.0.0.1, in one process or as the services with their proxy, and waits until it is ready.
 * @param options.env its settings
 * @throws as {@link startProcess}
 */
export async function startBuiltProduct(
  kind: 'standalone' | 'distributed',
  { env, timeoutMs = START_LIMIT_MS, ...options }: Omit<StartProcessOptions, 'ready'> = {},
): Promise<StartedProduct> {
  const running = await startProcess(process.execPath, kind === 'standalone' ? sinebarCommand('start') : DISTRIBUTED, {
    ...options,
    env: { SINEBAR_PORT: '0', ...env },
    ready: READY,
    timeoutMs,
  });
  return { running, url: READY.exec(running.output())?.[1] as string };
}

/**
 * Starts the standalone product on an empty data folder of its own.
 * @returns its address, and a function that stops it and removes the folder
 */
export async function startEmptyProduct(): Promise<{ url: string; stop: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'sinebar-empty-'));
  // The database runs as another user when this process is root.
  await chmod(folder, 0o755);
  const dataDir = join(folder, 'data');
  await copyEmptyDatabase(dataDir);
  const { url, running } = await startBuiltProduct('standalone', { env: { SINEBAR_DATA_DIR: dataDir } });
  return {
    url,
    stop: async () => {
      await running.stop(20_000);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
