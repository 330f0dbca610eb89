import { randomUUID } from 'node:crypto';
import { GrammarError, parseSearchCondition, type AttributeType, type PlanItemKind } from '@sinebar/query-language';
import { describeWith } from '@sinebar/testing';
import { matches } from '@sinebar/testing/conditions';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { size } from '@sinebar/testing/size';
import { startInspection, type RunningInspection } from '../running-inspection.fixture.ts';
import { define, PlanClient, sql } from './plan-client.fixture.ts';
import { expectConsistentPlan } from './plan-consistency.fixture.ts';

const CASES = size({ short: 300, long: 10_000 });
const ENTRIES = [0, 1, 2, 10, 300, 32_767];

/** Values that are equal or nearly equal by one rule and different by another. */
const VALUES: Readonly<Record<AttributeType, readonly string[]>> = {
  AlphaNumeric: [
    ...[
      '',
      ' ',
      'a',
      'A',
      'a ',
      'ab',
      'Ab',
      'aB',
      'b',
      'ä',
      'Ä',
      'a\u0308',
      'ß',
      'ẞ',
      'ss',
      'SS',
      'İ',
      'I',
      'ı',
      'i',
      'Σ',
      'ς',
      'σ',
      '😀',
      '\uff21',
    ],
    ...[
      '%',
      '_',
      '\\',
      '\\%',
      'a%b',
      'a_b',
      'axb',
      'a\\b',
      "'",
      "''",
      "O'Brien",
      '"',
      '""',
      '[',
      ']',
      '[a]',
      'a]b',
      'a,b',
      'a+b',
      'a b',
      '10',
      '9',
      '1.0',
    ],
    ...[
      '2024-01-31',
      'x'.repeat(199),
      `${'x'.repeat(200)}1`,
      `${'X'.repeat(200)}2`,
      '\u2028',
      '\t',
      '{a}',
      '$1',
      '$$',
      ':a',
      '?',
      '%41',
      '1=[a]',
    ],
  ],
  Integer: [
    '0',
    '-0',
    '+0',
    '007',
    '7',
    '-7',
    '10',
    '9223372036854775807',
    '9223372036854775806',
    '-9223372036854775808',
    '12345678901234567',
  ],
  Float: [
    '0',
    '-0',
    '0.0',
    '.5',
    '0.5',
    '5e-1',
    '5.',
    '5',
    '1e308',
    '-1e308',
    '1e-400',
    '0.1',
    '0.10000000000000001',
    '-2.5',
    '1E3',
    '1000',
    '+7',
  ],
  DateTime: [
    ...[
      '2024-01-31',
      '2024-01-31T00:00',
      '2024-01-31T00:00:00Z',
      '2024-01-31T01:00:00+01:00',
      '2024-01-30T23:59:59.9999999Z',
      '2024-01-31T00:00:00.0000009',
    ],
    ...[
      '0001-01-01T00:00:00+01:00',
      '0001-01-01',
      '9999-12-31T23:59:59.999999999Z',
      '9999-12-31T23:59:59-15:59',
      '1969-12-31T23:59:59.5',
      '2024-02-29T12:00:00.000001',
    ],
  ],
  Catalog: ENTRIES.map(String),
};
const TYPES = Object.keys(VALUES) as AttributeType[];
const OPERATORS = ['=', '<>', '<', '>', '<=', '>=', 'In', 'NotIn', 'Like'];
const KINDS: readonly PlanItemKind[] = ['part', 'characteristic'];

/** Two attributes of each type for each kind of item: parts 1000 to 1009, characteristics 2000 to 2009. */
const DEFINITIONS = KINDS.flatMap((kind, k) => [...TYPES, ...TYPES].map((type, i) => ({ key: (k + 1) * 1000 + i, entity: kind, type })));
const TYPE_OF = new Map(DEFINITIONS.map(({ key, type }) => [key, type]));
const UNDEFINED_KEY = 4711;

const keysOf = (kind: PlanItemKind) => DEFINITIONS.filter(({ entity }) => entity === kind).map(({ key }) => key);

function attributesOf(kind: PlanItemKind): fc.Arbitrary<Record<string, string>> {
  const shape = keysOf(kind).map((key) => [String(key), fc.constantFrom(...VALUES[TYPE_OF.get(key) as AttributeType])] as const);
  return fc
    .record(Object.fromEntries(shape), { requiredKeys: [] })
    .map((attributes) =>
      Object.fromEntries(Object.entries(attributes).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]]))),
    );
}

function mutatedText(text: string): fc.Arbitrary<string> {
  const characters = [...text];
  return fc.oneof(
    fc.constant(text),
    fc.constant(text.toUpperCase()),
    fc.constant(text.toLowerCase()),
    fc.nat(characters.length).map((at) => `${characters.slice(0, at).join('')}%${characters.slice(at + 1).join('')}`),
    fc.nat(characters.length).map((at) => `%${characters.slice(at).join('')}`),
    fc.nat(characters.length).map((at) => `${characters.slice(0, at).join('')}_${characters.slice(at + 1).join('')}`),
    fc.constant(`'${text.replaceAll("'", "''")}'`),
  );
}

