import pg from 'pg';
import { median, ratio, timed } from '../figures.ts';
import { memoryGrowthMiB } from '../process-memory.ts';
import { startEmptyExpress, type Product } from '../product.ts';
import { psqlTimesMs } from '../psql.ts';
import { startRestrictedInspection } from '../restricted-inspection.ts';
import type { MeasuredPart } from './measured-part.ts';
import { createMeasurements } from './post-load.ts';
import { firstOf, readAll, reads, READ_ROUNDS, totalOf } from './read-load.ts';

const SINGLE_READS = 2000;
const SPREAD_MEASUREMENTS = 100_000;
const OF_ONE_PART = 10_000;
const SMALL_MEASUREMENTS = 900_000;

type Row = [what: string, measured: string, goal: string];

/** Reading values against psql reading the same rows. */
export async function measureReads({ url, servicePid }: Product, database: string, parts: readonly MeasuredPart[]): Promise<Row[]> {
  const [part, ...others] = parts as [MeasuredPart, ...MeasuredPart[]];
  await psqlTimesMs(database, 'TRUNCATE inspection.measurement;');
  await createMeasurements(url, others, SPREAD_MEASUREMENTS);
  await createMeasurements(url, [part], OF_ONE_PART);
  await psqlTimesMs(database, 'VACUUM ANALYZE inspection.measurement;\nCHECKPOINT;');
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  try {
    const bytesPerValue = await diskBytesPerValue(client);
    const rows = [
      ...(await thousandMeasurements(url, database, part)),
      ...(await memory(url, servicePid('inspection'), part)),
      await oneCharacteristic(url, database, part),
      ['disk, table and indexes', `${bytesPerValue.toFixed(1)} bytes per value`, 'at most 14'] satisfies Row,
      await restricted(database, part),
    ];
    await addSmallMeasurements(database, part);
    rows.push(await oneOfAMillion(url, client));
    return rows;
  } finally {
    await client.end();
  }
}

async function thousandMeasurements(url: string, database: string, part: MeasuredPart): Promise<Row[]> {
  const query = `partUuids={${part.uuid}}&limitResult=1000`;
  const newest = `FROM inspection.measurement m WHERE part_id = (SELECT id FROM inspection.plan_item WHERE uuid = '${part.uuid}') ORDER BY measured_at DESC NULLS LAST, id DESC LIMIT 1000`;
  const json = `SELECT m.uuid, (SELECT json_object_agg(item.uuid, json_build_object('1', v.value::text)) FROM unnest(m.vals) WITH ORDINALITY AS v(value, place)
      JOIN unnest(s.characteristic_ids) WITH ORDINALITY AS c(id, place) USING (place) JOIN inspection.plan_item item ON item.id = c.id)
    FROM (SELECT m.uuid, m."values" AS vals, m.characteristic_set_id ${newest}) m JOIN inspection.characteristic_set s ON s.id = m.characteristic_set_id;`;
  const [plain, statistics] = [await reads(url, `values?${query}`), await reads(url, `measurements?${query}&statistics=Detailed`)];
  const [jsonMs, copyMs] = [await psqlMs(database, json), await psqlMs(database, `COPY (SELECT uuid, "values" ${newest}) TO STDOUT;`)];
  const totalMs = totalOf(plain);
  return [
    ['200,000 values: time / psql with json_object_agg', ratio(totalMs, jsonMs), 'at most 0.5'],
    ['the same / psql raw text COPY', ratio(totalMs, copyMs), 'at most 3.5, then 2'],
    ['first byte / total', ratio(firstOf(plain), totalMs), 'at most 0.1'],
    ['statistics of 1,000 measurements / reading their values', ratio(totalOf(statistics), totalMs), 'below 2'],
  ];
}

async function memory(url: string, pid: number, part: MeasuredPart): Promise<Row[]> {
  const few = await memoryGrowthMiB(pid, () => readAll(url, `values?partUuids={${part.uuid}}&limitResult=1000`));
  const many = await memoryGrowthMiB(pid, () => readAll(url, 'values'));
  return [
    ['memory growth, 200,000 values', `${few.toFixed(0)} MiB`, 'below 60 MB'],
    ['memory growth, 22,000,000 values', `${many.toFixed(0)} MiB`, 'below 60 MB'],
  ];
}

