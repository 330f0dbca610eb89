import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Agent, get, request, type IncomingMessage } from 'node:http';
import { ROOT_PART_UUID } from '@sinebar/contracts';

const CHUNK = randomBytes(2 ** 20);
export const ROOT_FILES = `/rawDataServiceRest/rawData/Part/${ROOT_PART_UUID}`;

const agent = new Agent({ keepAlive: true, maxSockets: 256 });

/** Attaches a file of this size to the root part. @returns its key */
export function upload(url: string, mebibytes: number): Promise<number> {
  return uploadPieces(url, 'bench.bin', repeated(mebibytes));
}

/** Attaches a file to the root part. @returns its key */
export async function uploadPieces(url: string, name: string, pieces: Iterable<Buffer>): Promise<number> {
  const headers = { 'Content-Type': 'application/octet-stream', 'Content-Disposition': `"${name}"` };
  const sending = request(new URL(`${ROOT_FILES}/-1`, url), { method: 'POST', agent, headers });
  const answer = once(sending, 'response') as Promise<[IncomingMessage]>;
  answer.catch(() => undefined);
  for (const piece of pieces) if (!sending.write(piece)) await once(sending, 'drain');
  sending.end();
  const [response] = await answer;
  const body = await textOf(response);
  if (response.statusCode !== 201) throw new Error(`upload answered ${response.statusCode}: ${body}`);
  return (JSON.parse(body) as { key: number }).key;
}

function* repeated(mebibytes: number): Generator<Buffer> {
  for (let i = 0; i < mebibytes; i += 1) yield CHUNK;
}

/** Reads an answer to its end and discards it. @returns its size */
export async function download(address: string): Promise<number> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => get(address, { agent }, resolve).on('error', reject));
  if (response.statusCode !== 200) throw new Error(`${address} answered ${response.statusCode}: ${await textOf(response)}`);
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) bytes += chunk.length;
  return bytes;
}

/** Writes a file of this size and computes its MD5, the minimum cost of an upload. */
export async function spoolFile(path: string, mebibytes: number): Promise<void> {
  await rm(path, { force: true });
  const hash = createHash('md5');
  const file = createWriteStream(path);
  for (let i = 0; i < mebibytes; i += 1) {
    hash.update(CHUNK);
    if (!file.write(CHUNK)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'close');
  hash.digest();
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8') as AsyncIterable<string>) text += chunk;
  return text;
}