/** Texts of conditions, most of them valid; the grammar decides. */
function conditionOf(kind: PlanItemKind): fc.Arbitrary<string> {
  const keys = keysOf(kind);
  return fc
    .oneof({ weight: 20, arbitrary: fc.constantFrom(...keys) }, { weight: 1, arbitrary: fc.constant(UNDEFINED_KEY) })
    .chain((key) => {
      const type = TYPE_OF.get(key) ?? 'AlphaNumeric';
      const value = fc.oneof(
        {
          weight: 8,
          arbitrary: fc.constantFrom(...VALUES[type]).chain((text) => (type === 'AlphaNumeric' ? mutatedText(text) : fc.constant(text))),
        },
        { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 6 }) },
        { weight: 1, arbitrary: fc.constantFrom('2.5', '1e400', '+05', ' 7 ', '32768', '-1', 'x', '2024') },
      );
      const list = fc.array(value, { maxLength: 4 }).map((values) => values.join(','));
      return fc
        .constantFrom(...OPERATORS.filter((operator) => operator !== 'Like' || type === 'AlphaNumeric'))
        .chain((operator) => (operator.endsWith('In') ? list : value).map((text) => `${key}${operator}[${text}]`));
    });
}

const searchOf = (kind: PlanItemKind) =>
  fc
    .array(conditionOf(kind), { minLength: 1, maxLength: 3 })
    .chain((conditions) => fc.constantFrom('+', ' + ', ' ').map((joint) => conditions.join(joint)));

interface Known {
  uuid: string;
  kind: PlanItemKind;
  path: string;
  attributes: Record<string, string>;
}

