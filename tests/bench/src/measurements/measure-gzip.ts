import { existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { median, ratio, table, timed } from '../figures.ts';
import { startInspectionAlone, type Product } from '../product.ts';
import { createMeasuredPlan } from './measured-plan.ts';
import { createMeasurements } from './post-load.ts';
import { firstOf, readAll, reads, READ_ROUNDS, totalOf } from './read-load.ts';

const CHARACTERISTICS = 200;
const MEASUREMENTS = 1000;
const CLIENTS = 10;
/** By default a service gives fewer streaming answers at a time, and refuses more. */
const ROOM_FOR_CLIENTS = { SINEBAR_INSPECTION_STREAM_POOL: String(2 * CLIENTS) };
/** Interval of prom-client's histogram of the event loop's delay. */
const SAMPLING_MS = 10;

/** Starts the inspection service for {@link measureGzip}; on Linux it writes the times of its turns. */
export async function startForGzip(): Promise<Product> {
  const folder = await mkdtemp(join(tmpdir(), 'sinebar-bench-'));
  const turnTimesFile = join(folder, 'turn-times');
  writeFileSync(turnTimesFile, '');
  const preload = `--import=${new URL('turn-times.ts', import.meta.url).href}`;
  const isMeasured = existsSync('/proc/self/schedstat');
  const product = await startInspectionAlone({
    ...ROOM_FOR_CLIENTS,
    ...(isMeasured ? { TURN_TIMES_FILE: turnTimesFile, NODE_OPTIONS: preload } : {}),
  });
  const stop = async () => {
    await product.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { ...product, stop, ...(isMeasured ? { turnTimesFile } : {}) };
}

/** Reading 200,000 values with gzip, against zlib alone and against reading them without. */
export async function measureGzip(product: Product): Promise<string> {
  const { name, url, metricsUrl, turnTimesFile } = product;
  const parts = await createMeasuredPlan(url, 1, CHARACTERISTICS);
  await createMeasurements(url, parts, MEASUREMENTS);
  const [plain, compressed] = [await reads(url, 'values'), await reads(url, 'values', 'gzip')];
  const body = Buffer.from(await (await fetch(`${url}/dataServiceRest/values`)).arrayBuffer());
  const zlibMs: number[] = [];
  for (let round = 0; round < READ_ROUNDS; round += 1) zlibMs.push(await timed(() => Promise.resolve(gzipSync(body, { level: 1 }))));
  const byOne = await eventLoop(url, metricsUrl, 1);
  if (turnTimesFile !== undefined) truncateSync(turnTimesFile);
  const byAll = await eventLoop(url, metricsUrl, CLIENTS);
  return table(
    [`gzip, ${name}`, 'measured', 'goal'],
    [
      ['200,000 values: rate / zlib level 1 alone', ratio(median(zlibMs), totalOf(compressed)), 'at least 0.45'],
      ['first byte / without gzip', ratio(firstOf(compressed), firstOf(plain)), 'as without'],
      ['event loop held at the most by one client', byOne, 'at most 20 ms'],
      [`the same by ${CLIENTS} clients that read 200,000 values each`, byAll, 'at most 20 ms'],
      [`the same, processor time alone`, longestTurn(turnTimesFile), 'at most 20 ms'],
    ],
  );
}

async function eventLoop(url: string, metricsUrl: string | undefined, clients: number): Promise<string> {
  if (metricsUrl === undefined) return 'not measured';
  const longestMs: number[] = [];
  for (let round = 0; round < READ_ROUNDS; round += 1) {
    // Reading the metrics starts the histogram anew.
    await longestTurnMs(metricsUrl);
    await Promise.all(Array.from({ length: clients }, () => readAll(url, 'values', 'gzip')));
    longestMs.push(await longestTurnMs(metricsUrl));
  }
  const [least, most] = [Math.min(...longestMs), Math.max(...longestMs)];
  return `${median(longestMs).toFixed(0)} ms (${least.toFixed(0)} to ${most.toFixed(0)} in ${READ_ROUNDS} rounds)`;
}

/** Processor time of the longest turn, and the longest time for which the thread waited for a processor meanwhile. */
function longestTurn(file: string | undefined): string {
  if (file === undefined) return 'not measured';
  const turns = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split(' ').map(Number));
  const longest = (time: number) => Math.max(...turns.map((times) => times[time] ?? 0)).toFixed(0);
  return `${longest(0)} ms, besides up to ${longest(1)} ms in the run queue`;
}

/** The histogram counts the interval between two samples, too. */
async function longestTurnMs(metricsUrl: string): Promise<number> {
  const metrics = await (await fetch(metricsUrl)).text();
  return 1000 * Number(/^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(metrics)?.[1]) - SAMPLING_MS;
}
