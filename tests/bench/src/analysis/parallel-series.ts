import { Agent, get } from 'node:http';
import { median, percentile, ratio } from '../figures.ts';
import { readAll } from '../measurements/read-load.ts';
import type { Product } from '../product.ts';
import type { AnalysedPart } from './analysed-parts.ts';

const CLIENTS = 32;
const IDLE_READS = 200;
const BUSY_MS = 15_000;
const PAUSE_MS = 10;

/** Measures GET of others while one client asks for {@link CLIENTS} series at a time; a client is an address without sign-in. */
export async function measureParallelSeries(product: Product, { firstCharacteristic }: AnalysedPart): Promise<[string, string, string][]> {
  const others = () => readAll(product.url, 'parts?limitResult=10').then(({ totalMs }) => totalMs);
  const idle: number[] = [];
  for (let i = 0; i < IDLE_READS; i += 1) idle.push(await others());

  const series = new URL(`/analysisServiceRest/characteristics/${firstCharacteristic}/series`, product.url);
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  let answered = 0;
  const until = performance.now() + BUSY_MS;
  const ask = async () => {
    while (performance.now() < until) {
      await readSeries(series, agent);
      answered += 1;
    }
  };
  const asking = Promise.all(Array.from({ length: CLIENTS }, ask));
  const busy: number[] = [];
  while (performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    busy.push(await others());
  }
  await asking;
  agent.destroy();
  console.error(
    `GET of others: median ${median(idle).toFixed(1)} ms idle, ${median(busy).toFixed(1)} ms (99 %: ${percentile(busy, 0.99).toFixed(0)} ms) ` +
      `beside ${CLIENTS} series at a time, of which ${answered} were answered in ${BUSY_MS / 1000} s`,
  );
  return [[`GET of others beside ${CLIENTS} series of one client at a time / idle, medians`, ratio(median(busy), median(idle)), 'below 5']];
}

/** Reads to the end; an answer 429 counts as one, too. */
function readSeries(address: URL, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    get(address, { agent }, (response) => {
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode === 200 || response.statusCode === 429) resolve();
        else reject(new Error(`series answered ${response.statusCode}`));
      });
      response.resume();
    }).on('error', reject);
  });
}