describe.each([false, true])('searches, case-sensitive %s', (caseSensitive) => {
  describeWith(['postgres'], 'of the plan', () => {
    let inspection: RunningInspection;
    let known: Known[] = [];
    const plan = new PlanClient(() => inspection);

    beforeAll(async () => {
      inspection = await startInspection({ SINEBAR_SEARCH_CASE_SENSITIVE: caseSensitive });
      await define(inspection, ...DEFINITIONS.map((definition) => ({ ...definition, entries: ENTRIES })));
      known = KINDS.flatMap((kind) => {
        const uuids = Array.from({ length: 150 }, () => randomUUID());
        const sampled = fc.sample(attributesOf(kind), uuids.length);
        return uuids.map((uuid, i) => ({ uuid, kind, path: `${kind === 'part' ? 'P' : 'C'}:/${i}/`, attributes: sampled[i] ?? {} }));
      });
      for (const kind of KINDS)
        await plan
          .post(
            kind,
            known.flatMap(({ attributes: _later, ...item }) => (item.kind === kind ? item : [])),
          )
          .expect(201);
      // Some of the values could be written by earlier versions only.
      await sql(
        inspection,
        `UPDATE plan_item SET attributes = item.attributes
         FROM unnest($1::uuid[], $2::jsonb[]) AS item (uuid, attributes) WHERE plan_item.uuid = item.uuid`,
        [known.map(({ uuid }) => uuid), known.map(({ attributes }) => JSON.stringify(attributes))],
      );
    });
    afterAll(async () => {
      try {
        await expectConsistentPlan(inspection);
      } finally {
        await inspection.stop();
      }
    });

    /** Returns what the search must find, or 400. */
    const expected = (kind: PlanItemKind, text: string): string[] | 400 => {
      try {
        const search = parseSearchCondition(text);
        if (search.conditions.some(({ field }) => field.kind === 'attribute' && field.key === UNDEFINED_KEY)) return 400;
        const typeOf = (key: number) => (keysOf(kind).includes(key) ? TYPE_OF.get(key) : undefined);
        const read = (attributes: Record<string, string>) => (field: { kind: string; key?: number }) => attributes[String(field.key)];
        return known
          .filter((item) => item.kind === kind && matches(search, read(item.attributes), { typeOf, caseSensitive }))
          .map(({ uuid }) => uuid)
          .sort();
      } catch (error) {
        if (error instanceof GrammarError) return 400;
        throw error;
      }
    };
    const found = async (address: string): Promise<string[] | number> => {
      const { status, body } = (await plan.get(address)) as { status: number; body: unknown };
      return status === 200 && Array.isArray(body) ? (body as Known[]).map(({ uuid }) => uuid).sort() : status;
    };

    it(`find what the evaluator of the query language finds (${CASES} conditions) [I65-I67, I100, I114, I121, I130, D1.5]`, async () => {
      let hits = 0;
      const target = fc.constantFrom('list', 'list', 'count', 'items' as const);
      const search = fc.constantFrom(...KINDS).chain((kind) => fc.tuple(fc.constant(kind), searchOf(kind), target));
      await fc.assert(
        fc.asyncProperty(search, async ([kind, text, form]) => {
          const resource = kind === 'part' ? 'parts' : 'characteristics';
          const query = `searchCondition=${encodeURIComponent(text)}`;
          const restriction = kind === 'part' ? 'Part' : 'CharacteristicWithoutIntermediateParts';
          const wanted = expected(kind, text);
          if (Array.isArray(wanted) && wanted.length > 0 && wanted.length < 150) hits += 1;
          if (form === 'count') {
            const { status, body } = (await plan.get(`${resource}/count?${query}`)) as { status: number; body: { count?: number } };
            expect(status === 200 ? body.count : status).toEqual(Array.isArray(wanted) ? wanted.length : wanted);
          } else {
            const address = form === 'list' ? `${resource}?${query}` : `inspectionPlanItems?restrictToEntity=${restriction}&${query}`;
            expect(await found(address)).toEqual(wanted);
          }
        }),
        { numRuns: CASES },
      );
      // Guards against a generator whose conditions match nothing or everything.
      expect(hits).toBeGreaterThan(CASES / 4);
    });

    it('accepts a plus that was not encoded and arrives as a blank [I9, I66]', async () => {
      const [one] = known.filter(({ attributes }) => attributes['1000'] === 'a' || attributes['1000'] === 'b');
      const text = `1000In[a,b]+1000NotIn[c]`;
      expect(await found(`parts?searchCondition=${text}`)).toEqual(expected('part', text));
      expect(await found(`parts?searchCondition=${text.replaceAll('+', '%2B')}`)).toEqual(expected('part', text));
      if (one) expect(await found(`parts?searchCondition=${text}`)).toContain(one.uuid);
    });

    it.each<[string, RegExp]>([
      ['1000', /operator .*at character 5/],
      ['1000=a', /square brackets .*at character 6/],
      ['1000=[a', /at character 6/],
      ['1000=[a]%2B', /Another condition .*at character 9/],
      ['65536=[a]', /attribute key .*at character 1/],
      ['colour=[red]', /attribute key .*at character 1/],
      ['1001=[x]', /Attribute 1001 has the type Integer.*at character 7/],
      ['1000=[a]%2B1003>[yesterday]', /DateTime.*at character 16/],
      ['1004In[1,red]', /catalog entry.*at character 10/],
      ['1002Like[1%25]', /Like compares texts.*at character 1/],
      ['LastModified>[2024-01-31]', /LastModified is a field of measurements only.*at character 1/],
      ['1000=[a]%2BCreated<[2024-01-31]', /Created is a field of measurements only.*at character 10/],
      ['4711=[a]', /no attribute 4711.*at character 1/],
      ['1000=[a]%2B4711<>[b]', /no attribute 4711.*at character 10/],
      ['1000=[%00]', /U\+0000/],
      ['1000=[%ff]', /percent-encoded/],
    ])('refuses %s [I100, I121, D1.5]', async (text, message) => {
      for (const resource of ['parts', 'parts/count', 'inspectionPlanItems', 'inspectionPlanItems/count']) {
        expect(await plan.refused(plan.get(`${resource}?searchCondition=${text}`))).toEqual([400, expect.stringMatching(message)]);
      }
    });

    it.each(['1=[2]', '4>[2024-01-31]'])('accepts the key of %s before it is defined', async (text) => {
      expect(await found(`parts?searchCondition=${text}`)).toEqual([]);
      expect(await plan.count('characteristics', `searchCondition=${text}`)).toBe(0);
    });

    it('refuses a search that is too long [D10.2]', async () => {
      const answer = await plan.refused(plan.get(`parts?searchCondition=1000=[${'a'.repeat(17_000)}]`));
      expect(answer).toEqual([400, expect.stringMatching(/longer than 16384 bytes/)]);
    });

    it('ignores an empty search and refuses a repeated parameter', async () => {
      expect(await plan.count('parts', 'searchCondition=')).toBe(151);
      await plan.get('parts?searchCondition=1000=[a]&searchcondition=1000=[b]').expect(400);
    });

    it('distinguishes long texts with the same beginning', async () => {
      const [first, second] = [randomUUID(), randomUUID()];
      const long = 'y'.repeat(230);
      await plan
        .post('part', [
          { uuid: first, path: 'P:/long 1/', attributes: { 1000: `${long}1` } },
          { uuid: second, path: 'P:/long 2/', attributes: { 1000: `${long}2` } },
        ])
        .expect(201);
      expect(await found(`parts?searchCondition=1000=[${long}2]`)).toEqual([second]);
      expect(await found(`parts?searchCondition=1000In[${long}1,z]`)).toEqual([first]);
      await plan.delete(`parts?partUuids={${first},${second}}`).expect(200);
    });
  });
});
