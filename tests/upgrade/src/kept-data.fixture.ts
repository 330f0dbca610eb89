import { spawn } from 'node:child_process';
import { createReadStream, existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdDecompress } from 'node:zlib';
import { createTestDatabase, queryOnce, sinebarCommand, startProcess, type RunningProcess } from '@sinebar/testing';

export const RELEASES = join(import.meta.dirname, '../releases');
const READY = /^Sinebar is ready at (http:\/\/\S+)$/m;
const START_LIMIT_MS = 120_000;
/** The window of `keep-release.mjs`. */
const WINDOW = { [constants.ZSTD_d_windowLogMax]: 27 };

export interface Started {
  url: string;
  /** Stops the product and removes its data. */
  stop: () => Promise<void>;
}

export type Answers = readonly (readonly [address: string, answer: unknown])[];

export async function readAnswers(folder: string): Promise<Answers> {
  return Object.entries(JSON.parse(await readFile(join(folder, 'answers.json'), 'utf8')) as Record<string, unknown>);
}

/** A new folder that PostgreSQL of another account may enter, where this process is root. */
export async function openRoot(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'sinebar-kept-'));
  await chmod(root, 0o755);
  return root;
}

/** Reads an archive of a release into a new folder. */
export async function extract(archive: string, folder: string): Promise<void> {
  await mkdir(folder);
  const tar = spawn('tar', ['--extract', '--no-same-owner', '--directory', folder], { stdio: ['pipe', 'ignore', 'inherit'] });
  const ended = new Promise((resolve) => tar.once('close', resolve));
  // A tar that has read its last block may end before the end of its input is acknowledged; its exit code tells the outcome.
  const failure = await pipeline(createReadStream(archive), createZstdDecompress({ params: WINDOW }), tar.stdin).catch(
    (error: unknown) => error,
  );
  if ((await ended) !== 0) throw new Error(`${archive} could not be read.`, { cause: failure });
}

/** Starts the product of this checkout. @param words after `start` */
export async function start(
  env: Readonly<Record<string, string>>,
  words: readonly string[] = [],
): Promise<{ url: string; running: RunningProcess }> {
  const running = await startProcess(process.execPath, sinebarCommand('start', ...words), {
    env: { SINEBAR_PORT: '0', DATABASE_URL: undefined, ...env },
    ready: READY,
    timeoutMs: START_LIMIT_MS,
  });
  return { running, url: READY.exec(running.output())?.[1] as string };
}

/** Runs the product of this checkout where it must refuse to start. @returns all that it printed */
export async function refusal(env: Readonly<Record<string, string>>): Promise<{ code: number | null; output: string }> {
  const refused = await startProcess(process.execPath, sinebarCommand('start'), {
    env: { SINEBAR_PORT: '0', DATABASE_URL: undefined, NODE_OPTIONS: undefined, ...env },
  });
  return { code: (await refused.exited).code, output: refused.output() };
}

async function onDataFolder(release: string): Promise<Started> {
  const root = await openRoot();
  const dataDir = join(root, 'data');
  await extract(join(release, 'data-folder.tar.zst'), dataDir);
  return stoppable(root, await start({ SINEBAR_DATA_DIR: dataDir }));
}

async function onBackup(release: string): Promise<Started> {
  const root = await openRoot();
  await extract(join(release, 'backup.tar.zst'), join(root, 'backup'));
  const env = { SINEBAR_DATA_DIR: join(root, 'data') };
  const restoring = await startProcess(process.execPath, sinebarCommand('restore', join(root, 'backup')), {
    env: { DATABASE_URL: undefined, ...env },
  });
  const { code } = await restoring.exited;
  if (code !== 0) throw new Error(restoring.output());
  return stoppable(root, await start(env));
}

async function onDatabase(release: string): Promise<Started> {
  const root = await openRoot();
  const database = await createTestDatabase();
  await queryOnce(database.url, await readFile(join(release, 'database/database.sql'), 'utf8'));
  const dataDir = join(root, 'data');
  await cp(join(release, 'database/files'), join(dataDir, 'files'), { recursive: true });
  const { stop, url } = stoppable(root, await start({ SINEBAR_DATA_DIR: dataDir, DATABASE_URL: database.url }, ['--database']));
  return {
    url,
    stop: async () => {
      await stop();
      await database.drop();
    },
  };
}

function stoppable(root: string, { url, running }: { url: string; running: RunningProcess }): Started {
  return {
    url,
    stop: async () => {
      await running.stop(20_000);
      await rm(root, { recursive: true, force: true });
    },
  };
}

interface Form {
  name: string;
  /** File that a release has where it keeps this form. */
  file: string;
  /** Folder with the answers. */
  answers: string;
  /** Whether events keep their sequence. */
  keepsEvents: boolean;
  start: (release: string) => Promise<Started>;
}

const FORMS: readonly Form[] = [
  { name: 'its data folder', file: 'data-folder.tar.zst', answers: '.', keepsEvents: true, start: onDataFolder },
  { name: 'its database', file: 'database', answers: 'database', keepsEvents: true, start: onDatabase },
  { name: 'its backup', file: 'backup.tar.zst', answers: '.', keepsEvents: false, start: onBackup },
];

/** What a release has kept. */
export function formsOf(release: string): Form[] {
  return FORMS.filter(({ file }) => existsSync(join(RELEASES, release, file)));
}
