import { randomUUID } from 'node:crypto';
import { timed } from './figures.ts';

/** @throws when the answer is not successful */
export async function fetchDone(address: string, init?: RequestInit): Promise<void> {
  const response = await fetch(address, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`${init?.method ?? 'GET'} ${address} answered ${response.status}: ${text.slice(0, 300)}`);
}

export function send(url: string, method: string, address: string, body: unknown): Promise<void> {
  return fetchDone(`${url}/dataServiceRest/${address}`, {
    method,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** @param name path below the root, separated by slashes @returns the uuid */
export async function createPart(url: string, name: string): Promise<string> {
  const uuid = randomUUID();
  const structure = name
    .split('/')
    .map(() => 'P')
    .join('');
  await send(url, 'POST', 'parts', [{ uuid, path: `${structure}:/${name}/` }]);
  return uuid;
}

/** @returns the milliseconds of the request */
export function createCharacteristics(url: string, part: string, first: number, count: number): Promise<number> {
  const items = Array.from({ length: count }, (_, i) => ({ uuid: randomUUID(), path: `PC:/${part}/characteristic ${first + i}/` }));
  return timed(() => send(url, 'POST', 'characteristics', items));
}
