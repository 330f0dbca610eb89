import type { Attributes } from '../content.ts';
import { cleaned } from '../texts.ts';
import { shown, UnreadableFileError } from '../problems.ts';
import { distinctNames, fixedColumn, holdsByName, keyOfColumn, unmarked, type AttributeNames } from './column-names.ts';
import type { ColumnMapping, TableMapping } from './table-mapping.ts';
import { namesOf } from './names-of.ts';

/** Most columns of a table. */
export const MAX_COLUMNS = 16_384;
/** Attribute of a measurement with a text in which any word may stand. */
const REMARK = 9;

/** A column with values of one characteristic. */
export interface ValueColumn {
  position: number;
  name: string;
  characteristic: string;
  attributes: Attributes;
}

interface AttributeColumn {
  position: number;
  key: string;
}

/** Positions of columns by what they hold. */
export interface TableColumns {
  names: readonly string[];
  part: number | undefined;
  /** One, or the date and the time of day. */
  time: readonly number[];
  measurement: number | undefined;
  /** Levels of the characteristic; none in wide layout. */
  characteristic: readonly number[];
  /** One in long layout. */
  values: readonly ValueColumn[];
  measurementAttributes: readonly AttributeColumn[];
  partAttributes: readonly AttributeColumn[];
  characteristicAttributes: readonly AttributeColumn[];
  /** Columns that are left out. */
  others: readonly number[];
  /** Columns whose text may tell that a row is no measurement. */
  labels: readonly number[];
  /** Whether the columns are those of exports, and no attribute is named like a field of AQDEF as in those with texts of entries. */
  hasEntryKeys: boolean;
  /** Whether the mapping or a reserved name says what a column holds. */
  isCertain: boolean;
}

/** Names of columns, and what each is taken for by its name or its mapping. */
export interface GuessedColumns {
  names: readonly string[];
  holds: readonly ColumnMapping[];
  /** Columns that the mapping names, by name in lower case. */
  mapped: ReadonlyMap<string, ColumnMapping>;
  /** Names of columns that came before, by position. */
  repeated: ReadonlyMap<number, string>;
  /** Whether an attribute was found by the name that the server gives it. */
  hasNamedAttributes: boolean;
}

/** Guesses what the columns of a header row hold, also where they do not fit together. */
export function guessColumns(
  header: readonly string[],
  { columns = {}, otherColumns = 'found' }: TableMapping,
  attributes?: AttributeNames,
): GuessedColumns {
  const written = Array.from(header, (name) => cleaned(name ?? ''));
  const { names, repeated } = distinctNames(written);
  const mapped = new Map(Object.entries(columns).map(([name, column]) => [name.trim().toLowerCase(), column]));
  const isLong =
    [...mapped.values()].some(({ is }) => is === 'characteristic') || (otherColumns === 'found' && hasLongNames(names, mapped));
  const named = hasKeysOnly(names) ? undefined : attributes;
  const holds = names.map((name, i): ColumnMapping => {
    const own = mapped.get(name.toLowerCase());
    if (own) return own;
    if (written[i] === '' || otherColumns === 'nothing') return { is: 'nothing' };
    return otherColumns === 'values' ? { is: 'value', characteristic: unmarked(name) } : holdsByName(name, isLong, named);
  });
  const hasNamedAttributes = holds.some(({ is }, i) => is === 'attribute' && keyOfColumn(names[i] ?? '') === undefined);
  return { names, mapped, repeated, holds, hasNamedAttributes };
}

/**
 * Finds what the columns of a header row hold.
 * @throws UnreadableFileError the header does not fit the mapping, or has no value
 */
