import { randomUUID } from 'node:crypto';
import { describeWith, eventually, reachableBytes } from '@sinebar/testing';
import {
  expectErrorBody,
  oneOfEachKind,
  randomWireRequests,
  WireSender,
  type RequestFields,
  type WireRequest,
} from '@sinebar/testing/wire-requests';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import request from 'supertest';
import { size } from '@sinebar/testing/size';
import { FILE_BYTES, MALFORMED_SETTINGS, malformedRequests } from './malformed-requests.fixture.ts';
import { startRawData, type RunningRawData } from './running-raw-data.fixture.ts';

const RUNS = size({ short: 250, long: 10_000 });
const MS_PER_RUN = 60;
/** Maximum number of characters of an error body. */
const MAX_MESSAGE_LENGTH = 5000;
const BASE = '/rawDataServiceRest';
/** Maximum growth of the heap after the first request in bytes, including the data of fast-check and jest. */
const MAX_GROWTH = 24 * 2 ** 20;

describeWith(['postgres'], 'malformed requests about files', () => {
  let running: RunningRawData;
  let part: string;
  const sender = new WireSender(() => running.port);

  beforeAll(async () => {
    running = await startRawData({ env: MALFORMED_SETTINGS });
    part = await running.inspection.create('pbox/');
    for (let i = 0; i < 3; i += 1) {
      await request(running.server)
        .post(`${BASE}/rawData/part/${part}`)
        .set({ 'Content-Disposition': '"a.txt"', 'Content-Type': 'text/plain' })
        .send('x'.repeat(FILE_BYTES))
        .expect(201);
    }
  });
  afterAll(async () => {
    sender.close();
    await running.stop();
  });

  /** Reads everything that a request about files could change. */
  const stored = async () => ({
    files: await running.query('SELECT * FROM raw_data_object ORDER BY id'),
    thumbnails: await running.query('SELECT * FROM thumbnail'),
    removals: await running.query('SELECT * FROM blob_removal'),
    objects: await running.storedNames(),
    spooled: await running.spooled(),
    events: await running.envelopes(),
  });
  const expectHealthy = async () => {
    // One connection follows the parts.
    await eventually(() => running.database.poolUsage().requests.used <= 1 && running.database.poolUsage().streams.used === 0);
    await request(running.server).get(`${BASE}/rawDataInformation/part`).expect(200);
    expect(await running.spooled()).toEqual([]);
  };

  it(
    `get a 4xx with a message, write nothing and keep no memory (${RUNS} requests)`,
    async () => {
      const before = await stored();
      const seen = new Map<string, number>();
      const malformed = malformedRequests({ part });
      const examples = oneOfEachKind(malformed);
      const check = (runs: number) =>
        fc.assert(
          fc.asyncProperty(malformed, async (sent) => {
            const answer = await sender.send(sent);
            const route = `${sent.method} ${sent.path.split(/[/?]/)[2]} ${answer.status}`;
            seen.set(route, (seen.get(route) ?? 0) + 1);
            if (!sent.statuses.includes(answer.status))
              throw new Error(`${sent.mistake}: ${answer.status} instead of ${sent.statuses.join()}: ${answer.text.slice(0, 1000)}`);
            expectErrorBody(answer);
            expect(answer.text.length).toBeLessThan(MAX_MESSAGE_LENGTH);
          }),
          { numRuns: runs, endOnFailure: true, examples },
        );
      await check(Math.ceil(RUNS / 4));
      const memory = reachableBytes();
      await check(Math.ceil((RUNS * 3) / 4));
      expect(reachableBytes() - memory).toBeLessThan(MAX_GROWTH);
      expect(await stored()).toEqual(before);
      // Guards against a generator whose requests all fail at the same check.
      for (const method of ['GET', 'POST', 'PUT', 'DELETE']) expect([method, seen.has(`${method} rawData 400`)]).toEqual([method, true]);
      for (const method of ['GET', 'PUT']) expect([method, seen.has(`${method} rawDataInformation 400`)]).toEqual([method, true]);
      const statuses = new Set([...seen.keys()].map((route) => Number(route.slice(-3))));
      expect([...statuses].sort()).toEqual([400, 404, 405, 412, 413, 415, 416]);
      await expectHealthy();
    },
    180_000 + RUNS * MS_PER_RUN,
  );

  it(
    `from random parts never get 500 (${RUNS} requests)`,
    async () => {
      const seen = new Map<number, number>();
      await fc.assert(
        fc.asyncProperty(fc.oneof(randomWireRequests(BASE, randomFields(part)), randomUploads(part)), async (sent) => {
          const answer = await sender.send(sent);
          seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1);
          if (answer.status < 200 || answer.status >= 500) throw new Error(`${answer.status}: ${answer.text}`);
          if (answer.status >= 400 && sent.method !== 'HEAD') expectErrorBody(answer);
        }),
        { numRuns: RUNS, endOnFailure: true },
      );
      for (const status of [200, 201, 400, 404]) expect([status, (seen.get(status) ?? 0) > 0]).toEqual([status, true]);
      await expectHealthy();
      // Every row has its bytes, whatever was replaced and deleted.
      const rows = await running.query<{ name: string }>('SELECT object_name AS name FROM raw_data_object');
      expect(await running.storedNames()).toEqual(expect.arrayContaining(rows.map(({ name }) => name)));
      await eventually(async () => expect(await running.storedNames()).toHaveLength(rows.length), { timeoutMs: 20_000 });
    },
    180_000 + RUNS * MS_PER_RUN,
  );
});

