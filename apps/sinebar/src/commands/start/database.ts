import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Closing } from '@sinebar/concurrency';
import { commandText } from '@sinebar/contracts';
import { keepForThisProcess } from '@sinebar/database';
import { findBinaryPackage, lockDataFolder, prepareDataFolder, startEmbeddedPostgres, StartRefusedError } from '@sinebar/local-servers';
import { databaseUrl, type databaseSettings, type HealthCheck, type Logger, type SettingsOf } from '@sinebar/runtime';
import type { StandaloneSettings } from '../../settings.ts';

/** The server of `DATABASE_URL` is used where there is one, otherwise an embedded one. */
export type OneProcessSettings = StandaloneSettings & Partial<SettingsOf<typeof databaseSettings>>;

export interface OpeningDatabase {
  settings: OneProcessSettings;
  dataDir: string;
  log: Logger;
  invokingUid: number | undefined;
  /** Called when the database cannot be restarted any more, or another process has taken it. */
  onGaveUp: (error: Error) => void;
  closing: Closing;
  signal: AbortSignal;
}

export interface OpenedDatabase {
  url: string;
  /** Whether this process brings the schemas up to date. */
  migrateAtStart: boolean;
  health: () => HealthCheck[];
  /** Text for the user. */
  text: string;
}

/** Time limit of the stop, longer than PostgreSQL's own escalation. */
export const POSTGRES_STOP_MS = 35_000;

/** Starts the database of a data folder. @throws StartRefusedError */
export async function openEmbeddedDatabase(opening: OpeningDatabase): Promise<OpenedDatabase> {
  const { settings, dataDir, log, invokingUid, onGaveUp, closing, signal } = opening;
  // An image has no PostgreSQL of its own, and says so before it looks for a data folder.
  const binaryPackage = await findBinaryPackage();
  const maxConnections = connectionsFor(settings);
  const postgres = await startEmbeddedPostgres({ dataDir, log, signal, invokingUid, onGaveUp, maxConnections, binaryPackage });
  closing.add('embedded PostgreSQL', () => postgres.stop(), POSTGRES_STOP_MS);
  return {
    url: postgres.url,
    migrateAtStart: true,
    health: () => {
      const { state, detail } = postgres.state();
      return [{ name: 'embedded PostgreSQL', healthy: state === 'running', detail }];
    },
    text: `PostgreSQL ${postgres.version} on 127.0.0.1:${postgres.port}, log: postgres.log`,
  };
}

/**
 * Takes a database of another server for this process alone.
 * @throws StartRefusedError when the data folder belongs to an embedded database; DatabaseInUseError
 */
export async function openGivenDatabase(
  { settings, dataDir, log, onGaveUp, closing, signal }: OpeningDatabase,
  address: string,
): Promise<OpenedDatabase> {
  await prepareDataFolder(dataDir);
  const hasEmbedded = await stat(join(dataDir, 'postgres')).catch(() => undefined);
  if (hasEmbedded) {
    throw new StartRefusedError(
      `The data folder ${dataDir} holds a database of its own, which ${commandText('start')} uses. Its files belong to that one: name ` +
        'another folder with SINEBAR_DATA_DIR.',
    );
  }
  const lock = await lockDataFolder(dataDir);
  closing.add('data folder', () => lock.release());
  const url = databaseUrl({ DATABASE_URL: address, DATABASE_PASSWORD: settings.DATABASE_PASSWORD });
  const startTimeoutMs = (settings.SINEBAR_START_TIMEOUT_S ?? 0) * 1000;
  const release = await keepForThisProcess(url, { startTimeoutMs, log, signal, onLost: onGaveUp });
  closing.add('database', release);
  const { hostname, port, pathname } = new URL(address);
  const text = `files; the database is ${pathname.slice(1)} on ${hostname}${port && `:${port}`}`;
  return { url, migrateAtStart: settings.SINEBAR_MIGRATE ?? true, health: () => [], text };
}

/** Sums the database connections: pools of the services, event log, outboxes, cancelling, and a psql session. */
function connectionsFor(settings: StandaloneSettings): number {
  const pools = [
    settings.SINEBAR_INSPECTION_POOL,
    settings.SINEBAR_INSPECTION_STREAM_POOL,
    settings.SINEBAR_RAW_DATA_POOL,
    settings.SINEBAR_RAW_DATA_STREAM_POOL,
  ];
  return pools.reduce((sum, size) => sum + size, 30);
}
