import { median, ratio, table } from '../figures.ts';
import { readAnswer } from '../measurements/read-load.ts';
import { reachableDatabase, type Product } from '../product.ts';
import { psqlTimesMs } from '../psql.ts';
import { AnalysedValues, createAnalysedPart, defineLimits, valuesOf, type AnalysedPart } from './analysed-parts.ts';
import { measureParallelSeries } from './parallel-series.ts';

const ROUNDS = 7;
const WARM_UP = 3;
const PAIRED_ROUNDS = 15;

/** 100,000 characteristics below one part, as the goal for trees and strips says. */
const TREE = { parts: 200, characteristics: 500 };
const TREE_MEASUREMENTS = [10, 100] as const;
/** Values of one characteristic; the last ones are compared with psql. */
const SIZES = [10_000, 100_000, 1_000_000] as const;
const WIDE = { characteristics: 200, measurements: 5000 };
/** A selection of all measurements, which are read for it. */
const ALL_READ = 'from=1900-01-01T00:00:00Z';

type Row = [what: string, measured: string, goal: string];

/** Measures figures of characteristics and of parts, beside psql that copies the same values. */
export async function measureAnalysis(product: Product): Promise<string> {
  const values = new AnalysedValues(reachableDatabase(product));
  await values.open();
  try {
    await defineLimits(product.url);
    const rows = [
      ...(await measureTree(product, values)),
      ...(await measureOverview(product, values)),
      ...(await measureCharacteristic(product, values)),
    ];
    return table([`analysis, ${product.name}`, 'measured', 'goal'], rows);
  } finally {
    await values.close();
  }
}

/** Milliseconds until the last byte. */
async function readMs({ url }: Product, path: string): Promise<number> {
  const times: number[] = [];
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    const { totalMs } = await readAnswer(new URL(`/analysisServiceRest/${path}`, url));
    if (round >= 0) times.push(totalMs);
  }
  return median(times);
}

/**
 * Milliseconds until the last byte, and those in which psql copies the rows, in turns, because the speed of a machine changes.
 * Only the second of two copies counts: the first one in a session has to get to know the memory of the server.
 */
async function readBesideCopy(product: Product, path: string, query: string): Promise<{ readMs: number; copyMs: number }> {
  const times: { readMs: number; copyMs: number }[] = [];
  for (let round = -WARM_UP; round < PAIRED_ROUNDS; round += 1) {
    const { totalMs } = await readAnswer(new URL(`/analysisServiceRest/${path}`, product.url));
    const [, copied = NaN] = await psqlTimesMs(reachableDatabase(product), `${copyOf(query)}\n${copyOf(query)}`);
    if (round >= 0) times.push({ readMs: totalMs, copyMs: copied });
  }
  return { readMs: median(times.map((time) => time.readMs)), copyMs: median(times.map((time) => time.copyMs)) };
}

function copyOf(query: string): string {
  return `\\copy (${query}) TO '/dev/null' (FORMAT binary)`;
}

/** Milliseconds in which psql copies the rows in binary form. */
async function copyMs(product: Product, query: string): Promise<number> {
  const copies = Array<string>(ROUNDS + 1).fill(copyOf(query));
  return median((await psqlTimesMs(reachableDatabase(product), copies.join('\n'))).slice(1));
}

async function measureTree(product: Product, values: AnalysedValues): Promise<Row[]> {
  const part = await createAnalysedPart(product.url, 'tree', TREE);
  const addresses = { statuses: 'statuses', children: 'children', overview: 'overview?order=status' };
  const measured = new Map(Object.keys(addresses).map((what): [string, number[]] => [what, []]));
  let stored = 0;
  for (const count of TREE_MEASUREMENTS) {
    await values.add(part, stored, count - stored);
    stored = count;
    await values.areKept();
    for (const [what, address] of Object.entries(addresses)) {
      const ms = await readMs(product, `parts/${part.uuid}/${address}`);
      console.error(`${what}, ${count} measurements: ${ms.toFixed(0)} ms`);
      measured.get(what)?.push(ms);
    }
  }
  const characteristics = TREE.parts * TREE.characteristics;
  const [few, many] = TREE_MEASUREMENTS;
  const goal = (what: string) => (what === 'overview' ? '' : 'below 300 ms');
  return [...measured].flatMap(([what, [first = NaN, last = NaN]]): Row[] => [
    [`${what} of ${characteristics} characteristics with ${many} measurements`, `${last.toFixed(0)} ms`, goal(what)],
    [`the same / with ${few} measurements`, ratio(last, first), 'flat'],
  ]);
}

async function measureOverview(product: Product, values: AnalysedValues): Promise<Row[]> {
  const part = await createAnalysedPart(product.url, 'wide', WIDE);
  await values.add(part, 0, WIDE.measurements);
  await values.areKept();
  const copied = await copyMs(product, valuesOf(part, 'm."values"'));
  const address = `parts/${part.uuid}/overview?limit=${WIDE.characteristics}`;
  const what = `overview of ${WIDE.characteristics} characteristics with ${WIDE.measurements} measurements`;
  return [
    [
      `${what}, selected by time: time / psql COPY of the arrays`,
      ratio(await readMs(product, `${address}&${ALL_READ}`), copied),
      'at most 2.5',
    ],
    ['the same of all, from kept figures', ratio(await readMs(product, address), copied), ''],
  ];
}

async function measureCharacteristic(product: Product, values: AnalysedValues): Promise<Row[]> {
  const times = { summary: [] as number[], series: [] as number[] };
  let largest: AnalysedPart | undefined;
  for (const size of SIZES) {
    largest = await createAnalysedPart(product.url, `of${size}`, {});
    await values.add(largest, 0, size);
    await values.areKept();
    for (const what of ['summary', 'series'] as const) {
      times[what].push(await readMs(product, `characteristics/${largest.firstCharacteristic}/${what}`));
    }
  }
  if (!largest) throw new Error('no characteristic was measured');
  const [small = NaN, middle = NaN, large = NaN] = times.summary;
  const [, , series = NaN] = times.series;
  const pair = await readBesideCopy(product, `characteristics/${largest.firstCharacteristic}/summary`, valuesOf(largest, 'm."values"[1]'));
  const parallel = await measureParallelSeries(product, largest);
  return [
    [`summary of ${SIZES[2]} values: time / psql COPY of the values`, ratio(pair.readMs, pair.copyMs), 'at most 2'],
    ['series / summary', ratio(series, large), 'at most 1.3'],
    ...parallel,
    [`summary of ${SIZES[2]} / ${SIZES[1]} values`, ratio(large, middle), 'at most 10'],
    [`summary of ${SIZES[1]} / ${SIZES[0]} values`, ratio(middle, small), 'at most 10'],
  ];
}
