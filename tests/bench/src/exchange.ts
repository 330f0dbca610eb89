import { randomUUID } from 'node:crypto';
import { median, ratio, table, timed } from './figures.ts';
import { createMeasuredPlan } from './measurements/measured-plan.ts';
import { MeasurementBody } from './measurements/measurement-bodies.ts';
import { postAll } from './measurements/post-load.ts';
import { memoryGrowthMiB } from './process-memory.ts';
import type { Product } from './product.ts';
import { createPart, send } from './rest-calls.ts';

const ROUNDS = 3;
const CHARACTERISTICS = 200;
/** Measurements of the file: about 20 MB with a time and a batch for each value. */
const MEASUREMENTS = 2500;
const PER_BODY = 100;
const [FIELD, NEXT] = ['\u0014', '\u000f'] as const;

/** Measures files in and out, in units of `POST /values` and `GET /values` with the same values in the same run. */
export async function measureExchange(product: Product): Promise<string> {
  const { url } = product;
  const [part] = await createMeasuredPlan(url, 1, CHARACTERISTICS);
  if (!part) throw new Error('there is no part');
  await createPart(url, 'imported');
  const posts: number[] = [];
  const imports: number[] = [];
  const body = new MeasurementBody([part], PER_BODY, 0);
  await send(url, 'POST', 'configuration/Measurement', [
    { key: 6, description: 'Batch', definitionType: 'AttributeDefinition', type: 'AlphaNumeric', length: 60 },
  ]);
  await importFile(url, aqdefFile(10, 'warm-up'));
  let growth = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    posts.push((await postAll(url, [body], MEASUREMENTS / PER_BODY)).totalMs);
    const file = aqdefFile(MEASUREMENTS, `round ${round}`);
    growth = Math.max(
      growth,
      await memoryGrowthMiB(product.servicePid('inspection'), async () => void imports.push(await timed(() => importFile(url, file)))),
    );
  }
  const values = `partPath=/line 0/measured 0&limitResult=${MEASUREMENTS}`;
  const lists: number[] = [];
  const files: Record<string, number[]> = { csv: [], 'csv&layout=wide': [], parquet: [], 'xlsx&layout=wide': [], aqdef: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    lists.push(await timed(() => readAll(`${url}/dataServiceRest/values?${values}`)));
    for (const [format, times] of Object.entries(files)) {
      const read = () => readAll(`${url}/exchangeServiceRest/values?format=${format}&${values}`);
      growth = Math.max(growth, await memoryGrowthMiB(product.servicePid('inspection'), async () => void times.push(await timed(read))));
    }
  }
  const list = median(lists);
  return table(
    [`files in and out, ${product.name}`, 'measured', 'goal'],
    [
      ['AQDEF in / POST /values, rate', ratio(median(posts), median(imports)), 'at least 0.5'],
      ...Object.entries(files).map(([format, times]) => [
        `${format.replace('&layout=', ', ')} out / GET /values, rate`,
        ratio(list, median(times)),
        format === 'csv' ? 'at least 0.5' : '',
      ]),
      ['growth of memory, MiB', growth.toFixed(0), 'below 200'],
    ],
  );
}

async function importFile(url: string, file: string): Promise<void> {
  const answer = await fetch(`${url}/exchangeServiceRest/imports?format=aqdef&partPath=/imported&zone=UTC`, { method: 'POST', body: file });
  if (answer.status !== 201) throw new Error(`the import was answered ${answer.status}: ${await answer.text()}`);
}

async function readAll(address: string): Promise<void> {
  const answer = await fetch(address);
  if (!answer.ok || !answer.body) throw new Error(`${address} was answered ${answer.status}`);
  for await (const _ of answer.body);
}

/** A file with one line for each measurement, and the time and a batch of each value. */
function aqdefFile(measurements: number, batch: string): string {
  const plan = Array.from({ length: CHARACTERISTICS }, (_, k) => [`K2001/${k + 1} ${k + 1}`, `K2002/${k + 1} characteristic ${k}`]).flat();
  const lines = Array.from({ length: measurements }, (_, i) => {
    const time = new Date(Date.UTC(2026, 0, 1) + i * 1000).toISOString();
    const local = `${time.slice(8, 10)}.${time.slice(5, 7)}.${time.slice(0, 4)}/${time.slice(11, 19)}`;
    const fields = ['0', local, '', `#${batch}`].join(FIELD);
    return Array.from(
      { length: CHARACTERISTICS },
      (_, k) => `${(10 + (k % 50) + ((i * 7919 + k * 104729) % 100_000) / 1e6).toFixed(6)}${FIELD}${fields}`,
    ).join(NEXT);
  });
  return [`K0100 ${CHARACTERISTICS}`, 'K1001/1 4711', 'K1002/1 Shaft', ...plan, ...lines, `K0014/1 ${randomUUID()}`, ''].join('\r\n');
}
