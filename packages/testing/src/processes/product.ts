import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyDataFolder, type DataFolderContent } from './data-folder.ts';
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

/** A product with a data folder of its own. */
export interface OwnProduct {
  url: string;
  /** Whether the folder is a copy of one with the wanted content; otherwise it is empty. */
  isCopy: boolean;
  /** Stops it and removes the folder. */
  stop: () => Promise<void>;
}

/** Starts the standalone product on an empty data folder of its own. */
export function startEmptyProduct(): Promise<OwnProduct> {
  return startProductOnCopy('empty');
}

/** Starts the standalone product on its own copy of a data folder. */
export async function startProductOnCopy(content: DataFolderContent): Promise<OwnProduct> {
  const folder = await mkdtemp(join(tmpdir(), `sinebar-${content}-`));
  // The database runs as another user when this process is root.
  await chmod(folder, 0o755);
  const dataDir = join(folder, 'data');
  const isCopy = await copyDataFolder(content, dataDir);
  const { url, running } = await startBuiltProduct('standalone', { env: { SINEBAR_DATA_DIR: dataDir } });
  return {
    url,
    isCopy,
    stop: async () => {
      await running.stop(20_000);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
