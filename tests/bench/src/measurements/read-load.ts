import { Agent, get } from 'node:http';

export interface ReadTimes {
  firstByteMs: number;
  totalMs: number;
  bytes: number;
}

const agent = new Agent({ keepAlive: true });

/** Reads an answer to its end and discards it. @param path below `/dataServiceRest/` */
export function readAll(url: string, path: string, encoding: 'identity' | 'gzip' = 'identity'): Promise<ReadTimes> {
  return new Promise((resolve, reject) => {
    const begun = performance.now();
    get(new URL(`/dataServiceRest/${path}`, url), { agent, headers: { 'Accept-Encoding': encoding } }, (response) => {
      let firstByteMs = NaN;
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        if (bytes === 0) firstByteMs = performance.now() - begun;
        bytes += chunk.length;
      });
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode === 200) resolve({ firstByteMs, totalMs: performance.now() - begun, bytes });
        else reject(new Error(`${path} answered ${response.statusCode}`));
      });
    }).on('error', reject);
  });
}
