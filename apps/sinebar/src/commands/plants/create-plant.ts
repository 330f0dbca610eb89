import { randomUUID } from 'node:crypto';
import { errorCode } from '@sinebar/concurrency';
import { filePrefixOfPlant, streamOfPlant } from '@sinebar/contracts';
import { installationStatement, migrate, readInstallation } from '@sinebar/database';
import { inspectionMigrations } from '@sinebar/inspection';
import { claimNatsStream, connectNatsBus, inspectNatsStream } from '@sinebar/message-bus';
import { FileBlobStore, rawDataMigrations } from '@sinebar/raw-data';
import { busOptions, busSettings, loadSettings } from '@sinebar/runtime';
import type pg from 'pg';
import { withConnection } from '../backup/connection.ts';
import { CommandError, type CommandContext } from '../../command-line/command.ts';
import type { Store } from '../../stores/store.ts';
import { existingSchemas, hasCitus, schemasOf } from './plant-store.ts';

export interface CreateOptions {
  /** Roles of the services that become the owners of their schemas; without them the tables are created too. */
  inspectionRole: string | undefined;
  rawDataRole: string | undefined;
}

const ADVICE = 'Choose another name, or remove it with the installation that it belongs to.';

/** PostgreSQL's code for a missing right. */
const NO_RIGHT = '42501';

/**
 * Creates schemas and tables, the event stream and the place for files of a plant; of a plant that exists what is missing.
 * @returns what was done, in sentences. @throws CommandError when broker or file store hold a plant of this name of another installation
 */
export async function createPlant(store: Store, options: CreateOptions, context: CommandContext): Promise<string[]> {
  const { signal } = context;
  const schemas = schemasOf(store);
  await prepareFiles(store);
  const isNew = await withConnection(store.databaseUrl, signal, async (client) => (await existingSchemas(client, store)).length === 0);
  if (isNew) await refuseForeign(store);
  const owners = { [schemas.inspection]: options.inspectionRole, [schemas.rawData]: options.rawDataRole };
  await withConnection(store.databaseUrl, signal, (client) => createSchemas(client, owners));
  const done = [`${isNew ? 'Created' : 'Checked'} the schemas ${Object.keys(owners).join(' and ')}.`];
  if (options.inspectionRole === undefined && options.rawDataRole === undefined) {
    const migrated = { applicationName: 'sinebar maintenance', signal };
    await migrate(store.databaseUrl, schemas.inspection, inspectionMigrations, migrated);
    await migrate(store.databaseUrl, schemas.rawData, rawDataMigrations, migrated);
    done.push('Their tables are those of this release.');
  } else done.push('The services create their tables at their first start.');
  done.push(await createStream(store, context));
  done.push(`Files go below ${filePrefixOfPlant(store.plant)} in their bucket or folder.`);
  return done;
}

async function prepareFiles({ blobs }: Store): Promise<void> {
  if (blobs instanceof FileBlobStore) await blobs.prepare(new Date(), true);
  else await blobs.prepare();
}

/** Two installations with a plant of the same name in one broker or bucket would mix their events and remove each other's files. */
async function refuseForeign({ plant, stream, blobs }: Store): Promise<void> {
  if (stream !== undefined && (await inspectNatsStream(stream)) !== undefined) {
    throw new CommandError(`The message broker has the event stream of another plant "${plant}", which is not in this database. ${ADVICE}`);
  }
  for await (const { name } of blobs.list()) {
    throw new CommandError(`The store for files holds files of another plant "${plant}" (object ${name}). ${ADVICE}`);
  }
}

async function createSchemas(client: pg.Client, owners: Readonly<Record<string, string | undefined>>): Promise<void> {
  await shareTrigrams(client);
  // Schemas are distributed when their tables exist (docs/scaling.md).
  if (await hasCitus(client)) await client.query('SET citus.enable_schema_based_sharding = off');
  await client.query('BEGIN');
  const installation = randomUUID();
  for (const [schema, owner] of Object.entries(owners)) {
    const authorization = owner === undefined ? '' : ` AUTHORIZATION ${client.escapeIdentifier(owner)}`;
    await client.query(`CREATE SCHEMA IF NOT EXISTS "${schema}"${authorization}`);
    if ((await readInstallation(queryOf(client), schema)) === undefined) await client.query(installationStatement(schema, installation));
  }
  await client.query('COMMIT');
}

/** Runs a statement of @sinebar/database. */
const queryOf = (client: pg.Client) => async (text: string, values: unknown[]) =>
  (await client.query<{ comment: string | null }>(text, values)).rows;

/** Creates the extension that all plants use outside of the plants; without the right to do so a migration creates it in one of them. */
async function shareTrigrams(client: pg.Client): Promise<void> {
  try {
    await client.query('CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public');
  } catch (error) {
    if (errorCode(error) !== NO_RIGHT) throw error;
  }
}

/** Lets no service of another installation with a plant of this name use the stream. */
async function claimStream(store: Store, { signal }: CommandContext): Promise<void> {
  const { databaseUrl, plant, stream } = store;
  const schema = schemasOf(store).inspection;
  const installation = await withConnection(databaseUrl, signal, (client) => readInstallation(queryOf(client), schema));
  if (stream === undefined || installation === undefined) return;
  if ((await claimNatsStream(stream, installation)) === installation) return;
  throw new CommandError(`The event stream of the message broker belongs to a plant "${plant}" of another installation. ${ADVICE}`);
}

async function createStream(store: Store, context: CommandContext): Promise<string> {
  const { stream, plant } = store;
  const { streamName } = streamOfPlant(plant);
  if (stream === undefined) return `NATS_URL is not set: the services create the event stream ${streamName}.`;
  const { values } = loadSettings(busSettings, { ...context.env, SINEBAR_PLANT: plant });
  const bus = await connectNatsBus({ ...busOptions(values), name: 'sinebar maintenance' });
  try {
    const { connected, description } = bus.status();
    if (!connected) throw new CommandError(description);
    await claimStream(store, context);
    return `The event stream is ${streamName}.`;
  } finally {
    await bus.close();
  }
}
