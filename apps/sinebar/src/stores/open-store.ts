import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { streamOfPlant } from '@sinebar/contracts';
import { blobStoreOf, FileBlobStore, fileStoreSettings } from '@sinebar/raw-data';
import {
  busSettings,
  createLogger,
  databaseSettings,
  databaseUrl,
  defineSettings,
  loadSettings,
  plantSettings,
  settingType,
} from '@sinebar/runtime';
import { runningServerUrl, startEmbeddedPostgres } from '@sinebar/local-servers';
import { standaloneSettings } from '../settings.ts';
import { CommandError, type CommandContext } from '../command-line/command.ts';
import type { Store } from './store.ts';

const embeddedSettings = defineSettings({ ...plantSettings, SINEBAR_DATA_DIR: standaloneSettings.SINEBAR_DATA_DIR });
const distributedSettings = defineSettings({
  ...plantSettings,
  DATABASE_URL: databaseSettings.DATABASE_URL,
  DATABASE_PASSWORD: databaseSettings.DATABASE_PASSWORD,
  // There is no default: a broker on this machine may not be that of the services.
  NATS_URL: { ...busSettings.NATS_URL, schema: settingType.url(['nats', 'tls']).optional() },
  NATS_USER: busSettings.NATS_USER,
  NATS_PASSWORD: busSettings.NATS_PASSWORD,
  ...fileStoreSettings,
});

/** Settings from which {@link openStore} picks the installation; which are required depends on the form. */
export const storeSettings = defineSettings({
  ...embeddedSettings,
  ...distributedSettings,
  DATABASE_URL: { ...databaseSettings.DATABASE_URL, schema: settingType.optionalText() },
});

type Context = Pick<CommandContext, 'env' | 'signal'>;

/**
 * Opens the installation that the environment names.
 * It is the distributed one if `DATABASE_URL` is set, otherwise the data folder, whether the product runs on it or not.
 */
export async function openStore(context: Context): Promise<Store> {
  return isDistributed(context) ? openDistributed(context) : openEmbedded(context);
}

/** Opens an empty installation: the data folder must be missing or empty and gets its database. */
export async function openEmptyStore(context: Context): Promise<Store> {
  if (isDistributed(context)) return openDistributed(context);
  const dataDir = dataDirOf(context);
  return startOn(dataDir, context);
}

export function isDistributed({ env }: Pick<Context, 'env'>): boolean {
  return Boolean(env['DATABASE_URL'] || env['DATABASE_URL_FILE']);
}

export function dataDirOf({ env }: Pick<Context, 'env'>): string {
  return resolve(loadSettings(embeddedSettings, env).values.SINEBAR_DATA_DIR);
}

async function openEmbedded(context: Context): Promise<Store> {
  const dataDir = dataDirOf(context);
  const exists = await stat(join(dataDir, 'postgres', 'PG_VERSION')).then(
    () => true,
    () => false,
  );
  if (!exists) {
    throw new CommandError(
      `There is no Sinebar data in ${dataDir}. Name its folder with SINEBAR_DATA_DIR=<folder>, or for a distributed ` +
        'setup DATABASE_URL, NATS_URL and S3_….',
    );
  }
  const url = await runningServerUrl(dataDir);
  if (url === undefined) return startOn(dataDir, context);
  return embedded(context, url, false, () => Promise.resolve());
}

/** Starts the database under the lock of the data folder, so that no product starts on it meanwhile. */
async function startOn(dataDir: string, context: Context): Promise<Store> {
  const { env, signal } = context;
  const log = createLogger({ service: 'maintenance', level: 'error', destination: process.stderr });
  const postgres = await startEmbeddedPostgres({ dataDir, log, signal, invokingUid: Number(env['SUDO_UID']) || undefined });
  return embedded(context, postgres.url, true, () => postgres.stop());
}

function embedded(context: Context, databaseUrl: string, isStopped: boolean, close: () => Promise<void>): Store {
  const dataDir = dataDirOf(context);
  const plant = loadSettings(embeddedSettings, context.env).values.SINEBAR_PLANT;
  return {
    kind: 'embedded',
    name: `the data folder ${dataDir}`,
    databaseUrl,
    plant,
    blobs: new FileBlobStore(join(dataDir, 'files')),
    dataDir,
    stream: undefined,
    isStopped,
    close,
  };
}

async function openDistributed({ env }: Context): Promise<Store> {
  const { values } = loadSettings(distributedSettings, env);
  const plant = values.SINEBAR_PLANT;
  const files = await blobStoreOf(values);
  const { hostname, pathname } = new URL(values.DATABASE_URL);
  const fileStore = values.SINEBAR_FILE_DIR ?? `${values.S3_ENDPOINT}/${values.S3_BUCKET}`;
  return {
    kind: 'distributed',
    name: `${plant === '' ? '' : `the plant ${plant} in `}the database ${pathname.slice(1)} on ${hostname} with the files in ${fileStore}`,
    databaseUrl: databaseUrl(values),
    plant,
    blobs: files.blobs,
    dataDir: undefined,
    stream:
      values.NATS_URL === undefined
        ? undefined
        : {
            name: streamOfPlant(plant).streamName,
            servers: values.NATS_URL,
            credentials: { user: values.NATS_USER, password: values.NATS_PASSWORD },
          },
    isStopped: false,
    close: () => {
      files.close();
      return Promise.resolve();
    },
  };
}