async function oneCharacteristic(url: string, database: string, part: MeasuredPart): Promise<Row> {
  const read = await reads(url, `values?partUuids={${part.uuid}}&characteristicUuids={${part.characteristics[17] ?? ''}}`);
  const copyMs = await psqlMs(
    database,
    `COPY (SELECT uuid, part_id, attributes, last_modified, created, "values"[18] FROM inspection.measurement WHERE part_id = (SELECT id FROM inspection.plan_item WHERE uuid = '${part.uuid}') ORDER BY measured_at DESC NULLS LAST, id DESC) TO STDOUT;`,
  );
  return ['10,000 measurements of one characteristic / psql raw COPY', ratio(totalOf(read), copyMs), 'at most 2.5'];
}

/** Sends the same request for a caller with one of twenty subtrees. */
async function restricted(database: string, part: MeasuredPart): Promise<Row> {
  const inspection = await startRestrictedInspection(database);
  const query = `values?partUuids={${part.uuid}}&limitResult=1000`;
  try {
    const all = totalOf(await reads(inspection.url, query));
    inspection.restrictTo('pline 0/');
    return [
      '200,000 values for a caller who may see one of 20 subtrees / everything',
      ratio(totalOf(await reads(inspection.url, query)), all),
      '',
    ];
  } finally {
    await inspection.stop();
  }
}

async function oneOfAMillion(url: string, client: pg.Client): Promise<Row> {
  const { rows } = await client.query<{ uuid: string }>('SELECT uuid FROM inspection.measurement TABLESAMPLE BERNOULLI (1) LIMIT $1', [
    SINGLE_READS,
  ]);
  const express = await startEmptyExpress();
  const text = `SELECT m.uuid, p.uuid AS part, m.attributes, m.last_modified, m.created, m.characteristic_set_id, m."values" FROM inspection.measurement m JOIN inspection.plan_item p ON p.id = m.part_id WHERE m.uuid = $1`;
  try {
    const [queryMs, emptyMs, readMs]: [number[], number[], number[]] = [[], [], []];
    for (const { uuid } of rows) {
      queryMs.push(await timed(() => client.query({ name: 'one', text, values: [uuid] })));
      emptyMs.push(await timed(() => readAll(express.url, 'nothing')));
      readMs.push(await timed(() => readAll(url, `values/${uuid}`)));
    }
    return [
      'one measurement by uuid among 1,000,000, p50 / (prepared query + empty Express route)',
      ratio(median(readMs), median(queryMs) + median(emptyMs)),
      'at most 2.5',
    ];
  } finally {
    await express.stop();
  }
}

async function addSmallMeasurements(database: string, part: MeasuredPart): Promise<void> {
  await psqlTimesMs(
    database,
    `INSERT INTO inspection.measurement (uuid, part_id, measured_at, last_modified, created, aggregation, attributes, characteristic_set_id, "values")
     SELECT gen_random_uuid(), part_id, measured_at + n * interval '1 second', last_modified, created, aggregation, attributes, characteristic_set_id, "values"[1:2]
     FROM (SELECT * FROM inspection.measurement WHERE part_id = (SELECT id FROM inspection.plan_item WHERE uuid = '${part.uuid}') LIMIT 1) m CROSS JOIN generate_series(1, ${SMALL_MEASUREMENTS}) n;
     VACUUM ANALYZE inspection.measurement;`,
  );
}

async function diskBytesPerValue(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ bytes: number }>(
    `SELECT (pg_total_relation_size('inspection.measurement') + pg_total_relation_size('inspection.characteristic_set'))::float8
       / (SELECT sum(cardinality("values")) FROM inspection.measurement) AS bytes`,
  );
  return rows[0]?.bytes ?? NaN;
}

async function psqlMs(database: string, statement: string): Promise<number> {
  return median(await psqlTimesMs(database, Array.from({ length: READ_ROUNDS + 1 }, () => statement).join('\n')));
}
