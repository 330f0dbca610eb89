import { randomUUID } from 'node:crypto';
import { Agent, request as httpRequest } from 'node:http';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeWith, eventually, zip } from '@sinebar/testing';
import fc from 'fast-check';
import { size } from '@sinebar/testing/size';
import { startRawData, type RunningRawData } from '../running-raw-data.fixture.ts';

const RUNS = size({ short: 150, long: 10_000 });
const MS_PER_RUN = 60;
const BASE = '/rawDataServiceRest/rawData';
const PART = randomUUID();

interface Sent {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string | undefined;
}

const odd = fc.oneof(
  fc.constantFrom(
    null,
    true,
    -1,
    0.5,
    1e308,
    2 ** 31,
    '',
    ' ',
    'Part',
    'value',
    'x'.repeat(5000),
    '\u0000',
    '\ud83d',
    '__proto__',
    [],
    {},
    [[]],
    [null],
    [{}],
  ),
  fc.constantFrom(PART, `{${PART}}`, `${PART}|${PART}`, `${PART}|`, '|', '../../etc/passwd', 'A.TXT', 'folder/', '%', '%00', '*', '?'),
  fc.jsonValue({ maxDepth: 3 }),
);
const maybe = <T>(good: T): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 4, arbitrary: fc.constant<unknown>(good) }, { weight: 1, arbitrary: odd });
const selector = fc.record(
  {
    target: fc.oneof(
      { weight: 4, arbitrary: fc.record({ entity: maybe('Part'), uuid: maybe(PART) }, { requiredKeys: [] }) },
      { weight: 1, arbitrary: odd },
    ),
    key: fc.oneof(fc.constantFrom(0, 0, 0, 1, 2), maybe(0)),
    entries: fc.oneof(
      { weight: 4, arbitrary: fc.array(fc.oneof(maybe('a.txt'), fc.constant('folder/b.txt')), { maxLength: 3 }) },
      { weight: 1, arbitrary: odd },
    ),
  },
  { requiredKeys: ['target', 'key'] },
);
const body = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      selectors: fc.oneof({ weight: 8, arbitrary: fc.array(selector, { maxLength: 4 }) }, { weight: 1, arbitrary: odd }),
    }),
  },
  { weight: 1, arbitrary: odd },
);
const bodyText = fc.oneof(
  { weight: 12, arbitrary: body.map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: body.chain((value) => fc.nat(200).map((end) => JSON.stringify(value).slice(0, end))) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(undefined, '', '{"selectors":[', '['.repeat(40), '{"selectors":[{"key":1e999,"target":{}}]}', '\ufeff{}'),
  },
);

const segment = (good: string): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constant(good) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '',
        ' ',
        '%',
        '%00',
        '%ff',
        '%2F',
        '..',
        '%2e%2e',
        '-1',
        '99999999999',
        '1e3',
        `%7B${PART}%7D`,
        'x'.repeat(3000),
      ),
    },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 10 }).map(encodeURIComponent) },
  );
const fileName = fc.oneof(
  fc.constantFrom('a.txt', 'A.TXT', 'folder/', 'folder%2Fb.txt', 'encrypted', 'wrong', '..%2F..%2Fetc%2Fpasswd'),
  fc.array(segment('a.txt'), { maxLength: 4 }).map((segments) => segments.join('/')),
);
const query = fc.constantFrom(
  '',
  '',
  '',
  '?expectedArchiveMd5=x',
  '?expectedArchiveMd5=',
  '?expectedArchiveMd5=%ff',
  '?a=1&a=2',
  '?%00',
  '?expectedArchiveMd5=1&expectedArchiveMd5=2',
);
const get = fc
  .tuple(
    segment('part'),
    segment(PART),
    fc.oneof(segment('0'), fc.constantFrom('1', '2')),
    fc.oneof(
      segment('ArchiveEntries'),
      fileName.map((name) => `ArchiveContent/${name}`),
    ),
    query,
  )
  .map(([entity, uuid, key, what, search]) => ({ path: `${BASE}/${entity}/${uuid}/${key}/${what}${search}` }));
const post = fc
  .tuple(fc.constantFrom('Entry', 'Content'), bodyText)
  .map(([kind, text]) => ({ path: `${BASE}/Archive${kind}Query`, body: text }));
