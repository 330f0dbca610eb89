import { Agent, request } from 'node:http';
import { timed } from '../figures.ts';
import type { MeasuredPart } from './measured-part.ts';
import { MeasurementBody } from './measurement-bodies.ts';

/** Sends every body of each client, one after another on one connection. @returns milliseconds of the whole, and of each request */
export async function postAll(
  url: string,
  clients: readonly MeasurementBody[],
  bodiesEach: number,
): Promise<{ totalMs: number; eachMs: number[] }> {
  const eachMs: number[] = [];
  const address = new URL('/dataServiceRest/values', url);
  const totalMs = await timed(() =>
    Promise.all(
      clients.map(async (body) => {
        const agent = new Agent({ keepAlive: true, maxSockets: 1 });
        for (let sent = 0; sent < bodiesEach; sent += 1) eachMs.push(await timed(() => post(address, agent, body.next())));
        agent.destroy();
      }),
    ),
  );
  return { totalMs, eachMs };
}

/** Creates measurements with different values: repeated ones would compress better than real answers. */
export async function createMeasurements(url: string, parts: readonly MeasuredPart[], measurements: number): Promise<void> {
  for (let first = 0; first < measurements; first += 100) await postAll(url, [new MeasurementBody(parts, 100, first)], 1);
}

function post(address: URL, agent: Agent, body: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json', 'Content-Length': body.length };
    const sending = request(address, { method: 'POST', agent, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () =>
        response.statusCode === 201 ? resolve() : reject(new Error(`answered ${response.statusCode}: ${text.slice(0, 300)}`)),
      );
      response.on('error', reject);
    });
    sending.on('error', reject);
    sending.end(body);
  });
}
