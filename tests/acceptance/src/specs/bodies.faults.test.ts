import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describeUnless, reportFigures } from '@sinebar/testing';
import { IS_LONG } from '@sinebar/testing/size';
import {
  digits,
  head,
  HEAVY_BYTES,
  HOSTILE_BODIES,
  HOSTILE_BYTES,
  LIMIT_BYTES,
  MANY,
  measured,
  MEGABYTE,
  WIDE,
} from '../support/measurements/hostile-bodies.ts';
import type { StartedProduct } from '../support/product/product.ts';
import { underWatch } from '../support/product/process-watch.ts';
import { errorBodyProblem, send, sendJson, type Answer } from '../support/requests/rest-client.ts';
import type { Variant } from '../support/product/variant.ts';
import { variantKinds } from '../support/product/variants.ts';

/** Maximum growth of memory: a constant, and a multiple of the body. */
const GROWTH_MB = 250;
const GROWTH_FACTOR = 4;
/** Longest wait of a small request, also on a busy machine. */
const SLOWEST_MS = IS_LONG ? 20_000 : 5_000;

const VALUES = '/dataServiceRest/values';
const [standalone] = (await variantKinds()).filter(({ name }) => name === 'standalone');

describeUnless(standalone?.missing, 'bodies of measured values', () => {
  let variant: Variant;
  let product: StartedProduct;
  let [narrow, wide] = ['', ''];
  let few: string[] = [];
  let many: string[] = [];
  let accepted = 0;

  beforeAll(async () => {
    variant = (await standalone?.create()) as Variant;
    product = await variant.start({
      SINEBAR_BODY_LIMIT_BYTES: String(LIMIT_BYTES),
      SINEBAR_BODIES_IN_FLIGHT_BYTES: String(2 * LIMIT_BYTES),
    });
    [narrow, few] = await createPart(10);
    [wide, many] = await createPart(WIDE);
  }, 300_000);
  afterAll(async () => {
    await product.stop();
    await variant.remove();
  }, 120_000);

  async function createPart(count: number): Promise<[uuid: string, characteristics: string[]]> {
    const uuid: string = randomUUID();
    const characteristics = Array.from({ length: count }, () => randomUUID());
    const post = async (path: string, items: unknown) => {
      const { status, bytes } = await sendJson(product.url, 'POST', `/dataServiceRest/${path}`, items);
      expect({ status, text: bytes.toString() }).toEqual({ status: 201, text: '' });
    };
    await post('parts', [{ uuid, path: `P:/${uuid}/` }]);
    for (let start = 0; start < count; start += 2000) {
      const some = characteristics.slice(start, start + 2000);
      await post(
        'characteristics',
        some.map((each, i) => ({ uuid: each, path: `PC:/${uuid}/${start + i}/` })),
      );
    }
    return [uuid, characteristics];
  }
  const post = (body: string | Buffer, headers = {}): Promise<Answer> =>
    send(product.url, {
      method: 'POST',
      path: VALUES,
      headers: { 'Content-Type': 'application/json', ...headers },
      body,
      timeoutMs: 280_000,
    });
  const count = async (): Promise<number> => {
    const answer = await send(product.url, { path: '/dataServiceRest/measurements?requestedMeasurementAttributes={}', timeoutMs: 120_000 });
    return (answer.json() as unknown[]).length;
  };
  const values = async (uuid: string) =>
    ((await send(product.url, { path: `${VALUES}/${uuid}` })).json() as { characteristics: Record<string, { 1: string }> }).characteristics;
  /** Sends the body, and checks and prints the waits of other requests. */
  async function sent(name: string, body: string | Buffer, headers = {}): Promise<Answer> {
    const sizeMb = Buffer.byteLength(body) / MEGABYTE;
    const { result, strain } = await underWatch(product.url, product.pid, () => post(body, headers));
    reportFigures(
      `${name}: ${sizeMb.toFixed(1)} MB, ${result.status}, small requests waited ${strain.slowestMs.toFixed(0)} ms, memory grew by ${strain.grownMb?.toFixed(0) ?? '?'} MB`,
    );
    expect(strain.refused).toEqual([]);
    expect(strain.slowestMs).toBeLessThan(SLOWEST_MS);
    expect(strain.grownMb ?? 0).toBeLessThan(GROWTH_MB + GROWTH_FACTOR * sizeMb);
    return result;
  }

  it.each(HOSTILE_BODIES)(
    'with %s are refused at once, and nothing is written [D10.2]',
    async (name, body, sentence, status = 400) => {
      const answer = await sent(name, body({ narrow, wide, few, many }), status === 413 ? { 'Content-Encoding': 'gzip' } : {});
      expect(answer.status).toBe(status);
      expect(errorBodyProblem(answer)).toBeUndefined();
      const { message } = answer.json() as { message: string };
      expect(message).toMatch(sentence);
      expect(message.length).toBeLessThan(1000);
      expect(await count()).toBe(accepted);
    },
    300_000,
  );

  it('above the limit are refused while they are read, with and without a length [D10.2]', async () => {
    const { port } = new URL(product.url);
    for (const framing of [`Content-Length: ${2 ** 40}`, 'Transfer-Encoding: chunked']) {
      const { result, strain } = await underWatch(product.url, product.pid, () => endless(Number(port), framing));
      expect([framing, result]).toEqual([framing, expect.stringMatching(/^HTTP\/1\.1 413 .*larger than/s)]);
      expect(strain.grownMb ?? 0).toBeLessThan(GROWTH_MB + LIMIT_BYTES / MEGABYTE);
      expect(strain.refused).toEqual([]);
    }
  }, 300_000);

  it('that are truncated write nothing and are no error of the server', async () => {
    const { port } = new URL(product.url);
    const whole = `[${Array.from({ length: 1000 }, () => `{${head(narrow)},"characteristics":${measured(few)}}`).join()}]`;
    for (const share of [0.001, 0.5, 0.999]) {
      const socket = connect(Number(port), '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(
        `POST ${VALUES} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${whole.length}\r\n\r\n`,
      );
      await new Promise<void>((resolve) => socket.write(whole.slice(0, whole.length * share), () => resolve()));
      socket.resetAndDestroy();
    }
    // A complete body is accepted after a truncated one.
    const uuid: string = randomUUID();
    expect((await post(`[{${head(narrow, uuid)},"characteristics":${measured(few, '1.50')}}]`)).status).toBe(201);
    accepted += 1;
    expect(await values(uuid)).toEqual(Object.fromEntries(few.map((each) => [each, { 1: '1.50' }])));
    expect(await count()).toBe(accepted);
  }, 120_000);

  it('of any valid form are accepted', async () => {
    const cases: [string, string, (uuid: string) => string | Buffer, Record<string, string>][] = [
      ['a byte order mark', '2', (uuid) => `\ufeff[{${head(narrow, uuid)},"characteristics":${measured(few, '2')}}]`, {}],
      [
        'many duplicates',
        '3',
        (uuid) => `[{${head(narrow, uuid)},"characteristics":{${`"${few[0]}":{"1":"9"},`.repeat(100_000)}${measured(few, '3').slice(1)}}]`,
        {},
      ],
      [
        'members twice',
        '4',
        (uuid) => `[{${head(narrow)},${head(narrow, uuid)},"characteristics":7,"characteristics":${measured(few, '4')}}]`,
        {},
      ],
      [
        'megabytes of blanks',
        '5',
        (uuid) => `${' '.repeat(HOSTILE_BYTES)}[{${head(narrow, uuid)},"characteristics":${measured(few, '5')}}]`,
        {},
      ],
      [
        'megabytes of digits, compressed',
        '6',
        (uuid) => gzipSync(`[{${head(narrow, uuid)},"junk":"${digits(HOSTILE_BYTES)}","characteristics":${measured(few, '6')}}]`),
        { 'Content-Encoding': 'gzip' },
      ],
    ];
    for (const [name, text, body, headers] of cases) {
      const uuid: string = randomUUID();
      expect([name, (await sent(name, body(uuid), headers)).status]).toEqual([name, 201]);
      accepted += 1;
      expect([name, await values(uuid)]).toEqual([name, Object.fromEntries(few.map((each) => [each, { 1: text }]))]);
    }
  }, 300_000);

  it(`of ${HEAVY_BYTES / MEGABYTE} MB with ${WIDE} values each, and of ${MANY} measurements are accepted`, async () => {
    const uuids: string[] = [];
    const item = (part: string, characteristics: string) => {
      const uuid: string = randomUUID();
      uuids.push(uuid);
      return `{${head(part, uuid)},"characteristics":${characteristics}}`;
    };
    const allValues = measured(many);
    const big = `[${Array.from({ length: HEAVY_BYTES / allValues.length }, () => item(wide, allValues)).join()}]`;
    expect((await sent('heavy', big)).status).toBe(201);
    const [first = ''] = uuids;
    for (const uuid of [first, uuids.at(-1) ?? ''])
      expect(await values(uuid)).toEqual(Object.fromEntries(many.map((each) => [each, { 1: '12.34567' }])));
    const list = `[${Array.from({ length: MANY }, () => item(narrow, measured(few))).join()}]`;
    expect((await sent('many', list)).status).toBe(201);
    const sparse = `[${Array.from({ length: MANY / 10 }, () => item(wide, measured(many.slice(-1)))).join()}]`;
    expect((await sent('sparse', sparse)).status).toBe(201);
    accepted += uuids.length;
    expect(await count()).toBe(accepted);
  }, 300_000);

  it('have left no error in the log', () => {
    expect(
      product
        .output()
        .split('\n')
        .filter((line) => /"level":"(error|fatal)"/.test(line)),
    ).toEqual([]);
  });
});

/** Sends blanks until the server has answered. */
function endless(port: number, framing: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const blanks = Buffer.alloc(MEGABYTE, 0x20);
    const chunk = framing.startsWith('Transfer')
      ? Buffer.concat([Buffer.from(`${MEGABYTE.toString(16)}\r\n`), blanks, Buffer.from('\r\n')])
      : blanks;
    let answer = '';
    const write = () => {
      while (answer === '' && !socket.destroyed && socket.write(chunk));
      if (answer !== '') socket.end();
    };
    socket.on('drain', write);
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      answer += bytes.toString('latin1');
      socket.end();
    });
    socket.once('close', () => resolve(answer));
    socket.write(`POST ${VALUES} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n${framing}\r\n\r\n`);
    write();
  });
}
