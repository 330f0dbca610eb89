import { randomUUID } from 'node:crypto';
import { describeWith } from '@sinebar/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { size } from '@sinebar/testing/size';
import { startInspection, type RunningInspection } from '../../running-inspection.fixture.ts';
import { define, PlanClient } from '../../plan/plan-client.fixture.ts';
import { MeasurementClient } from '../measurement-client.fixture.ts';

const RUNS = size({ short: 50, long: 10_000 });
const MS_PER_RUN = 300;
const CHARACTERISTICS = 8;
const FLOAT_KEY = 7003;
const TEXT_KEY = 7101;

/** A value as it is sent, and as it must be read. */
interface Written {
  token: string;
  read: string;
}
/** The members of a measurement that are compared. */
interface Shown {
  uuid: string;
  attributes: object;
  characteristics: object;
}
/** A measurement as it is sent; `undefined` is a characteristic without a value. */
interface Sent {
  attribute: Written;
  values: readonly (Written | undefined)[];
  /** The characteristic at this index also has a text. */
  textAt: number;
}

const digits = (minLength: number, maxLength: number) => fc.string({ unit: fc.constantFrom(...'0123456789'), minLength, maxLength });
const double = fc.double({ noNaN: true, noDefaultInfinity: true });
/** Numbers at which the notation of ECMAScript, PostgreSQL or the storage changes. */
const edges = [
  ...[
    '0',
    '-0',
    '1e21',
    '1e-7',
    '0.000001',
    '1e15',
    '1000000000000000',
    '999999999999999.9',
    '0.0001',
    '1e-5',
    '9007199254740993',
    '5e-324',
  ],
  ...[
    '2.2250738585072011e-308',
    '1.7976931348623157e308',
    '123456789012345678901234567890',
    '0.1',
    '0.10',
    '0.30000000000000004',
    '1e-400',
  ],
  ...['1E5', '1e+5', '1e05', '100e-2', '-0.0', '0e0', '0.000000000000000000000000000000000000000000000000000000000000000001'],
];
const isFiniteNumber = (text: string) => Number.isFinite(Number(text));
const exponent = fc.tuple(fc.constantFrom('e', 'E'), fc.constantFrom('', '+', '-'), fc.nat(330)).map((parts) => parts.join(''));
const ofDouble = fc
  .tuple(double, fc.integer({ min: 1, max: 20 }), fc.nat(3))
  .map(
    ([value, digits, form]) => [String(value), value.toPrecision(17), value.toExponential(digits), value.toFixed(digits)][form] as string,
  );
const jsonNumber = fc
  .oneof(
    fc.constantFrom(...edges),
    ofDouble,
    fc.tuple(fc.constantFrom('', '-'), fc.stringMatching(/^(0|[1-9][0-9]{0,22})(\.[0-9]{1,40})?$/)).map((parts) => parts.join('')),
    fc.tuple(fc.stringMatching(/^-?[0-9](\.[0-9]{1,18})?$/), exponent).map((parts) => parts.join('')),
  )
  .filter((token) => isFiniteNumber(token) && /^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/.test(token));
const numberText = fc
  .oneof(
    jsonNumber,
    fc.tuple(fc.constantFrom('', '-', '+'), digits(1, 25), digits(0, 70)).map(([sign, a, b]) => `${sign}${a}${b && `.${b}`}`),
    fc.tuple(fc.constantFrom('', '-', '+'), digits(1, 18), digits(1, 18), exponent).map(([sign, a, b, e]) => `${sign}${a}.${b}${e}`),
    digits(1, 18).map((fraction) => `.${fraction}`),
    digits(1, 18).map((whole) => `${whole}.`),
  )
  .filter(isFiniteNumber);
const written: fc.Arbitrary<Written> = fc.oneof(
  numberText.map((text) => ({ token: JSON.stringify(text), read: text })),
  jsonNumber.map((token) => ({ token, read: shortestForm(token) })),
);
const sent: fc.Arbitrary<Sent> = fc.record({
  attribute: written,
  values: fc.array(fc.option(written, { freq: 6, nil: undefined }), { minLength: CHARACTERISTICS, maxLength: CHARACTERISTICS }),
  // An index beyond the last one means no text.
  textAt: fc.nat(CHARACTERISTICS * 3),
});

