import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describeWith, eventually } from '@sinebar/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startInspection, type RunningInspection } from '../running-inspection.fixture.ts';
import { PlanClient, sql } from '../plan/plan-client.fixture.ts';
import { MeasurementClient, plainValues } from './measurement-client.fixture.ts';

const MEGABYTE = 2 ** 20;

describeWith(['postgres'], 'many measurements, many clients and broken bodies', () => {
  let inspection: RunningInspection;
  const plan = new PlanClient(() => inspection);
  const client = new MeasurementClient(() => inspection);
  let part = '';
  let characteristics: string[] = [];

  beforeAll(async () => {
    inspection = await startInspection();
    [part = ''] = await plan.create('P:/Large/');
    characteristics = await client.manyCharacteristics(part, 20);
  });
  afterAll(() => inspection.stop());

  const valuesOf = (value: unknown) => plainValues(Object.fromEntries(characteristics.map((uuid) => [uuid, value])));

  it('stores 20,000 measurements of one body in order, with at most 1,000 events per message', async () => {
    const [own = ''] = await plan.create('P:/Many/');
    const [one = ''] = await plan.create('PC:/Many/x/');
    const uuids = Array.from({ length: 20_000 }, () => randomUUID());
    const before = (await inspection.envelopes()).length;
    await client
      .post(
        'values',
        uuids.map((uuid, i) => ({ uuid, partUuid: own, characteristics: plainValues({ [one]: i }) })),
      )
      .expect(201);
    const rows = await sql<{ uuid: string; value: number }>(
      inspection,
      'SELECT uuid, "values"[1] AS value FROM measurement WHERE part_id = (SELECT id FROM plan_item WHERE uuid = $1) ORDER BY id',
      [own],
    );
    expect(rows.map(({ uuid }) => uuid)).toEqual(uuids);
    expect(rows.every(({ value }, i) => value === i)).toBe(true);
    const events = (await inspection.envelopes()).slice(before).map(({ data }) => data.events.length);
    expect(events).toEqual(Array.from({ length: 20 }, () => 1000));
    const modified = (await inspection.envelopes()).length;
    await client
      .put(
        'values',
        uuids.map((uuid) => ({ uuid })),
      )
      .expect(200);
    const removals = (await inspection.envelopes()).slice(modified);
    expect(removals.flatMap(({ data }) => data.events)).toHaveLength(20_000);
    expect(removals.every(({ data }) => data.removedCharacteristics?.[0] === one)).toBe(true);
  });

  it('stores a value of each of 10,000 characteristics, full or with gaps, and reports deleted ones', async () => {
    const [own = ''] = await plan.create('P:/Wide/');
    const wide = await client.manyCharacteristics(own, 10_000);
    const [full, gaps] = [randomUUID(), randomUUID()];
    const some = wide.filter((_, i) => i % 3 !== 0);
    await client
      .post('values', [
        {
          uuid: full,
          partUuid: own,
          characteristics: plainValues(Object.fromEntries([...wide].reverse().map((uuid) => [uuid, uuid.length / 7]))),
        },
        {
          uuid: gaps,
          partUuid: own,
          characteristics: plainValues(Object.fromEntries(some.map((uuid, i) => [uuid, i % 2 ? `${i}.50` : i]))),
        },
      ])
      .expect(201);
    expect(await client.texts(full)).toEqual(plainValues(Object.fromEntries(wide.map((uuid) => [uuid, String(36 / 7)]))));
    expect(await client.texts(gaps)).toEqual(plainValues(Object.fromEntries(some.map((uuid, i) => [uuid, i % 2 ? `${i}.50` : String(i)]))));
    const before = (await inspection.envelopes()).length;
    await client.put('values', [{ uuid: full, characteristics: plainValues({ [wide[0] as string]: 1 }) }]).expect(200);
    const [envelope] = (await inspection.envelopes()).slice(before);
    expect(new Set(envelope?.data.removedCharacteristics)).toEqual(new Set(wide.slice(1)));
  });

  it('never mixes two writers of one measurement, whatever the order of their characteristics [I166]', async () => {
    const uuid = randomUUID();
    await client.post('values', [{ uuid, partUuid: part, characteristics: valuesOf(0) }]).expect(201);
    const versions = Array.from({ length: 24 }, (_, i) =>
      i % 3 === 0 ? valuesOf(`${i}.50`) : plainValues({ [characteristics[i % 20] as string]: i }),
    );
    const read = async () => JSON.stringify(sorted((await client.texts(uuid)) ?? {}));
    const possible = new Set([valuesOf('0'), ...versions].map((values) => JSON.stringify(sorted(asTexts(values)))));
    const seen: string[] = [];
    await Promise.all([
      ...versions.map((values) => client.put('values', [{ uuid, characteristics: values }]).expect(200)),
      (async () => {
        for (let i = 0; i < 20; i += 1) seen.push(await read());
      })(),
    ]);
    seen.push(await read());
    for (const state of seen) expect(possible.has(state)).toBe(true);
  });

  it('lets one of eight clients create the same measurements at the same time', async () => {
    const shared = Array.from({ length: 10 }, () => randomUUID());
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        client.post(
          'values',
          [...shared].sort(() => (i % 2 ? 1 : -1)).map((uuid) => ({ uuid, partUuid: part, characteristics: valuesOf(i) })),
        ),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
    const winner = answers.findIndex(({ status }) => status === 201);
    for (const uuid of shared) expect(await client.texts(uuid)).toEqual(asTexts(valuesOf(winner)));
  });

  it('answers each of many clients for its own measurement in a shared transaction', async () => {
    const before = (await inspection.envelopes()).length;
    const taken = randomUUID();
    await client.post('values', [{ uuid: taken, partUuid: part, characteristics: valuesOf(0) }]).expect(201);
    const right = Array.from({ length: 30 }, (_, i) => ({ uuid: randomUUID(), partUuid: part, characteristics: valuesOf(i) }));
    const wrong = [
      { uuid: taken, partUuid: part },
      { uuid: randomUUID(), partUuid: randomUUID() },
      { uuid: randomUUID(), partUuid: part, characteristics: plainValues({ [randomUUID()]: 1 }) },
      { uuid: randomUUID(), partUuid: part, attributes: { 4: 'never' } },
      { uuid: randomUUID(), partUuid: part, characteristics: { [characteristics[0] ?? '']: { 1: '1', 4711: 'x' } } },
    ];
    const sent = right.flatMap((measurement, i) => [measurement, ...(i % 6 === 0 ? [wrong[i / 6]] : [])]);
    const answers = await Promise.all(sent.map(async (measurement) => (await client.post('values', [measurement])).status));
    expect(answers).toEqual(sent.map((measurement) => (measurement === wrong[0] ? 409 : wrong.includes(measurement as never) ? 400 : 201)));
    for (const [i, { uuid }] of right.entries()) expect(await client.texts(uuid)).toEqual(asTexts(valuesOf(i)));
    const announced = (await inspection.envelopes())
      .slice(before)
      .flatMap(({ data }) => data.events.map((event) => (event as { MeasurementUuid: string }).MeasurementUuid));
    expect(announced.sort()).toEqual([taken, ...right.map(({ uuid }) => uuid)].sort());
  });

  it('keeps all values of eight clients that write while characteristics are added', async () => {
    const [own = '', first = ''] = await plan.create('P:/Busy/', 'PC:/Busy/0/');
    const known = [first];
    const sent = new Map<string, Record<string, { 1: unknown }>>();
    let growing = true;
    const writer = async () => {
      const end = Date.now() + 20_000;
      while (growing && Date.now() < end) {
        const uuid = randomUUID();
        const values = plainValues(Object.fromEntries(known.filter(() => Math.random() < 0.8).map((each) => [each, Math.random()])));
        await client.post('values', [{ uuid, partUuid: own, characteristics: values }]).expect(201);
        sent.set(uuid, values);
      }
    };
    const grow = async () => {
      try {
        for (let i = 1; i <= 12; i += 1) known.push(...(await plan.create(`PC:/Busy/${i}/`)));
      } finally {
        growing = false;
      }
    };
    await Promise.all([grow(), ...Array.from({ length: 8 }, writer)]);
    expect(sent.size).toBeGreaterThan(8);
    for (const [uuid, values] of sent) expect(await client.texts(uuid)).toEqual(asTexts(values));
    const [sets] = await sql<{ count: number }>(
      inspection,
      'SELECT count(*)::int AS count FROM characteristic_set WHERE part_id = (SELECT id FROM plan_item WHERE uuid = $1)',
      [own],
    );
    expect(sets?.count).toBeLessThanOrEqual(13);
  });

  it('stores nothing of a truncated body and frees its resources', async () => {
    const before = await client.count(part);
    const whole = JSON.stringify(Array.from({ length: 500 }, () => ({ uuid: randomUUID(), partUuid: part, characteristics: valuesOf(1) })));
    const { port } = inspection.server.address() as AddressInfo;
    for (const cut of [10, 1000, whole.length - 1]) {
      const received = once(inspection.server, 'request');
      const socket = connect(port, '127.0.0.1');
      socket.write(
        `POST /dataServiceRest/values HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${whole.length}\r\n\r\n`,
      );
      socket.write(whole.slice(0, cut));
      await received;
      socket.destroy();
      const [status, message] = await plan.refused(client.post('values', whole.slice(0, cut)));
      expect([status, message]).toEqual([400, expect.stringContaining('not valid JSON')]);
    }
    await eventually(() => {
      expect(inspection.database.poolUsage().requests.used).toBe(0);
    });
    expect(await client.count(part)).toBe(before);
  });

  it.each([
    ['deep arrays', `[{"uuid":"${randomUUID()}","junk":${'['.repeat(100_000)}`, 'nested'],
    ['deep values', `[{"uuid":"${randomUUID()}","characteristics":${'{"a":'.repeat(100_000)}`, 'nested'],
    ['a million brackets', '['.repeat(1_000_000), 'nested'],
    ['an endless number', `[{"uuid":"${randomUUID()}","characteristics":{"${randomUUID()}":{"1":${'9'.repeat(1_000_000)}}}}]`, ''],
    ['no array', '{}', 'array'],
    ['nothing', '', 'needs a JSON body'],
    ['no UTF-8', Buffer.from([0x5b, 0xff, 0x5d]), 'UTF-8'],
    ['U+0000', `[{"uuid":"${randomUUID()}","partUuid":"${randomUUID()}","attributes":{"4":"\\u0000"}}]`, 'U+0000'],
  ])('refuses %s at once [I6]', async (_, body, sentence) => {
    const begun = performance.now();
    const [status, message] = await plan.refused(client.post('values', body));
    expect([status, message]).toEqual([400, expect.stringContaining(sentence)]);
    expect(message.length).toBeLessThan(1000);
    expect(performance.now() - begun).toBeLessThan(15_000);
  });

  it('accepts compressed bodies and refuses other types', async () => {
    const uuid = randomUUID();
    const body = gzipSync(JSON.stringify([{ uuid, partUuid: part, characteristics: valuesOf(1) }]));
    await client.post('values', body).set('Content-Encoding', 'gzip').expect(201);
    expect(await client.texts(uuid)).toEqual(asTexts(valuesOf(1)));
    await client.post('values', '[]').set('Content-Type', 'text/csv').expect(415);
    await client.post('values', Buffer.alloc(65 * MEGABYTE, 0x20)).expect(413);
  });

  it('accepts a body of 60 MB without using a multiple of its size in memory', async () => {
    const [own = ''] = await plan.create('P:/Heavy/');
    const many = await client.manyCharacteristics(own, 1000);
    const values = many.map((uuid) => `"${uuid}":{"1":"12.34567"}`).join(',');
    const one = (i: number) =>
      `{"uuid":"${i.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000","partUuid":"${own}","characteristics":{${values}}}`;
    const count = Math.floor((60 * MEGABYTE) / one(0).length);
    const body = Buffer.from(`[${Array.from({ length: count }, (_, i) => one(i)).join(',')}]`);
    const before = process.memoryUsage().rss;
    let peak = before;
    const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 5);
    const begun = performance.now();
    await client.post('values', body).expect(201);
    clearInterval(watch);
    expect(await client.count(own)).toBe(count);
    // Client and server share this process, so the limit covers the client's copy, the body in chunks and as a whole, and the statement.
    expect((peak - before) / MEGABYTE).toBeLessThan(350);
    expect(performance.now() - begun).toBeLessThan(60_000);
  });
});

function asTexts(values: Record<string, { 1: unknown }>): Record<string, { 1: string }> {
  return Object.fromEntries(Object.entries(values).map(([uuid, { 1: value }]) => [uuid, { 1: String(value) }]));
}

function sorted(values: object): [string, unknown][] {
  return Object.entries(values as Record<string, unknown>).sort(([x], [y]) => (x < y ? -1 : 1));
}
