import { join } from 'node:path';
import { connectionUrl, readCredentials } from './embedded-postgres/credentials.ts';
import { startEmbeddedPostgres } from './embedded-postgres/embedded-postgres.ts';
import type { FolderServerOptions } from './folder-server.ts';
import { startMinio } from './minio.ts';
import { startNatsCluster } from './nats-cluster.ts';
import { startNats } from './nats.ts';
import { findProgram, MINIO, NATS_SERVER, type Environment, type OnProgress } from './programs.ts';
import { defaultRunsFolder, openRunFolder, type RunFolder } from './run-folder.ts';
import type { RunningServer } from './supervisor.ts';

export const BACKING_SERVICES = ['postgres', 'nats', 's3'] as const;
export type BackingService = (typeof BACKING_SERVICES)[number];

/** Environment variables with the addresses of the backing services. */
export interface BackingVariables {
  DATABASE_URL?: string;
  NATS_URL?: string;
  /** The server's program, for tests that end and start servers of their own. */
  NATS_SERVER_BIN?: string;
  S3_ENDPOINT?: string;
  S3_ACCESS_KEY?: string;
  S3_SECRET_KEY?: string;
}

const VARIABLES = {
  postgres: ['DATABASE_URL'],
  nats: ['NATS_URL'],
  s3: ['S3_ENDPOINT', 'S3_ACCESS_KEY', 'S3_SECRET_KEY'],
} as const satisfies Record<BackingService, readonly (keyof BackingVariables)[]>;

export interface MissingService {
  name: BackingService;
  /** Sentence that says what is missing and what would help. */
  why: string;
}

export interface StartOptions {
  /** Default: all three. */
  need?: readonly BackingService[];
  /** Receives progress lines for the terminal. */
  onProgress?: OnProgress;
  /** Parent of the folder for data and logs, which is removed at the end; default in the system's temporary folder. */
  dataDir?: string;
  /** `SINEBAR_NATS_SERVERS=3` starts a cluster of NATS instead of one server. */
  environment: Environment;
  /** Ends builds and starts under way; the call then rejects. */
  signal?: AbortSignal;
  /** True to restart servers that end by themselves, on their data. Default false. */
  restart?: boolean;
  /** False makes writes of PostgreSQL faster, for tests: data survive a killed server, not a crash of the machine. Default true. */
  fsync?: boolean;
  /** Called after a restart with a new process. */
  onRestarted?: () => void;
}

export interface BackingServices {
  readonly variables: BackingVariables;
  readonly missing: readonly MissingService[];
  /**
   * The servers that this call has started, for tests that end one of them, by name: that of the service, in a cluster `nats-0` and so on.
   */
  readonly servers: ReadonlyMap<string, RunningServer>;
  /** Folder with their data; `undefined` when none was started. */
  readonly folder: string | undefined;
  /** Stops started servers, newest first, and removes their data. Servers named by the environment are not touched. May be called again. */
  stop(): Promise<void>;
}

/**
 * Provides Postgres, NATS and an S3 store for development and tests. Each is taken from the environment when its variables are set, else
 * started here on a private port of 127.0.0.1 with data of its own. What can be neither taken nor started is listed in `missing`, with the
 * reason.
 * @throws the signal's reason when it is aborted.
 */
export async function startBackingServices(options: StartOptions): Promise<BackingServices> {
  const { need = BACKING_SERVICES, onProgress = () => undefined, environment, signal } = options;
  const variables: BackingVariables = {};
  const missing: MissingService[] = [];
  const servers = new Map<string, RunningServer>();

  const toStart: BackingService[] = [];
  for (const name of new Set(need)) {
    const unset = VARIABLES[name].filter((variable) => !environment[variable]);
    if (unset.length === 0) {
      for (const variable of VARIABLES[name]) variables[variable] = environment[variable] as string;
    } else if (unset.length < VARIABLES[name].length) {
      missing.push({ name, why: `${VARIABLES[name][0]} and the like are set only in part: ${unset.join(', ')} is not.` });
    } else {
      toStart.push(name);
    }
  }
  if (toStart.length === 0) return { variables, missing, servers, folder: undefined, stop: () => Promise.resolve() };

  const folder = await openRunFolder(options.dataDir ?? defaultRunsFolder());
  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= end(folder, servers));
  const report = (_fields: object, line: string) => onProgress(line);
  const context: StarterContext = {
    onProgress,
    environment,
    fsync: options.fsync ?? true,
    log: { info: () => undefined, warn: report, error: report },
    restartDelaysMs: options.restart === true ? RESTART_DELAYS_MS : [],
    steadyMs: 0,
    onRestarted: options.onRestarted,
    ...(signal === undefined ? {} : { signal }),
  };
  await Promise.all(
    toStart.map(async (name) => {
      try {
        const started = await STARTERS[name](folder, context);
        for (const [server, running] of started.servers) servers.set(server, running);
        Object.assign(variables, started.variables);
      } catch (error) {
        missing.push({ name, why: (error as Error).message });
      }
    }),
  );
  if (signal?.aborted === true) {
    await stop();
    throw signal.reason;
  }
  return { variables, missing, servers, folder: folder.path, stop };
}

/** A database whose process was killed cannot start before the last of its children has noticed. */
const RESTART_DELAYS_MS = Array.from({ length: 20 }, () => 500);
const MAX_CONNECTIONS = 200;

interface StarterContext extends FolderServerOptions {
  onProgress: OnProgress;
  environment: Environment;
  fsync: boolean;
  signal?: AbortSignal;
}

const STARTERS: Record<
  BackingService,
  (folder: RunFolder, context: StarterContext) => Promise<{ servers: ReadonlyMap<string, RunningServer>; variables: BackingVariables }>
> = {
  async postgres(folder, context) {
    const server = await startEmbeddedPostgres({
      ...context,
      dataDir: folder.path,
      maxConnections: MAX_CONNECTIONS,
      onSpawned: (pid) => folder.record('postgres', pid),
    });
    const { superuser } = await readCredentials(join(folder.path, 'postgres'));
    const url = connectionUrl(superuser, server.port, 'postgres');
    return { servers: new Map([['postgres', server]]), variables: { DATABASE_URL: url } };
  },
  async nats(folder, context) {
    const program = await findProgram(NATS_SERVER, context);
    const count = context.environment['SINEBAR_NATS_SERVERS'] || '1';
    if (count !== '1' && count !== '3') throw new Error(`SINEBAR_NATS_SERVERS must be 1 or 3, not "${count}".`);
    const start = count === '1' ? startNats : startNatsCluster;
    const { servers, url } = await start(folder, program, context);
    return { servers, variables: { NATS_URL: url, NATS_SERVER_BIN: program } };
  },
  async s3(folder, context) {
    const { server, endpoint, accessKey, secretKey } = await startMinio(folder, await findProgram(MINIO, context), context);
    return { servers: new Map([['s3', server]]), variables: { S3_ENDPOINT: endpoint, S3_ACCESS_KEY: accessKey, S3_SECRET_KEY: secretKey } };
  },
};

async function end(folder: RunFolder, servers: ReadonlyMap<string, RunningServer>): Promise<void> {
  for (const server of [...servers.values()].reverse()) await server.stop();
  folder.remove();
}