function randomFields(part: string): RequestFields {
  const good = `/part/${part}`;
  return {
    good: [
      ['GET', '/'],
      ['GET', '/serviceInformation'],
      ...['rawDataInformation', 'rawData'].flatMap((base) => [['GET', `/${base}/part`] as const, ['GET', `/${base}${good}`] as const]),
      ...['0', '1', '-1', '0/thumbnail'].map((key) => ['GET', `/rawData${good}/${key}`] as const),
      ['PUT', `/rawDataInformation${good}/0`, { fileName: 'b.txt', mimeType: 'text/plain' }],
      ['DELETE', `/rawData${good}`],
      ['DELETE', `/rawData${good}/1`],
    ],
    parameters: ['uuids', 'filter', 'expectedMd5', 'key', 'FILTER', 'unknown', '%00', ''],
    parameterValues: [
      ...[
        '',
        '{}',
        '{',
        part,
        `{${part}}`,
        `{{${part}}}`,
        `${part}|${part}`,
        'true',
        'FALSE',
        'null',
        '0',
        '%00',
        '%ff',
        '%',
        "'",
        'not true',
      ],
      ...["FileName eq 'a.txt'", "FileName like '*%25_\\*'", 'Length gt 1e300', 'Length in (1,2,null)', "Created gt '-1d'", 'MD5 ne null'],
      ...['MimeType in ()', "(FileName eq 'a' or not (Length lt -5)) and true", "LastModified le '2024-01-31T00:00:00Z'", '0'.repeat(32)],
      ...[
        "Created gt '-999999999y'",
        "Created lt '9999-12-31T23:59:59Z'",
        'Length eq 99999999999999999999999999',
        "FileName eq '; DROP TABLE raw_data_object; --'",
      ],
    ],
    oddValues: [
      null,
      true,
      0,
      -1,
      '',
      ' ',
      [],
      {},
      '\u0000',
      '\ud83d',
      'ß.txt',
      'x'.repeat(2000),
      'a/b',
      'text/plain; charset=x',
      '__proto__',
    ],
    uuids: [part, randomUUID(), `${part}|${part}`],
  };
}

function randomUploads(part: string): fc.Arbitrary<WireRequest> {
  const headers = fc.record(
    {
      'Content-Type': fc.constantFrom('text/plain', 'image/png', 'text', 'a/b; c="d"', ''),
      'Content-Disposition': fc.constantFrom(
        '"a.txt"',
        'attachment; filename="b.png"',
        "attachment; filename*=UTF-8''%C3%A4.txt",
        'x',
        '',
        '"',
      ),
      'Content-MD5': fc.constantFrom('"', '0'.repeat(32), 'AAAAAAAAAAAAAAAAAAAAAA==', 'x'),
      'Content-Encoding': fc.constantFrom('gzip', 'deflate', 'identity', 'br'),
      'If-Match': fc.constantFrom('*', '"x"', ','),
      'If-None-Match': fc.constantFrom('*', '"x"'),
      Range: fc.constantFrom('bytes=0-1', 'bytes=', 'x'),
      Expect: fc.constant('100-continue'),
    },
    { requiredKeys: [] },
  );
  const asked = fc.constant({ 'Content-Type': 'text/plain', 'Content-Disposition': '"a.txt"' });
  return fc
    .record({
      method: fc.constantFrom('POST', 'PUT', 'POST', 'GET'),
      key: fc.constantFrom('', '/0', '/1', '/-1', '/5', '/x'),
      headers: fc
        .tuple(asked, fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, { weight: 3, arbitrary: headers }))
        .map(([a, b]) => ({ ...a, ...b })),
      body: fc.uint8Array({ maxLength: 3000 }).map((bytes) => Buffer.from(bytes)),
    })
    .map(({ method, key, headers: sent, body }) => ({ method, path: `${BASE}/rawData/part/${part}${key}`, headers: sent, body }));
}
