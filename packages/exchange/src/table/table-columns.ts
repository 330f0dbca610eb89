import type { Attributes } from '../content.ts';
import { cleaned } from '../texts.ts';
import { shown, UnreadableFileError } from '../problems.ts';
import type { ColumnMapping, TableMapping } from './table-mapping.ts';
import { namesOf } from './names-of.ts';

/** Most columns of a table. */
export const MAX_COLUMNS = 16_384;
const ATTRIBUTE_NAME = /^k?(\d{1,5})$/i;
const MAX_KEY = 32_767;
/** Attribute of a measurement with a text in which any word may stand. */
const REMARK = 9;
/** Mark before the names of characteristics that would else be taken for something else. */
const NAME_MARK = '/';

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
}

/** Guesses what the columns of a header row hold, also where they do not fit together. */
export function guessColumns(header: readonly string[], { columns = {}, otherColumns = 'found' }: TableMapping): GuessedColumns {
  const names = Array.from(header, (name) => cleaned(name ?? ''));
  const mapped = new Map(Object.entries(columns).map(([name, column]) => [name.trim().toLowerCase(), column]));
  const isLong =
    [...mapped.values()].some(({ is }) => is === 'characteristic') || (otherColumns === 'found' && hasLongNames(names, mapped));
  return { names, mapped, holds: names.map((name) => mapped.get(name.toLowerCase()) ?? otherColumn(name, otherColumns, isLong)) };
}

/**
 * Finds what the columns of a header row hold.
 * @throws UnreadableFileError the header does not fit the mapping, or has no value
 */
export function columnsOf({ names, mapped, holds: found }: GuessedColumns, { columns = {} }: TableMapping, line: number): TableColumns {
  const refuse = (key: string | undefined, message: string): never => {
    throw new UnreadableFileError({ line, ...(key !== undefined && { key }), message });
  };
  if (names.length > MAX_COLUMNS) refuse(undefined, `The table has more than ${MAX_COLUMNS} columns. Divide it into several files.`);
  const seen = new Map<string, number>();
  for (const [position, name] of names.entries()) {
    const key = name.toLowerCase();
    if (name.length > 0 && seen.has(key)) refuse(name, `Two columns have the name ${shown(name)}. Give each column a name of its own.`);
    seen.set(key, position);
  }
  for (const name of Object.keys(columns)) {
    if (seen.has(name.trim().toLowerCase())) continue;
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
    hasEntryKeys: measurement !== undefined && !measurementAttributes.some(({ position }) => /^k/i.test(names[position] ?? '')),
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
  const free = new Set(names.map((name) => name.toLowerCase()).filter((name) => !mapped.has(name)));
  return free.has('characteristic') && (free.has('value') || [...mapped.values()].some(({ is }) => is === 'value'));
}

function otherColumn(name: string, otherColumns: NonNullable<TableMapping['otherColumns']>, isLong: boolean): ColumnMapping {
  if (name.length === 0 || otherColumns === 'nothing') return { is: 'nothing' };
  if (otherColumns === 'values') return { is: 'value', characteristic: unmarked(name) };
  switch (name.toLowerCase()) {
    case 'part':
      return { is: 'part' };
    case 'time':
      return { is: 'time' };
    case 'measurement':
      return { is: 'measurement' };
    case 'characteristic':
      return isLong ? { is: 'characteristic' } : { is: 'value', characteristic: name };
    case 'value':
      return { is: 'value' };
  }
  const key = Number(ATTRIBUTE_NAME.exec(name)?.[1] ?? 0);
  if (key > 0 && key <= MAX_KEY) return { is: 'attribute', of: 'measurement', key };
  return isLong ? { is: 'nothing' } : { is: 'value', characteristic: unmarked(name) };
}

/** Writes the name of a characteristic as the name of a column that is read back as one. */
export function columnName(characteristic: string): string {
  const isSpecial =
    ['part', 'time', 'measurement', 'characteristic', 'value', ''].includes(characteristic.toLowerCase()) ||
    ATTRIBUTE_NAME.test(characteristic) ||
    characteristic.startsWith(NAME_MARK);
  return isSpecial ? NAME_MARK + characteristic : characteristic;
}

function unmarked(name: string): string {
  return name.startsWith(NAME_MARK) ? name.slice(NAME_MARK.length) : name;
}