/** The shortest decimal form of a JSON number if a float64 holds it, otherwise the number as sent. spec: decisions.md 2.1 */
function shortestForm(token: string): string {
  const value = Number(token);
  const shortest = Object.is(value, -0) ? '-0' : String(value);
  const [a, b] = [decimalOf(shortest), decimalOf(token)];
  const least = Math.min(a.exponent, b.exponent);
  const scaled = ({ digits: all, exponent: power }: typeof a) => all * 10n ** BigInt(power - least);
  return scaled(a) === scaled(b) ? shortest : token;
}

function decimalOf(text: string): { digits: bigint; exponent: number } {
  const [mantissa = '', power = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}

describeWith(['postgres'], 'values and attributes of type Float', () => {
  let inspection: RunningInspection;
  let part = '';
  let characteristics: string[] = [];
  const plan = new PlanClient(() => inspection);
  const client = new MeasurementClient(() => inspection);

  beforeAll(async () => {
    inspection = await startInspection();
    await define(
      inspection,
      { key: FLOAT_KEY, entity: 'measurement', type: 'Float' },
      { key: TEXT_KEY, entity: 'value', type: 'AlphaNumeric' },
    );
    [part = ''] = await plan.create('P:/a/');
    characteristics = await client.manyCharacteristics(part, CHARACTERISTICS);
  });
  afterAll(() => inspection.stop());

  /** Builds the JSON by hand, because `JSON.stringify` would change the numbers. */
  const textOf = (uuid: string, { attribute, values, textAt }: Sent) => {
    const members = values.flatMap((value, i) => {
      if (value === undefined) return [];
      const text = i === textAt ? `"${TEXT_KEY}":"x",` : '';
      return [`"${characteristics[i]}":{${text}"1":${value.token}}`];
    });
    return `{"uuid":"${uuid}","partUuid":"${part}","attributes":{"${FLOAT_KEY}":${attribute.token}},"characteristics":{${members.join()}}}`;
  };
  const expected = (uuid: string, { attribute, values, textAt }: Sent): Shown => ({
    uuid,
    attributes: { [FLOAT_KEY]: attribute.read },
    characteristics: Object.fromEntries(
      values.flatMap((value, i) => {
        if (value === undefined) return [];
        return [[characteristics[i] ?? '', { ...(i === textAt && { [TEXT_KEY]: 'x' }), 1: value.read }]];
      }),
    ),
  });
  const shown = ({ uuid, attributes, characteristics: values }: Shown) => ({
    uuid,
    attributes,
    characteristics: values,
  });
  const listed = async (uuids: readonly string[]) => {
    const answer = await plan.get(`values?measurementUuids={${uuids.join()}}`).expect(200);
    const byUuid = new Map((answer.body as Shown[]).map((each) => [each.uuid, shown(each)]));
    return uuids.map((uuid) => byUuid.get(uuid));
  };

  it(
    `are returned as written, by POST and PUT, alone and in lists (${RUNS} cases) [D2.1]`,
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(sent, { minLength: 1, maxLength: 3 }), sent, async (first, second) => {
          const uuids = first.map(() => randomUUID() as string);
          const [one = ''] = uuids;
          await client.post('values', `[${first.map((each, i) => textOf(uuids[i] as string, each)).join()}]`).expect(201);
          expect(await listed(uuids)).toEqual(first.map((each, i) => expected(uuids[i] as string, each)));
          await client.put('values', `[${textOf(one, second)}]`).expect(200);
          const answer = await plan.get(`values/${one}`).expect(200);
          expect(shown(answer.body as Shown)).toEqual(expected(one, second));
        }),
        { numRuns: RUNS },
      );
    },
    180_000 + RUNS * MS_PER_RUN,
  );
});
