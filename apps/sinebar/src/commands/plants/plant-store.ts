import { commandText, plantName, problemOfPlantName, schemaOfPlant } from '@sinebar/contracts';
import { INSPECTION_SCHEMA } from '@sinebar/inspection';
import { RAW_DATA_SCHEMA } from '@sinebar/raw-data';
import type pg from 'pg';
import { CommandError, UsageError, type CommandContext } from '../../command-line/command.ts';
import { isDistributed, openStore } from '../../stores/open-store.ts';
import type { Store } from '../../stores/store.ts';

/** Help text about the servers that the plants share. */
export const SERVERS_HELP = `
Servers that the plants share:
  DATABASE_URL   the database, as a user who may create schemas
  NATS_URL       the message broker
  S3_…           the bucket for files; SINEBAR_FILE_DIR if files are in a folder`.slice(1);

/** Opens the servers with the names of one plant. @throws UsageError for a name that no plant can have */
export async function openPlant(given: string, context: CommandContext): Promise<Store> {
  const problem = problemOfPlantName(given);
  if (problem !== undefined) throw new UsageError(`The name "${given}" of a plant ${problem}.`);
  return await openServers({ ...context, env: { ...context.env, SINEBAR_PLANT: plantName(given) } });
}

/** Opens the servers that the plants share. @throws CommandError when the environment names a data folder */
export async function openServers(context: CommandContext): Promise<Store> {
  if (!isDistributed(context)) {
    throw new CommandError(
      'Plants share servers: name these with DATABASE_URL, NATS_URL and S3_…. ' +
        'The data folder of the standalone product holds one plant (SINEBAR_DATA_DIR).',
    );
  }
  return await openStore(context);
}

export interface PlantSchemas {
  inspection: string;
  rawData: string;
}

export function schemasOf({ plant }: Pick<Store, 'plant'>): PlantSchemas {
  return { inspection: schemaOfPlant(INSPECTION_SCHEMA, plant), rawData: schemaOfPlant(RAW_DATA_SCHEMA, plant) };
}

/** Reads the names of all plants in the database, in order; that of the only plant is empty. */
export async function readPlants(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT DISTINCT replace(substr(nspname, length(base) + 2), '_', '-') AS name FROM pg_namespace, unnest($1::text[]) AS base
     WHERE nspname = base OR starts_with(nspname, base || '_') ORDER BY name`,
    [[INSPECTION_SCHEMA, RAW_DATA_SCHEMA]],
  );
  return rows.map(({ name }) => name);
}

/** Returns those of the plant's schemas that exist. */
export async function existingSchemas(client: pg.Client, store: Pick<Store, 'plant'>): Promise<string[]> {
  const { rows } = await client.query<{ schema: string }>('SELECT nspname AS schema FROM pg_namespace WHERE nspname = ANY($1) ORDER BY 1', [
    Object.values(schemasOf(store)),
  ]);
  return rows.map(({ schema }) => schema);
}

/** @throws CommandError with the names of the plants that exist */
export async function requirePlant(client: pg.Client, store: Pick<Store, 'plant'>): Promise<string[]> {
  const schemas = await existingSchemas(client, store);
  if (schemas.length > 0) return schemas;
  const named = (await readPlants(client)).filter((name) => name !== '');
  const others = named.length === 0 ? 'It has no plants with names' : `It has: ${named.join(', ')}`;
  throw new CommandError(
    `There is no plant "${store.plant}" in this database. ${others}. ${commandText(`plants create ${store.plant}`)} makes it.`,
  );
}

/** Returns the bytes of all tables and indexes of some schemas, on all nodes of a cluster. */
export async function readSizeBytes(client: pg.Client, schemas: readonly string[]): Promise<number> {
  const size = (await hasCitus(client))
    ? `CASE WHEN EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = pg_class.oid)
         THEN citus_total_relation_size(pg_class.oid::regclass)
         ELSE pg_total_relation_size(pg_class.oid) END`
    : 'pg_total_relation_size(pg_class.oid)';
  const { rows } = await client.query<{ bytes: string | null }>(
    `SELECT sum(${size})::text AS bytes FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
     WHERE nspname = ANY($1) AND relkind IN ('r', 'p', 'm')`,
    [schemas],
  );
  return Number(rows[0]?.bytes ?? 0);
}

export async function hasCitus(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(`SELECT FROM pg_extension WHERE extname = 'citus'`);
  return rows.length > 0;
}
