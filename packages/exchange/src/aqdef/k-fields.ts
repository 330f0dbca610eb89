/** How the text of a field is read. */
export type FieldKind = 'text' | 'number' | 'numbers' | 'time';

interface KField {
  kind: FieldKind;
  /** Most characters of a text, as AQDEF limits it. */
  length?: number;
}

const number: KField = { kind: 'number' };
const text = (length: number): KField => ({ kind: 'text', length });

/** Field and attribute with the type of a characteristic. The attribute 2004 is a direction, which AQDEF does not know. */
export const [TYPE_FIELD, TYPE_ATTRIBUTE] = [2004, 12_004] as const;

/** Fields that decide which values are good. */
export const LIMIT_KEYS: ReadonlySet<number> = new Set([2100, 2101, 2110, 2111, 2112, 2113, 2114, 2115, 2120, 2121, 2142]);

const FIELDS: ReadonlyMap<number, KField> = new Map<number, KField>([
  ...fields(number, [2, 20, 21]),
  [11, { kind: 'numbers' }],
  ...fields(text(255), [5, 9, 14, 16, 1900, 2900]),
  ...fields(text(30), [1001, 1041]),
  ...fields(text(80), [1002, 2002]),
  ...fields(text(20), [1003, 1004, 2001, 2003, 2142]),
  ...fields(text(40), [1086]),
  ...fields(number, [TYPE_FIELD, 2005, 2011, 2022, 2100, 2101, 2110, 2111, 2112, 2113, 2114, 2115, 2120, 2121, 2130, 2131, 2404]),
  ...fields(number, [8006, 8007, 8011, 8012, 8013, 8014, 8015, 8500, 8501, 8520, 8521]),
  [4, { kind: 'time' }],
]);

function fields(field: KField, keys: readonly number[]): [number, KField][] {
  return keys.map((key) => [key, field]);
}

const ANY_TEXT: KField = { kind: 'text' };

export function fieldOf(key: number): KField {
  return FIELDS.get(key) ?? ANY_TEXT;
}

/** Name of a field in files and messages, such as `K0001`. */
export function fieldName(key: number): string {
  return `K${String(key).padStart(4, '0')}`;
}

/** Stands in lists of keys for a field without meaning. */
const UNNAMED = 0;
/** Fields of a value in the order of a value line: value, attribute, time, events, batch, cavity, operator, machine, process, gage. */
export const VALUE_LINE_KEYS = [1, 2, 4, 5, 6, 7, 8, 10, 11, 12] as const;
/** The order for attributive characteristics, which have sample size and number of errors instead of a value. */
export const ATTRIBUTIVE_LINE_KEYS = [20, 21, UNNAMED, 2, 4, 5, 6, 7, 8, 10, 11, 12] as const;
/** The order of earlier exports of this product. */
export const OLD_ATTRIBUTIVE_LINE_KEYS = [20, 21, 2, 4, 5, 6, 7, 8, 10, 11, 12] as const;
/** Fields of a value that files have; those behind the known ones are left out. */
export const MAX_LINE_FIELDS = 12;
/** Value lines count the sample size of attributive characteristics in thousandths of parts. */
export const SIZE_FACTOR = 1000;

/** Types (K2004) of characteristics that count errors. */
export const ATTRIBUTIVE_TYPES: ReadonlySet<string> = new Set(['1', '5', '6']);

/** Fields that belong to one value and never to its whole measurement. */
export const KEYS_OF_ONE_VALUE: ReadonlySet<number> = new Set([1, 2, 20, 21]);
/** Batch, cavity and machine: values that differ in them are of different measurements. */
export const SPLITTING_KEYS = [6, 7, 10] as const;
/** Time, operator and gage: a measurement has one of each. */
export const KEYS_OF_FIRST_VALUE: ReadonlySet<number> = new Set([4, 8, 12]);

/** Separates the characteristics of a value line. */
export const CHARACTERISTIC_SEPARATOR = '\u000f';
/** Separates the fields of a value. */
export const FIELD_SEPARATOR = '\u0014';

const DELETED = '256';
/** K0002 of a position without a value: placeholder, and deleted. */
const NO_VALUE: ReadonlySet<string> = new Set(['255', DELETED]);

/** Whether K0002 says that the position has no value. */
export function isNoValue(attribute: string | undefined): boolean {
  return attribute !== undefined && attribute.length >= 3 && NO_VALUE.has(attribute.trim());
}

/** Whether K0002 says that the value was deleted. */
export function isDeleted(attribute: string | undefined): boolean {
  return attribute?.trim() === DELETED;
}

/** Catalogs: the keys of their fields, of which the first is the id, and the attribute whose values refer to them. */
export const CATALOGS: readonly { from: number; to: number; attribute: number }[] = [
  { from: 4000, to: 4009, attribute: 1062 },
  { from: 4020, to: 4029, attribute: 1072 },
  { from: 4060, to: 4069, attribute: 10 },
  { from: 4070, to: 4079, attribute: 12 },
  { from: 4090, to: 4099, attribute: 8 },
  { from: 4250, to: 4259, attribute: 7 },
  // Events of K0005. K4390 is their id by the rule of the other catalogs, and K4391 their text.
  { from: 4390, to: 4391, attribute: 4391 },
];

/** Field and attribute with the events of a value, such as `3` or `3,7`; those of a whole measurement have the index 0. */
export const EVENTS_KEY = 5;
const NUMBERS = /^[\d\s,]+$/;
/** K0005 of a value to which nothing happened, as programs write it that fill every field. */
export const NO_EVENT = '0';

/** Splits K0005: numbers stand between commas, and 0 is none; any other text is one event. */
export function splitEvents(written: string): string[] {
  const text = written.trim();
  if (!NUMBERS.test(text)) return text === '' ? [] : [text];
  const numbers = text.split(',').map((number) => number.trim().replace(/^0+(?=\d)/, ''));
  return [...new Set(numbers.filter((number) => number !== '' && number !== NO_EVENT))];
}
