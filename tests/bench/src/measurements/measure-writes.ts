import { median, percentile } from '../figures.ts';
import { startWithoutDatabase, type Product } from '../product.ts';
import { psqlTimesMs } from '../psql.ts';
import type { MeasuredPart } from './measured-part.ts';
import { MeasurementBody } from './measurement-bodies.ts';
import { narrowRowMs } from './narrow-rows.ts';
import { postAll } from './post-load.ts';
import { preparedInserts } from './prepared-inserts.ts';

const ROUNDS = 3;
const CLIENTS = 8;
/** Requests of each client in a round: about 4,000,000 values, or 4,000 single measurements. */
const LOADS = {
  large: { clients: 1, measurements: 100, bodies: 200 },
  middle: { clients: CLIENTS, measurements: 10, bodies: 250 },
  single: { clients: CLIENTS, measurements: 1, bodies: 500 },
};

type Row = [what: string, measured: string, goal: string];

/** Measures writing values, in units of psql copying narrow rows. */
export async function measureWrites({ url }: Product, database: string, parts: readonly MeasuredPart[]): Promise<Row[]> {
  const clear = async () => void (await psqlTimesMs(database, 'TRUNCATE inspection.measurement;\nCHECKPOINT;'));
  const bare = await startWithoutDatabase();
  try {
    const large = await load(url, parts, LOADS.large, clear);
    const largeOfOnePart = await load(url, parts.slice(0, 1), LOADS.large, clear);
    const largeWithout = await load(bare.url, parts, LOADS.large);
    const middle = await load(url, parts, LOADS.middle, clear);
    const single = await load(url, parts, LOADS.single, clear);
    const inserts = await preparedInserts(database, CLIENTS, LOADS.single.bodies);
    const narrowMs = await narrowRowMs(database);
    const inNarrow = (valueMs: number) => `${(narrowMs / valueMs).toFixed(2)} N`;
    const times = (share: number) => (percentile(single.eachMs, share) / percentile(inserts, share)).toFixed(2);
    return [
      ['N, values per second', (1000 / narrowMs).toFixed(0), ''],
      ['one client, 100 measurements of 200 values in a body', inNarrow(large.valueMs), 'at least 1.2 N, then 1.8 N'],
      ['the same / server without a database', (largeWithout.valueMs / large.valueMs).toFixed(2), 'at least 0.35, then 0.5'],
      ['one client, all measurements of one part', inNarrow(largeOfOnePart.valueMs), ''],
      ['8 clients, 10 measurements in a body', inNarrow(middle.valueMs), 'at least 0.9 N, then 1.2 N'],
      ['8 clients, single measurements: p50 / p50 of 8 prepared INSERTs', times(0.5), 'at most 6'],
      ['the same, p99', times(0.99), 'at most 8'],
    ];
  } finally {
    await bare.stop();
  }
}

/**
 * Runs a load after a warm-up and optionally empties the table after each round. @returns medians in milliseconds, per value and per
 * request
 */
async function load(
  url: string,
  parts: readonly MeasuredPart[],
  { clients, measurements, bodies }: (typeof LOADS)['large'],
  clear: () => Promise<void> = () => Promise.resolve(),
): Promise<{ valueMs: number; eachMs: number[] }> {
  const values = (parts[0]?.characteristics.length ?? NaN) * measurements * bodies * clients;
  const loads = Array.from({ length: clients }, (_, i) => new MeasurementBody(parts, measurements, i * measurements));
  await postAll(url, loads, Math.ceil(bodies / 10));
  const valueMs: number[] = [];
  const eachMs: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await clear();
    const done = await postAll(url, loads, bodies);
    valueMs.push(done.totalMs / values);
    for (const ms of done.eachMs) eachMs.push(ms);
  }
  return { valueMs: median(valueMs), eachMs };
}
