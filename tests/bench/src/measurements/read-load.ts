import { Agent, get } from 'node:http';
import { median } from '../figures.ts';

export interface ReadTimes {
  firstByteMs: number;
  totalMs: number;
  bytes: number;
}

export const READ_ROUNDS = 15;
/** Reads before those that count: a process that has only written yet is compiling its code. */
const WARM_UP = 10;

const agent = new Agent({ keepAlive: true });

/** Reads an answer to its end and discards it. @param path below `/dataServiceRest/` */
export function readAll(url: string, path: string, encoding?: 'identity' | 'gzip'): Promise<ReadTimes> {
  return readAnswer(new URL(`/dataServiceRest/${path}`, url), encoding);
}

/** Does the same as {@link readAll} for any address. */
export function readAnswer(address: URL, encoding: 'identity' | 'gzip' = 'identity'): Promise<ReadTimes> {
  return new Promise((resolve, reject) => {
    const begun = performance.now();
    get(address, { agent, headers: { 'Accept-Encoding': encoding } }, (response) => {
      let firstByteMs = NaN;
      let bytes = 0;
      let refusal = '';
      response.on('data', (chunk: Buffer) => {
        if (bytes === 0) firstByteMs = performance.now() - begun;
        bytes += chunk.length;
        if (response.statusCode !== 200) refusal += chunk.toString();
      });
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode === 200) resolve({ firstByteMs, totalMs: performance.now() - begun, bytes });
        else reject(new Error(`${address.pathname} answered ${response.statusCode}: ${refusal}`));
      });
    }).on('error', reject);
  });
}

/** Reads the same answer {@link READ_ROUNDS} times, one after another. */
export async function reads(url: string, path: string, encoding?: 'gzip'): Promise<ReadTimes[]> {
  const times: ReadTimes[] = [];
  for (let round = -WARM_UP; round < READ_ROUNDS; round += 1) {
    const read = await readAll(url, path, encoding);
    if (round >= 0) times.push(read);
  }
  return times;
}

export const totalOf = (times: readonly ReadTimes[]) => median(times.map(({ totalMs }) => totalMs));
export const firstOf = (times: readonly ReadTimes[]) => median(times.map(({ firstByteMs }) => firstByteMs));
