import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { timed } from '../figures.ts';

/**
 * Inserts one measurement per transaction with a prepared statement on several connections, the minimum for a client of PostgreSQL.
 * @returns milliseconds of each
 */
export async function preparedInserts(databaseUrl: string, connections: number, rowsEach: number): Promise<number[]> {
  const clients = await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new pg.Client({ connectionString: databaseUrl });
      await client.connect();
      return client;
    }),
  );
  const [first] = clients;
  await first?.query(
    'DROP TABLE IF EXISTS bench.measurement; CREATE SCHEMA IF NOT EXISTS bench; CREATE TABLE bench.measurement (LIKE inspection.measurement INCLUDING ALL)',
  );
  const columns = 'uuid, part_id, measured_at, last_modified, created, aggregation, attributes, characteristic_set_id, "values"';
  const { rows } = (await first?.query(`SELECT ${columns} FROM inspection.measurement WHERE cardinality("values") > 0 LIMIT 1`)) ?? {
    rows: [],
  };
  const row = Object.values((rows as Record<string, unknown>[])[0] ?? {});
  const text = `INSERT INTO bench.measurement (${columns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;
  const eachMs: number[] = [];
  try {
    await Promise.all(
      clients.map(async (client) => {
        for (let i = 0; i < rowsEach; i += 1)
          eachMs.push(await timed(() => client.query({ name: 'insert', text, values: [randomUUID(), ...row.slice(1)] })));
      }),
    );
    await first?.query('DROP TABLE bench.measurement');
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
  return eachMs;
}
