import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash, randomBytes, randomUUID, type Hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { request, type IncomingHttpHeaders } from 'node:http';
import { size } from '@sinebar/testing/size';
import { DISTURBANCE } from '../support/disturbance.ts';
import { preferring } from '../support/product/forms.ts';
import type { StartedProduct } from '../support/product/product.ts';
import { errorBodyProblem, isReady, send, sendJson, until } from '../support/requests/rest-client.ts';
import type { Variant } from '../support/product/variant.ts';
import { ONE_OF_EACH, presentKinds } from '../support/product/variants.ts';
import { zip, type WrittenEntry, reportFigures } from '@sinebar/testing';

const FILES = '/rawDataServiceRest/rawData/part';
const CONTENT_QUERY = '/rawDataServiceRest/rawData/ArchiveContentQuery';
const ENTRY_QUERY = '/rawDataServiceRest/rawData/ArchiveEntryQuery';
const MIB = 2 ** 20;
/** Size of the largest answer. */
const ANSWER_MIB = size({ short: 256, long: 1024 });
const FILE_MIB = 16;
const MAX_GROWTH_MIB = 150;
/** Four answers of 100,000 names each leave more garbage than one copied file. */
const MAX_LIST_GROWTH_MIB = 200;
const MESSAGE = 'Specified RawData is no archive of supported format!';

const kinds = await presentKinds('archives', preferring('standalone'));

/** Compressible, but below the ratio that is refused. */
function content(sizeBytes: number): Buffer {
  const line = Buffer.from(randomBytes(48).toString('base64'));
  return Buffer.alloc(sizeBytes, line);
}

