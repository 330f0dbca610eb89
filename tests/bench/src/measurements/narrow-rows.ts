import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from '../figures.ts';
import { psqlTimesMs } from '../psql.ts';

const MEASUREMENTS = 20_000;
const VALUES = 200;
const ROUNDS = 5;

/** Returns the milliseconds in which psql copies one value into a table with one row per value: the unit of the writing goals. */
export async function narrowRowMs(databaseUrl: string): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'sinebar-bench-'));
  const file = join(folder, 'narrow.txt');
  try {
    await writeRows(file);
    const times: number[] = [];
    await psqlTimesMs(
      databaseUrl,
      'CREATE SCHEMA IF NOT EXISTS bench; DROP TABLE IF EXISTS bench.narrow; CREATE TABLE bench.narrow (measurement int, characteristic int, value float8, PRIMARY KEY (measurement, characteristic));',
    );
    for (let round = 0; round < ROUNDS; round += 1) {
      const statements = await psqlTimesMs(databaseUrl, `TRUNCATE bench.narrow;\nCHECKPOINT;\n\\copy bench.narrow FROM '${file}'`);
      times.push(statements.at(-1) ?? NaN);
    }
    await psqlTimesMs(databaseUrl, 'DROP TABLE bench.narrow;');
    return median(times) / (MEASUREMENTS * VALUES);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function writeRows(file: string): Promise<void> {
  const stream = createWriteStream(file);
  for (let measurement = 0; measurement < MEASUREMENTS; measurement += 1) {
    let rows = '';
    for (let i = 0; i < VALUES; i += 1) rows += `${measurement}\t${i}\t${Math.round((10 + i + Math.random()) * 1e6) / 1e6}\n`;
    if (!stream.write(rows)) await once(stream, 'drain');
  }
  stream.end();
  await once(stream, 'finish');
}