export function columnsOf(guessed: GuessedColumns, { columns = {} }: TableMapping, line: number): TableColumns {
  const { names, mapped, repeated, holds: found, hasNamedAttributes } = guessed;
  const refuse = (key: string | undefined, message: string): never => {
    throw new UnreadableFileError({ line, ...(key !== undefined && { key }), message });
  };
  if (names.length > MAX_COLUMNS) refuse(undefined, `The table has more than ${MAX_COLUMNS} columns. Divide it into several files.`);
  for (const [position, name] of repeated) {
    const second = names[position] ?? '';
    if (found[position]?.is === 'nothing' || mapped.has(second.toLowerCase())) continue;
    refuse(
      name,
      `Two columns have the name ${shown(name)}. Give each column a name of its own, or say in the mapping what ${shown(second)} holds.`,
    );
  }
  const known = new Set(names.map((name) => name.toLowerCase()));
  for (const name of Object.keys(columns)) {
    if (known.has(name.trim().toLowerCase())) continue;
    refuse(
      name,
      `The file has no column ${shown(name)}, which the mapping names. Its columns are ${names.slice(0, 20).map(shown).join(', ')}.`,
    );
  }
  const allOf = (is: ColumnMapping['is']) => found.flatMap((column, position) => (column.is === is ? [position] : []));
  const only = (is: ColumnMapping['is']): number | undefined => {
    const [first, second] = allOf(is);
    if (second !== undefined)
      refuse(names[second], `Two columns are the ${is}: ${shown(names[first ?? 0] ?? '')} and ${shown(names[second] ?? '')}. Name one.`);
    return first;
  };
  const time = allOf('time');
  const times = time.map((position) => shown(names[position] ?? '')).join(', ');
  if (time.length > 2) refuse(names[time[2] as number], `More than two columns are the time: ${times}. Name one, or date and time of day.`);
  if (time.some((position) => !mapped.has((names[position] ?? '').toLowerCase())) && time.length > 1) {
    refuse(names[time[1] as number], `Two columns are the time: ${times}. Name one, or map both as date and time of day.`);
  }
  const values = found.flatMap((column, position): ValueColumn[] => {
    if (column.is !== 'value') return [];
    const name = names[position] ?? '';
    return [{ position, name, characteristic: column.characteristic ?? name, attributes: column.attributes ?? {} }];
  });
  const attributesOf = (of: 'measurement' | 'part' | 'characteristic') =>
    found.flatMap((column, position) => (column.is === 'attribute' && column.of === of ? [{ position, key: String(column.key) }] : []));
  const characteristic = allOf('characteristic');
  for (const { name, characteristic } of values) {
    if (namesOf(characteristic).length === 0)
      refuse(name, 'The column names no characteristic. Write its name, such as Bore or Bore/Diameter.');
  }
  if (values.length === 0) {
    refuse(undefined, 'No column holds values. Name one "value" beside a column "characteristic", or give a mapping.');
  }
  if (characteristic.length > 0 && values.length > 1) {
    refuse(values[1]?.name, 'With a column of characteristics only one column holds values. Correct the mapping.');
  }
  const characteristicAttributes = attributesOf('characteristic');
  if (characteristic.length === 0 && characteristicAttributes.length > 0) {
    const { position } = characteristicAttributes[0] as AttributeColumn;
    refuse(
      names[position],
      'An attribute of the characteristic needs a column of characteristics. In wide layout write it into "attributes" of the value.',
    );
  }
  const measurement = only('measurement');
  const measurementAttributes = attributesOf('measurement');
  return {
    names,
    part: only('part'),
    time,
    measurement,
    characteristic,
    values,
    measurementAttributes,
    partAttributes: attributesOf('part'),
    characteristicAttributes,
    others: allOf('nothing'),
    labels: found.flatMap((column, position) => (isLabel(column) ? [position] : [])),
    hasEntryKeys:
      measurement !== undefined && !hasNamedAttributes && !measurementAttributes.some(({ position }) => /^k/i.test(names[position] ?? '')),
    isCertain: Object.keys(columns).length > 0 || found.some(({ is }) => ['part', 'time', 'measurement', 'characteristic'].includes(is)),
  };
}

/** Whether a row of limits may be named in the column: everywhere but in numbers and remarks. */
function isLabel({ is, ...column }: ColumnMapping): boolean {
  if (is !== 'attribute') return is !== 'value' && is !== 'characteristic';
  return 'of' in column && column.of === 'measurement' && column.key !== REMARK;
}

/** Whether the names are those of the long layout of exports. */
function hasLongNames(names: readonly string[], mapped: ReadonlyMap<string, ColumnMapping>): boolean {
  const free = new Set(names.filter((name) => !mapped.has(name.toLowerCase())).map(fixedColumn));
  return free.has('characteristic') && (free.has('value') || [...mapped.values()].some(({ is }) => is === 'value'));
}

/** Whether the columns are those of exports that name attributes by their keys only. */
function hasKeysOnly(names: readonly string[]): boolean {
  return names.includes('measurement') && names.some((name) => keyOfColumn(name) !== undefined);
}
