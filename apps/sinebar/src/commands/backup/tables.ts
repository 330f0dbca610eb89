import { schemaOfPlant } from '@sinebar/contracts';
import type pg from 'pg';

export interface TableShape {
  /** Schema as backups name it: that of the only plant. */
  schema: string;
  name: string;
  /** Stored columns, without generated ones. */
  columns: string[];
}

/** Tables that migrations and the relay write; a restored server has its own. */
const OWN_TABLES = ['schema_version', 'schema_migration', 'outbox'];
/**
 * Secrets of webhooks, what waits to be told, and what schedules made and sent:
 * a server that is restored elsewhere must not send messages in the name of the first.
 */
const UNSENT_TABLES = [
  'alarm_subscription_secret',
  'alarm_notice',
  'alarm_due',
  'alarm_delivery',
  'report_schedule_secret',
  'report_run',
  'report_sending',
];
const LEFT_OUT = [...OWN_TABLES, ...UNSENT_TABLES];

/** Reads the tables of a plant in the schemas, each after those that it refers to. */
export async function readTables(client: pg.ClientBase, plant: string, schemas: readonly string[]): Promise<TableShape[]> {
  const { rows } = await client.query<TableShape & { oid: string; references: string[] }>(
    `SELECT relation.oid::text AS oid, named.schema, relname AS name,
       (SELECT json_agg(attname ORDER BY attnum) FROM pg_attribute
        WHERE attrelid = relation.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '') AS columns,
       (SELECT coalesce(json_agg(confrelid::text), '[]') FROM pg_constraint WHERE contype = 'f' AND conrelid = relation.oid) AS references
     FROM pg_class AS relation JOIN pg_namespace ON pg_namespace.oid = relnamespace
     JOIN unnest($1::text[], $2::text[]) AS named(schema, stored) ON named.stored = nspname
     WHERE relkind = 'r' AND NOT relname = ANY($3) ORDER BY named.schema, relname`,
    [schemas, schemas.map((schema) => schemaOfPlant(schema, plant)), LEFT_OUT],
  );
  const ordered: typeof rows = [];
  let waiting = rows;
  while (waiting.length > 0) {
    const open = new Set(waiting.map(({ oid }) => oid));
    const ready = waiting.filter(({ oid, references }) => references.every((other) => other === oid || !open.has(other)));
    if (ready.length === 0) throw new Error(`tables refer to each other in a circle: ${waiting.map(({ name }) => name).join(', ')}`);
    ordered.push(...ready);
    waiting = waiting.filter((table) => !ready.includes(table));
  }
  return ordered.map(({ schema, name, columns }) => ({ schema, name, columns }));
}

/** Returns the stored name of a table or sequence of a plant, quoted. */
export function storedName({ schema, name }: Pick<TableShape, 'schema' | 'name'>, plant: string): string {
  return `"${schemaOfPlant(schema, plant)}"."${name}"`;
}

export function copyList(table: TableShape, plant: string): string {
  return `${storedName(table, plant)} (${table.columns.map((column) => `"${column}"`).join(', ')})`;
}
