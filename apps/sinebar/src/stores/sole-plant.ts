import { schemaOfPlant } from '@sinebar/contracts';
import { UnsuitableDatabaseError } from '@sinebar/database';
import { INSPECTION_SCHEMA } from '@sinebar/inspection';
import pg from 'pg';

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * A process with its own files and events holds one plant. Without this check a misspelt name would be an empty plant.
 * @throws UnsuitableDatabaseError when its database holds another plant
 */
export async function refuseOtherPlant(url: string, plant: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ schema: string }>(
      `SELECT nspname AS schema FROM pg_namespace WHERE (nspname = $1 OR starts_with(nspname, $1 || '_')) AND nspname <> $2`,
      [INSPECTION_SCHEMA, schemaOfPlant(INSPECTION_SCHEMA, plant)],
    );
    const other = rows[0]?.schema;
    if (other === undefined) return;
    const held = other === INSPECTION_SCHEMA ? 'data without the name of a plant' : `another plant (schema ${other})`;
    throw new UnsuitableDatabaseError(
      `The database of this process holds ${held}, and may hold one plant only: correct SINEBAR_PLANT, or name another folder with ` +
        'SINEBAR_DATA_DIR (with --database another DATABASE_URL).',
    );
  } finally {
    await client.end();
  }
}
