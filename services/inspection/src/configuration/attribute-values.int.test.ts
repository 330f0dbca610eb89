import { randomBytes, randomUUID } from 'node:crypto';
import { describeWith } from '@sinebar/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import request from 'supertest';
import { startInspection, type RunningInspection } from '../running-inspection.fixture.ts';
import { define, PlanClient, sql } from '../plan/plan-client.fixture.ts';
import { expectConsistentPlan } from '../plan/plan-consistency.fixture.ts';

const [TEXT, INTEGER, FLOAT, DATE, CATALOG, LONG, ONLY_OF_CHARACTERISTICS] = [1001, 1002, 1003, 1004, 1005, 1006, 2001];

describeWith(['postgres'], 'attribute values', () => {
  let inspection: RunningInspection;
  const plan = new PlanClient(() => inspection);
  beforeAll(async () => {
    inspection = await startInspection({ SINEBAR_VERSIONING: 'on' });
    await define(
      inspection,
      { key: TEXT, entity: 'part', type: 'AlphaNumeric', length: 10 },
      { key: INTEGER, entity: 'part', type: 'Integer' },
      { key: FLOAT, entity: 'part', type: 'Float' },
      { key: DATE, entity: 'part', type: 'DateTime' },
      { key: CATALOG, entity: 'part', type: 'Catalog', entries: [0, 7, 32767] },
      { key: LONG, entity: 'part', type: 'AlphaNumeric', length: 65_535 },
      { key: ONLY_OF_CHARACTERISTICS, entity: 'characteristic', type: 'AlphaNumeric' },
    );
  });
  afterAll(async () => {
    try {
      await expectConsistentPlan(inspection);
    } finally {
      await inspection.stop();
    }
  });

  const stored = async (attributes: object) => {
    const uuid = randomUUID();
    await plan.post('part', [{ uuid, path: `P:/${uuid}/`, attributes }]).expect(201);
    return (await plan.one('part', uuid)).attributes;
  };
  /** Sends the attributes as the given JSON text. */
  const storedText = async (attributes: string) => {
    const uuid = randomUUID();
    const answer = await request(inspection.server)
      .post('/dataServiceRest/parts')
      .set('Content-Type', 'application/json')
      .send(`[{"uuid":"${uuid}","path":"P:/${uuid}/","attributes":${attributes}}]`);
    return answer.status === 201 ? (await plan.one('part', uuid)).attributes : answer.status;
  };

  it.each<[string, number, string[]]>([
    [
      'a text',
      TEXT,
      [
        '',
        ' ',
        'a\u0000b'.replace('\u0000', ''),
        '1234567890',
        '😀😀😀😀😀😀😀😀😀😀',
        '"\\/\b\f\n\r\t',
        '\u2028\u0085\ufeff',
        'é',
        'e\u0301',
      ],
    ],
    ['a long text', LONG, ['x'.repeat(65_535), 'ü'.repeat(30_000), randomBytes(24_000).toString('hex')]],
    ['a whole number', INTEGER, ['0', '-0', '+5', '007', '2147483647', '-2147483648']],
    [
      'a number',
      FLOAT,
      ['0', '-0.0', '+1.50', '.5', '5.', '1e5', '-1E-300', '0.1000000000000000055511151231257827', '1.7976931348623157e308', '1e-400'],
    ],
    [
      'a time',
      DATE,
      ['2024-02-29', '2024-02-29T23:59', '0001-01-01T00:00:00', '9999-12-31T23:59:59.999999999Z', '2024-01-31T10:00:00.1+05:30'],
    ],
    ['a catalog entry', CATALOG, ['0', '7', '32767']],
  ])('returns %s character for character [I49, D1.8, D2.1, D10.4]', async (_name, key, values) => {
    for (const value of values) expect(await stored({ [key]: value })).toEqual({ [key]: value });
  });

  it.each<[string, number, unknown[]]>([
    ['a text', TEXT, ['12345678901', '😀😀😀😀😀😀😀😀😀😀x', 'half \ud83d', '\ude00', 'nul\0']],
    ['a long text', LONG, ['x'.repeat(65_536)]],
    ['a whole number', INTEGER, ['', ' 5', '5 ', '5.0', '1e3', '0x10', 'five', '2147483648', '9223372036854775808', true, 1.5, '١']],
    ['a number', FLOAT, ['', '1,5', '1 000', 'NaN', 'Infinity', '-Infinity', '1e309', '1e', '.', '0x1p3', '1_000', false]],
    [
      'a time',
      DATE,
      [
        '',
        '2024-02-30',
        '31.01.2024',
        '2024-01-31 10:00',
        '2024-01-31T24:00',
        '2024-01-31T10:00:00.1234567890Z',
        'now',
        20240131,
        '10000-01-01',
      ],
    ],
    ['a catalog entry', CATALOG, ['', '1', '-1', '+7', '07', '7.0', '32768', 'red']],
    ['a value of another entity type', ONLY_OF_CHARACTERISTICS, ['x']],
    ['a value that is not defined', 4711, ['x']],
  ])('refuses values that are not %s and names entity type, key and value [I102, I191, D2.2]', async (_name, key, values) => {
    const before = await plan.count('parts', 'depth=1');
    for (const value of values) {
      const uuid = randomUUID();
      const [status, message] = await plan.refused(
        plan.post('part', [
          { uuid: randomUUID(), path: `P:/${randomUUID()}/` },
          { uuid, path: `P:/${uuid}/`, attributes: { [key]: value } },
        ]),
      );
      expect([value, status]).toEqual([value, 400]);
      if (value === 'nul\0') continue;
      expect(message).toContain('[1].attributes: The part attribute');
      expect(message).toContain(`"${key}"`);
      expect(message).toContain(JSON.stringify(String(value).slice(0, 80)).slice(0, -1));
    }
    expect(await plan.count('parts', 'depth=1')).toBe(before);
  });

  it.each<[string, string]>([
    ['{"-1":"x"}', 'a negative key'],
    ['{"65536":"x"}', 'a key over 65535'],
    ['{"":"x"}', 'an empty key'],
    ['{"abc":"x"}', 'a word as key'],
    ['{"1001.0":"x"}', 'a fraction as key'],
    ['{"1001":{}}', 'an object as value'],
    ['{"1001":["x"]}', 'an array as value'],
    ['{"1001":"a","01001":"b"}', 'one key in two spellings'],
    ['[]', 'an array'],
    ['"x"', 'a text'],
    ['5', 'a number'],
    [`{"${FLOAT}":1e400}`, 'a number that overflows'],
    [`{"${FLOAT}":-1e400}`, 'a negative number that overflows'],
  ])('refuses the attributes %s: %s', async (attributes) => {
    expect(await storedText(attributes)).toBe(400);
  });

  it.each<[string, Record<string, string>]>([
    [`{"${FLOAT}":1.50}`, { [FLOAT]: '1.5' }],
    [`{"${FLOAT}":-0}`, { [FLOAT]: '-0' }],
    [`{"${FLOAT}":-0.0}`, { [FLOAT]: '-0' }],
    [`{"${FLOAT}":-0,"${INTEGER}":1234567890}`, { [FLOAT]: '-0', [INTEGER]: '1234567890' }],
    [`{"${INTEGER}":-0}`, { [INTEGER]: '-0' }],
    [`{"${FLOAT}":1E3}`, { [FLOAT]: '1000' }],
    [`{"${FLOAT}":1e21}`, { [FLOAT]: '1e+21' }],
    [`{"${FLOAT}":12345678901234567890.5}`, { [FLOAT]: '12345678901234567890.5' }],
    [`{"${FLOAT}":0.1000000000000000055511151231257827}`, { [FLOAT]: '0.1000000000000000055511151231257827' }],
    [`{"${INTEGER}":2147483647}`, { [INTEGER]: '2147483647' }],
    [`{"${INTEGER}":-1e2}`, { [INTEGER]: '-100' }],
    [`{"${TEXT}":true}`, { [TEXT]: 'true' }],
    [`{"${TEXT}":12}`, { [TEXT]: '12' }],
    [`{"0${TEXT}":"x"}`, { [TEXT]: 'x' }],
    [`{"${CATALOG}":7}`, { [CATALOG]: '7' }],
    [`{"${CATALOG}":null,"4711":null}`, {}],
    ['null', {}],
    ['{"__proto__":{"1001":"x"}}', {}],
  ])('accepts the attributes %s [I49, D2.1]', async (sent, expected) => {
    expect(await storedText(sent)).toEqual(expected);
  });

  it('returns all accepted texts and numbers unchanged [I49, D2.1]', async () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 18 });
    const item = fc.record(
      {
        [LONG]: fc.string({ unit: 'binary', maxLength: 300 }).map((text) => text.replaceAll('\0', '')),
        [INTEGER]: fc.oneof(
          fc.integer().map(String),
          digits.map((text) => text.slice(0, 9)),
        ),
        [FLOAT]: fc.oneof(
          fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
          fc
            .tuple(fc.constantFrom('', '-', '+'), digits, digits, fc.integer({ min: -250, max: 250 }))
            .map(([s, a, b, e]) => `${s}${a}.${b}e${e}`),
        ),
        [DATE]: fc
          .date({ min: new Date('0001-01-02T00:00:00Z'), max: new Date('9999-12-30T00:00:00Z'), noInvalidDate: true })
          .map((date) => date.toISOString()),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(item, { minLength: 1, maxLength: 20 }), async (items) => {
        const sent = items.map((attributes) => ({ uuid: randomUUID(), attributes: { ...attributes } }));
        await plan
          .post(
            'part',
            sent.map(({ uuid, attributes }) => ({ uuid, path: `P:/${uuid}/`, attributes })),
          )
          .expect(201);
        const read = await plan.list('part', `partUuids={${sent.map(({ uuid }) => uuid).join(',')}}`);
        const byUuid = new Map(read.map(({ uuid, attributes }) => [uuid, attributes]));
        for (const { uuid, attributes } of sent) expect(byUuid.get(uuid)).toEqual(attributes);
      }),
      { numRuns: 40 },
    );
  });

  it('returns only the requested attributes [I99, I101, D5.10]', async () => {
    const uuid = randomUUID();
    const all = { [TEXT]: 'a', [INTEGER]: '5', [FLOAT]: '1.50' };
    await plan.post('part', [{ uuid, path: `P:/${uuid}/`, attributes: all }]).expect(201);
    const cases: [string, object | 400][] = [
      ['', all],
      ['requestedPartAttributes=All', all],
      ['requestedpartattributes=all', all],
      ['requestedPartAttributes=None', {}],
      ['requestedPartAttributes=', {}],
      ['requestedPartAttributes={}', {}],
      [`requestedPartAttributes={${TEXT},%20${FLOAT}}`, { [TEXT]: 'a', [FLOAT]: '1.50' }],
      [`requestedPartAttributes=${INTEGER},4711`, { [INTEGER]: '5' }],
      ['requestedCharacteristicAttributes=None', all],
      ['requestedPartAttributes={x}', 400],
      ['requestedPartAttributes={-1}', 400],
      ['requestedPartAttributes={65536}', 400],
    ];
    for (const [query, expected] of cases) {
      const answers = [`parts/${uuid}?${query}`, `parts?partUuids={${uuid}}&${query}`, `inspectionPlanItems?itemUuids={${uuid}}&${query}`];
      for (const address of answers) {
        const { status, body } = (await plan.get(address)) as { status: number; body: unknown };
        const item = (Array.isArray(body) ? body[0] : body) as { attributes?: object };
        if (expected === 400 && address.includes('characteristics')) continue;
        expect([address, status === 200 ? item.attributes : status]).toEqual([address, expected]);
      }
    }
  });

  it('neither returns nor finds deleted attributes that are still stored', async () => {
    await define(inspection, { key: 1501, entity: 'part', type: 'AlphaNumeric' }, { key: 1502, entity: 'part', type: 'AlphaNumeric' });
    const uuid = randomUUID();
    await plan.post('part', [{ uuid, path: `P:/${uuid}/`, attributes: { 1501: 'kept', 1502: 'gone' } }]).expect(201);
    await plan.put('part', [{ uuid, attributes: { 1501: 'kept 2', 1502: 'gone' } }]).expect(200);
    await sql(inspection, `INSERT INTO attribute_purge (entity, key, requested_at) VALUES ('part', 1502, now())`);
    await sql(inspection, `DELETE FROM attribute_definition WHERE key = 1502`);
    // The key now belongs to characteristics, so values stored for parts do not count.
    await sql(inspection, `INSERT INTO attribute_definition (key, entity, description, type) VALUES (1502, 'characteristic', '', 'Float')`);
    await sql(inspection, `UPDATE server_state SET configuration_version = configuration_version + 1`);
    const part = await plan.one('part', uuid, 'withHistory=true');
    expect(part.attributes).toEqual({ 1501: 'kept 2' });
    expect(part.history?.[0]?.attributes).toEqual({ 1501: 'kept' });
    expect((await plan.list('part', `partUuids={${uuid}}&requestedPartAttributes={1501,1502}`))[0]?.attributes).toEqual({ 1501: 'kept 2' });
    expect(await plan.list('part', 'searchCondition=1502=[gone]')).toEqual([]);
    expect(await plan.count('characteristics', 'searchCondition=1502>[5]')).toBe(0);
    expect(await plan.count('inspectionPlanItems', 'restrictToEntity=Characteristic&searchCondition=1502>[5]')).toBe(0);
    await plan.post('part', [{ uuid: randomUUID(), path: 'P:/x/', attributes: { 1502: '5' } }]).expect(400);
  });
});
