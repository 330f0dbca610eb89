import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { asSent, type WireRequest } from '../plan/random-requests.fixture.ts';

export interface MalformedContext {
  /** A part with characteristics, the first of them measured. */
  part: string;
  characteristics: readonly string[];
  otherPart: string;
  otherCharacteristic: string;
  measurements: readonly string[];
}

export interface MalformedRequest extends WireRequest {
  mistake: string;
  statuses: readonly number[];
}

/** Attribute definitions that the requests rely on: key, entity type, type. */
export const MALFORMED_DEFINITIONS = [
  { key: 7001, entity: 'measurement', type: 'AlphaNumeric', length: 5 },
  { key: 7002, entity: 'measurement', type: 'Integer' },
  { key: 7003, entity: 'measurement', type: 'Float' },
  { key: 7004, entity: 'measurement', type: 'Catalog', entries: [0, 3] },
  { key: 7101, entity: 'value', type: 'AlphaNumeric', length: 5 },
  { key: 7102, entity: 'value', type: 'Integer' },
  { key: 7103, entity: 'value', type: 'DateTime' },
] as const;

export type Arbitrary<T> = fc.Arbitrary<T>;
/** A word that is no number, uuid, keyword or list. */
export const word = fc.stringMatching(/^[qvxzäß~]{1,8}$/);
export const uuid = fc.constant(0).map(() => randomUUID() as string);
export const notUuid = fc.oneof(
  word,
  fc.constantFrom('0', '-1', 'null', '00000000-0000-0000-0000-00000000000g', '*', '{}}', "'; DROP TABLE measurement; --"),
  uuid.map((text) => text.slice(1)),
  uuid.map((text) => `${text}0`),
  uuid.map((text) => text.replace('-', '_')),
);
export const notKey = fc.oneof(word, fc.constantFrom('-1', '65536', '1.5', '1e3', '99999999999999999999', '0x10', '１'));
export const notDate = fc.oneof(
  word,
  fc.constantFrom(
    '2024-13-01',
    '2024-02-30',
    '24-01-01',
    '0000-01-01',
    '10000-01-01',
    '2024-01-01T25:00:00Z',
    '2024-01-01T10:60',
    '01.02.2024',
    '1714550400',
  ),
);
export const notNumber = fc.oneof(
  word,
  fc.constantFrom('NaN', 'Infinity', '-Infinity', '1,5', '0x10', '1e', '--1', '1_000', '.', '1 5', '1e400', '-1e999', '9'.repeat(400)),
);
export function request(
  method: string,
  path: string,
  mistake: string,
  statuses: readonly number[],
  body?: string | Buffer,
  headers = JSON_TYPE,
): MalformedRequest {
  return { method, path: asSent(`/dataServiceRest/${path}`), headers, body, mistake, statuses };
}

export const JSON_TYPE: Record<string, string> = { 'Content-Type': 'application/json' };
