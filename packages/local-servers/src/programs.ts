import { spawn, execFile } from 'node:child_process';
import {
  accessSync,
  constants,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { formatVersion, isAtLeast, parseVersion, type ProgramVersion, type Version } from './versions.ts';

export type Environment = Readonly<Record<string, string | undefined>>;
export type OnProgress = (line: string) => void;

/** A program that is found on this machine or built from its published source. */
export interface ProgramSource {
  /** Name on the PATH and of the binary that `go install` makes. */
  name: string;
  minimum: Version;
  /** Go package and the version built when none is found. */
  goPackage: string;
  goVersion: string;
  /** Whether its module excludes or replaces others, which `go install` refuses: then it is built in a module of its own. */
  hasDirectives?: boolean;
  /** Build tags that leave out what is not used. */
  tags?: string;
  /** Arguments that print its version; default `--version`. */
  versionArgs?: readonly string[];
}

export const NATS_SERVER: ProgramSource = {
  name: 'nats-server',
  // Consumers with several filter subjects came with 2.10.
  minimum: [2, 10, 0],
  goPackage: 'github.com/nats-io/nats-server/v2',
  goVersion: 'v2.15.2',
};

export const MINIO: ProgramSource = {
  name: 'minio',
  // Since this release a single folder is served by the same code as a cluster.
  minimum: [2022, 10, 29],
  goPackage: 'github.com/minio/minio',
  goVersion: 'v0.0.0-20260212201848-7aac2a2c5b7c',
};

/** An S3 server that is still maintained, on a folder: the store for files is tested against it, too. */
export const VERSITYGW: ProgramSource = {
  name: 'versitygw',
  minimum: [1, 8, 0],
  goPackage: 'github.com/versity/versitygw/cmd/versitygw',
  goVersion: 'v1.8.0',
  hasDirectives: true,
};

/** Renders and installs the chart of infra/chart; no server. */
export const HELM: ProgramSource = {
  name: 'helm',
  // Its messages about values, and `--force-conflicts` when it takes over objects.
  minimum: [4, 0, 0],
  goPackage: 'helm.sh/helm/v4/cmd/helm',
  goVersion: 'v4.3.1',
  versionArgs: ['version', '--short'],
};

/** Checks and evaluates the alert rules of infra/observability; no server. */
export const PROMTOOL: ProgramSource = {
  name: 'promtool',
  minimum: [3, 0, 0],
  goPackage: 'github.com/prometheus/prometheus/cmd/promtool',
  goVersion: 'v0.316.0',
  hasDirectives: true,
  // The clients of clouds, which find servers there, are most of its code.
  tags: 'remove_all_sd,enable_dns_sd',
};

/** Reads metrics and evaluates the alert rules, in the tests of the engines; of the version of promtool, and without its pages. */
export const PROMETHEUS: ProgramSource = { ...PROMTOOL, name: 'prometheus', goPackage: 'github.com/prometheus/prometheus/cmd/prometheus' };

/** Thrown when a program is missing and cannot be built; the message gives the reason. */
export class ProgramMissingError extends Error {
  override readonly name = 'ProgramMissingError';
}

/** Returns the folder of built programs: `${SINEBAR_CACHE_DIR:-${XDG_CACHE_HOME:-~/.cache}/sinebar}/bin`. */
export function programCache(environment: Environment): string {
  const base = environment['SINEBAR_CACHE_DIR'] || join(environment['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'sinebar');
  return join(base, 'bin');
}

export function cachedProgram(source: ProgramSource, environment: Environment): string {
  return join(programCache(environment), `${source.name}-${source.goVersion}`);
}

export interface FindProgramOptions {
  onProgress: OnProgress;
  /** `PATH`, `SINEBAR_CACHE_DIR` and the like; a build gets all of it. */
  environment: Environment;
  signal?: AbortSignal;
}

/**
 * Finds a program that is new enough: on the PATH, else in the cache, else built with Go into the cache.
 * @throws ProgramMissingError when it is missing and cannot be built.
 */
export async function findProgram(source: ProgramSource, options: FindProgramOptions): Promise<string> {
  return (await findInstalled(source, options)) ?? (await build(source, options));
}

/** Finds a program like {@link findProgram}, but does not build it. */
export async function findInstalled(source: ProgramSource, options: FindProgramOptions): Promise<string | undefined> {
  const { onProgress, environment } = options;
  for (const path of onPath(source.name, environment)) {
    const version = await askVersion(path, source.versionArgs);
    if (isAtLeast(version, source.minimum)) return path;
    onProgress(`${path} is too old (${formatVersion(version)}): ${source.name} must be at least ${formatVersion(source.minimum)}`);
  }
  const cached = cachedProgram(source, environment);
  return isExecutable(cached) ? cached : undefined;
}

/** Whether {@link findProgram} could build what it does not find. */
export function canBuild(environment: Environment): boolean {
  return onPath('go', environment).length > 0;
}

/**
 * Builds with `go install` into a temporary folder, then renames.
 * A killed build leaves no file that looks complete. While another process builds the program, it waits for that.
 */
async function build(source: ProgramSource, options: FindProgramOptions): Promise<string> {
  const { onProgress, environment, signal } = options;
  const [go] = onPath('go', environment);
  if (go === undefined)
    throw new ProgramMissingError(
      `There is no ${source.name} >= ${formatVersion(source.minimum)} on the PATH, and no Go on this machine to build it.`,
    );
  const folder = makeBuildFolder(programCache(environment));
  const target = cachedProgram(source, environment);
  const lock = `${target}.lock`;
  let hasLock = false;
  try {
    while (!(hasLock = tryLock(lock))) await setTimeout(500, undefined, signal && { signal });
    if (isExecutable(target)) return target;
    const startedAt = Date.now();
    const seconds = () => Math.round((Date.now() - startedAt) / 1000);
    onProgress(`building ${source.name} ${source.goVersion} with Go, once for this machine …`);
    const timer = setInterval(() => {
      renewLock(lock);
      onProgress(`building ${source.name} … ${seconds()} s`);
    }, 10_000);
    try {
      // A build without cgo needs no C compiler.
      const env = { ...environment, GOBIN: folder, CGO_ENABLED: '0' };
      for (const args of buildSteps(source)) await runGo(go, args, { env, cwd: folder, ...(signal && { signal }) });
    } finally {
      clearInterval(timer);
    }
    renameSync(join(folder, source.name), target);
    onProgress(`built ${source.name} in ${seconds()} s`);
    return target;
  } catch (error) {
    throw new ProgramMissingError(`${source.name} could not be built: ${(error as Error).message}.`, { cause: error });
  } finally {
    if (hasLock) rmSync(lock, { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Arguments of the commands of Go that leave the program in the working folder. */
function buildSteps({ name, goPackage, goVersion, hasDirectives, tags }: ProgramSource): string[][] {
  const tagged = tags === undefined ? [] : ['-tags', tags];
  if (hasDirectives !== true) return [['install', ...tagged, `${goPackage}@${goVersion}`]];
  return [
    ['mod', 'init', 'program'],
    ['get', `${goPackage}@${goVersion}`],
    ['build', '-trimpath', '-ldflags=-s -w', ...tagged, '-o', name, goPackage],
  ];
}

async function runGo(
  go: string,
  args: readonly string[],
  options: { env: NodeJS.ProcessEnv; cwd: string; signal?: AbortSignal },
): Promise<void> {
  const child = spawn(go, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`go ${args[0]} ended with code ${String(code)}:\n${output.trimEnd().split('\n').slice(-15).join('\n')}`);
}

/** Age at which a lock was left by a process that is gone: a running build renews it every 10 s. */
const STALE_LOCK_MS = 60_000;

/** Makes the folder that keeps others from the same build. @returns whether they had not made it */
function tryLock(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    if (age > STALE_LOCK_MS) rmSync(lock, { recursive: true, force: true });
    return false;
  }
}

function renewLock(lock: string): void {
  mkdirSync(lock, { recursive: true });
  utimesSync(lock, new Date(), new Date());
}

const BUILD_FOLDER = '.build-';
const STALE_BUILD_MS = 2 * 60 * 60 * 1000;

function makeBuildFolder(cache: string): string {
  try {
    mkdirSync(cache, { recursive: true });
    for (const name of readdirSync(cache)) {
      const path = join(cache, name);
      if (name.startsWith(BUILD_FOLDER) && Date.now() - statSync(path).mtimeMs > STALE_BUILD_MS)
        rmSync(path, { recursive: true, force: true });
    }
    return mkdtempSync(join(cache, BUILD_FOLDER));
  } catch (error) {
    throw new ProgramMissingError(
      `Built programs cannot be kept in ${cache} (${(error as Error).message}). Set SINEBAR_CACHE_DIR to a folder that can be written.`,
      {
        cause: error,
      },
    );
  }
}

/** Lists every executable file of this name on the PATH, in its order. */
function onPath(name: string, environment: Environment): string[] {
  const folders = (environment['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const paths = folders.map((folder) => join(folder, name)).filter(isExecutable);
  // The same file may occur several times: on many systems /bin is a link to /usr/bin.
  return [...new Map(paths.map((path) => [realpathSync(path), path] as const).reverse()).values()].reverse();
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

async function askVersion(path: string, args: readonly string[] = ['--version']): Promise<ProgramVersion> {
  try {
    const { stdout, stderr } = await promisify(execFile)(path, [...args], { timeout: 10_000 });
    return parseVersion(`${stdout}\n${stderr}`);
  } catch {
    // A program that cannot print its version is not used.
    return undefined;
  }
}