function residentMiB(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

describe.each(kinds)('archives, $name', (kind) => {
  let variant: Variant;
  let product: StartedProduct;
  let part: string;
  beforeAll(async () => {
    variant = await kind.create();
    product = await variant.start(ONE_OF_EACH);
    part = randomUUID();
    expect((await sendJson(product.url, 'POST', '/dataServiceRest/parts', [{ uuid: part, path: `P:/${part}/` }])).status).toBe(201);
  }, 180_000);
  afterAll(async () => {
    await product.stop();
    await variant.remove();
  }, 120_000);

  const upload = async (key: number, bytes: Buffer) => {
    const headers = { 'Content-Type': 'application/zip', 'Content-Disposition': '"a.zip"' };
    const answer = await send(product.url, { method: 'POST', path: `${FILES}/${part}/${key}`, headers, body: bytes, timeoutMs: 120_000 });
    expect(answer.status).toBe(201);
  };
  const selector = (key: number, entries: readonly string[]) => ({ target: { entity: 'Part', uuid: part }, key, entries });
  const pid = () => product.services().find(({ name }) => name === 'raw-data')?.pid ?? product.pid;
  /**
   * Highest memory of the process above what it had before; 0 where the system does not tell, and where it is another process after a
   * while.
   */
  const growthMiB = async (work: () => Promise<void>) => {
    if (DISTURBANCE !== undefined || !existsSync(`/proc/${pid()}/status`)) {
      await work();
      return 0;
    }
    const before = residentMiB(pid());
    let highest = before;
    const timer = setInterval(() => (highest = Math.max(highest, residentMiB(pid()))), 20);
    await work().finally(() => clearInterval(timer));
    return Math.max(highest, residentMiB(pid())) - before;
  };

  it(`return a BSON answer of ${ANSWER_MIB} MiB with little memory, also to a slow client`, async () => {
    const file = { name: 'folder/large.txt', content: content(FILE_MIB * MIB) };
    await upload(0, zip([file]));
    const one = await sendJson(product.url, 'POST', CONTENT_QUERY, { selectors: [selector(0, [file.name])] });
    expect(one.status).toBe(200);
    expect(one.headers['content-length']).toBe(String(one.bytes.length));
    expect(one.bytes.readInt32LE(0)).toBe(one.bytes.length);
    expect(one.bytes.includes(file.content)).toBe(true);
    const times = ANSWER_MIB / FILE_MIB;
    const { length, hash } = repeated(one.bytes, times);
    const growth = await growthMiB(async () => {
      const body = { selectors: [selector(0, Array<string>(times).fill(file.name))] };
      const answer = await taken(product.url, CONTENT_QUERY, body, 500);
      expect(answer.status).toBe(200);
      expect(answer.headers['content-length']).toBe(String(length));
      expect(answer.length).toBe(length);
      expect(answer.hash).toBe(hash);
    });
    if (DISTURBANCE === undefined) reportFigures(`an answer of ${ANSWER_MIB} MiB, ${kind.name}: memory grew by ${growth.toFixed(0)} MiB`);
    expect(growth).toBeLessThan(MAX_GROWTH_MIB);
  }, 600_000);

  it('of 100,000 entries are listed with little memory', async () => {
    const names = Array.from({ length: 100_000 }, (_, i) => `folder ${i % 100}/measurement-${i}.txt`);
    const files = names.map((name) => ({ name, content: '', method: 0 }));
    for (const key of [1, 2, 3]) await upload(key, zip(files, { comment: `${key}` }));
    const growth = await growthMiB(async () => {
      for (const key of [1, 2, 3, 1]) {
        const answer = await send(product.url, { path: `${FILES}/${part}/${key}/ArchiveEntries`, timeoutMs: 60_000 });
        expect(answer.status).toBe(200);
        const [result] = answer.json() as { entries: string[] }[];
        expect(result?.entries.length).toBe(100_000);
        expect(result?.entries.every((name, i) => name === names[i])).toBe(true);
      }
    });
    expect(growth).toBeLessThan(MAX_LIST_GROWTH_MIB);
  }, 300_000);

  it('that are hostile get the documented answer, and the process survives', async () => {
    const before = pid();
    const good: WrittenEntry = { name: 'good', content: Buffer.from('good') };
    const large = content(8 * MIB);
    const hostile: [name: string, bytes: Buffer, listed: boolean][] = [
      ['no archive', randomBytes(100_000), false],
      ['cut off', zip([good]).subarray(0, -5), false],
      ['overlapping', zip([good, { name: 'bad', content: large, offset: 0 }]), false],
      ['damaged', zip([good, { name: 'bad', content: Buffer.from('x'), crc: 1 }]), true],
      ['smaller than it says', zip([good, { name: 'bad', content: Buffer.from('x'), sizeBytes: 2 ** 31 }]), true],
      ['a bomb', zip([good, { name: 'bad', content: Buffer.alloc(65 * MIB) }]), true],
      ['a bomb that says it was small', zip([good, { name: 'bad', content: Buffer.alloc(65 * MIB), sizeBytes: 1000 }]), true],
    ];
    for (const [i, [name, bytes, listed]] of hostile.entries()) {
      const key = 10 + i;
      await upload(key, bytes);
      const entries = await send(product.url, { path: `${FILES}/${part}/${key}/ArchiveEntries` });
      expect([name, entries.status]).toEqual([name, listed ? 200 : 400]);
      const refused = [
        await send(product.url, { path: `${FILES}/${part}/${key}/ArchiveContent/bad` }),
        await sendJson(product.url, 'POST', CONTENT_QUERY, { selectors: [selector(key, ['good', 'bad'])] }),
        ...(listed ? [] : [entries, await sendJson(product.url, 'POST', ENTRY_QUERY, { selectors: [selector(key, [])] })]),
      ];
      for (const answer of refused) {
        expect([name, answer.status]).toEqual([name, 400]);
        expect([name, errorBodyProblem(answer)]).toEqual([name, undefined]);
        expect(answer.json()).toMatchObject({ Message: MESSAGE });
      }
      if (listed) expect((await send(product.url, { path: `${FILES}/${part}/${key}/ArchiveContent/GOOD` })).bytes.toString()).toBe('good');
    }
    // Large, and wrong only at its end: the answer breaks off.
    await upload(30, zip([{ name: 'bad', content: randomBytes(4 * MIB), crc: 1 }]));
    await expect(taken(product.url, CONTENT_QUERY, { selectors: [selector(30, ['bad'])] }, 0)).rejects.toThrow();
    if (DISTURBANCE === undefined) expect(pid()).toBe(before);
    if (DISTURBANCE === undefined) expect((await send(product.url, { path: '/healthServiceRest/ready' })).status).toBe(200);
    // The health reports an unreachable NATS server.
    else await until('the product is ready', () => isReady(product.url));
  }, 300_000);
});

interface Taken {
  status: number;
  headers: IncomingHttpHeaders;
  length: number;
  hash: string;
}

/** Reads an answer without storing it, with a pause. @throws when the connection breaks */
function taken(url: string, path: string, body: unknown, pauseMs: number): Promise<Taken> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const hash = createHash('md5');
    let length = 0;
    const headers = { 'Content-Type': 'application/json' };
    const outgoing = request({ hostname, port, method: 'POST', path, headers, agent: false }, (incoming) => {
      incoming.on('data', (chunk: Buffer) => {
        if (length < FILE_MIB * MIB && length + chunk.length >= FILE_MIB * MIB && pauseMs > 0) {
          incoming.pause();
          setTimeout(() => incoming.resume(), pauseMs);
        }
        length += chunk.length;
        hash.update(chunk);
      });
      incoming.once('error', reject);
      incoming.once('end', () =>
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, length, hash: hash.digest('hex') }),
      );
    });
    outgoing.once('error', reject);
    outgoing.end(JSON.stringify(body));
  });
}

/** Returns the expected answer that contains the file of another answer this many times. */
function repeated(one: Buffer, times: number): { length: number; hash: string } {
  const document = one.subarray(4 + 3, -1);
  const keys = Array.from({ length: times }, (_, i) => Buffer.from(`\x03${i}\0`));
  const length = keys.reduce((sum, key) => sum + key.length + document.length, 4 + 1);
  const start = Buffer.alloc(4);
  start.writeInt32LE(length);
  const hash: Hash = createHash('md5').update(start);
  for (const key of keys) hash.update(key).update(document);
  return { length, hash: hash.update(Buffer.alloc(1)).digest('hex') };
}