const headers = fc.record(
  {
    'If-None-Match': fc.constantFrom('*', '"', 'W/"x"', ','),
    'If-Modified-Since': fc.constantFrom('yesterday', 'Fri, 20 Nov 2126 10:00:00 GMT'),
    Range: fc.constantFrom('bytes=5-1', 'bytes=0-', 'x'),
    'Content-Type': fc.constantFrom('application/json', 'text/plain', ''),
    'Accept-Encoding': fc.constantFrom('gzip', '*;q=0'),
  },
  { requiredKeys: [] },
);
const anyRequest: fc.Arbitrary<Sent> = fc.oneof(
  fc
    .tuple(fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'POST', 'DELETE'), get, headers)
    .map(([method, sent, sentHeaders]) => ({ method, ...sent, headers: { ...sentHeaders } })),
  fc.tuple(fc.constantFrom('POST', 'POST', 'POST', 'POST', 'PUT'), post, headers).map(([method, sent, sentHeaders]) => ({
    method,
    ...sent,
    headers: { 'Content-Type': 'application/json', ...sentHeaders },
  })),
);

/** Characters that no client can send in an address are encoded. */
function asSent(path: string): string {
  return path.replace(/[^!-~]/gu, (character) => encodeURIComponent(character)).replaceAll('#', '%23');
}

describeWith(['postgres'], 'malformed requests for archives', () => {
  let running: RunningRawData;
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });

  beforeAll(async () => {
    running = await startRawData();
    await running.inspection.create('pfuzz/', PART);
    const good = [{ name: 'a.txt', content: 'a' }, { name: 'folder/' }, { name: 'folder/b.txt', content: 'b'.repeat(1000) }];
    const bad = [
      { name: 'encrypted', flags: 0x801, content: 'x' },
      { name: 'wrong', content: 'x', crc: 1 },
    ];
    await put(0, zip([...good, ...bad]));
    await put(1, Buffer.from('no archive'));
  });
  afterAll(async () => {
    agent.destroy();
    await running.stop();
  });

  const put = async (key: number, bytes: Buffer) => {
    const answer = await fetch(`http://127.0.0.1:${running.port}${BASE}/part/${PART}/${key}`, {
      method: 'POST',
      headers: { 'Content-Disposition': '"a.zip"', 'Content-Type': 'application/zip' },
      body: new Uint8Array(bytes),
    });
    expect(answer.status).toBe(201);
  };
  const send = ({ method, path, headers: sentHeaders, body: text }: Sent) =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      const length = method === 'GET' || method === 'HEAD' ? {} : { 'Content-Length': Buffer.byteLength(text ?? '') };
      const client = httpRequest(
        { port: running.port, agent, method, path: asSent(path), headers: { ...sentHeaders, ...length }, timeout: 20_000 },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.once('error', reject);
          response.once('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('latin1') }));
        },
      );
      client.once('timeout', () => client.destroy(new Error('no answer within 20 s')));
      client.once('error', reject);
      client.end(text);
    });

  it(
    `get a 4xx answer, never 500 (${RUNS} requests)`,
    async () => {
      const seen = new Map<number, number>();
      await fc.assert(
        fc.asyncProperty(anyRequest, async (sent) => {
          // A valid deletion would remove the archives.
          fc.pre(sent.method !== 'DELETE' || sent.path.includes('/Archive'));
          const { status, text } = await send(sent);
          seen.set(status, (seen.get(status) ?? 0) + 1);
          if (status < 200 || status >= 500) throw new Error(`${status}: ${text}`);
        }),
        { numRuns: RUNS, endOnFailure: false },
      );
      for (const status of [200, 400, 404]) expect([status, (seen.get(status) ?? 0) > 0]).toEqual([status, true]);
      // One connection follows the parts.
      await eventually(() => running.database.poolUsage().requests.used <= 1);
      const listed = await fetch(`http://127.0.0.1:${running.port}${BASE}/part/${PART}/0/ArchiveEntries`);
      expect(await listed.json()).toMatchObject([{ entries: ['a.txt', 'folder/', 'folder/b.txt', 'encrypted', 'wrong'] }]);
    },
    180_000 + RUNS * MS_PER_RUN,
  );
});
