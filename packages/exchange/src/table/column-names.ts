import type { ColumnMapping } from './table-mapping.ts';

/** What columns of exports with fixed names hold. */
export type FixedColumn = 'measurement' | 'time' | 'part' | 'characteristic' | 'value';

/** Names of the fixed columns, by language. */
export const FIXED_NAMES: Readonly<Record<'en' | 'de', Readonly<Record<FixedColumn, string>>>> = {
  en: { measurement: 'measurement', time: 'time', part: 'part', characteristic: 'characteristic', value: 'value' },
  de: { measurement: 'Messung', time: 'Zeit', part: 'Teil', characteristic: 'Merkmal', value: 'Wert' },
};

const FIXED_BY_NAME: ReadonlyMap<string, FixedColumn> = new Map(
  Object.values(FIXED_NAMES).flatMap((names) =>
    (Object.keys(names) as FixedColumn[]).map((column) => [names[column].toLowerCase(), column] as const),
  ),
);
const KEY = /^k?(\d{1,5})$/i;
const MAX_KEY = 32_767;
/** Mark before the names of characteristics that would else be taken for something else. */
const NAME_MARK = '/';
/** The first columns of exports, and of their row of keys. */
const FIRST_COLUMNS = ['measurement', 'time', 'part'];

/** An attribute that a server has, so that columns are found by its name. */
export interface NamedAttribute {
  of: 'measurement' | 'part' | 'characteristic';
  key: number;
  /** Names in every language. */
  names: readonly string[];
  /** Whether its texts are numbers. */
  isNumber: boolean;
}

/** Attributes by their names, as columns name them. The first one of a name counts. */
export class AttributeNames {
  private readonly byName = new Map<string, NamedAttribute>();
  private readonly numbers = new Set<string>();

  constructor(attributes: readonly NamedAttribute[] = []) {
    for (const attribute of attributes) {
      const { of, key, names, isNumber } = attribute;
      for (const name of names) {
        const folded = name.trim().toLowerCase();
        if (!this.byName.has(folded)) this.byName.set(folded, attribute);
      }
      if (of === 'measurement' && isNumber) this.numbers.add(String(key));
    }
  }

  find(name: string): NamedAttribute | undefined {
    return this.byName.get(name.trim().toLowerCase());
  }

  /** Whether the texts of an attribute of measurements are numbers. */
  isNumber(key: string): boolean {
    return this.numbers.has(key);
  }
}

/** What a column with a fixed name holds; `undefined` for any other. */
export function fixedColumn(name: string): FixedColumn | undefined {
  return FIXED_BY_NAME.get(name.toLowerCase());
}

/** The key that a column is named by, such as `6` or `K0006`. */
export function keyOfColumn(name: string): number | undefined {
  const key = Number(KEY.exec(name)?.[1] ?? 0);
  return key > 0 && key <= MAX_KEY ? key : undefined;
}

/** Writes the name of a characteristic as the name of a column that is read back as one. */
export function columnName(characteristic: string, attributes: AttributeNames): string {
  const isSpecial =
    characteristic === '' ||
    fixedColumn(characteristic) !== undefined ||
    KEY.test(characteristic) ||
    characteristic.startsWith(NAME_MARK) ||
    attributes.find(characteristic) !== undefined;
  return isSpecial ? NAME_MARK + characteristic : characteristic;
}

/** Takes the mark of {@link columnName} away. */
export function unmarked(name: string): string {
  return name.startsWith(NAME_MARK) ? name.slice(NAME_MARK.length) : name;
}

/** Whether a row is that of the keys, which exports write below that of the names on demand. */
export function isKeyRow(cells: readonly (string | undefined)[]): boolean {
  return FIRST_COLUMNS.every((name, i) => cells[i] === name);
}

/**
 * Names by which a mapping refers to columns: one that comes again gets its number in brackets, one without a name is `#` with its number.
 * @returns all names, and the positions of those that came before
 */
export function distinctNames(header: readonly string[]): { names: string[]; repeated: ReadonlyMap<number, string> } {
  const taken = new Set(header.map((name) => name.toLowerCase()));
  const seen = new Set<string>();
  const repeated = new Map<number, string>();
  const names = header.map((name, position) => {
    const isFirst = name.length > 0 && !seen.has(name.toLowerCase());
    seen.add(name.toLowerCase());
    if (isFirst) return name;
    if (name.length > 0) repeated.set(position, name);
    let number = name.length > 0 ? 2 : position + 1;
    const numbered = () => (name.length > 0 ? `${name} (${number})` : `#${number}`);
    while (taken.has(numbered().toLowerCase())) number += 1;
    taken.add(numbered().toLowerCase());
    return numbered();
  });
  return { names, repeated };
}

/** What a column is taken for by its name alone. */
export function holdsByName(name: string, isLong: boolean, attributes: AttributeNames | undefined): ColumnMapping {
  const fixed = fixedColumn(name);
  if (fixed === 'characteristic') return isLong ? { is: 'characteristic' } : { is: 'value', characteristic: name };
  if (fixed !== undefined) return { is: fixed };
  const key = keyOfColumn(name);
  if (key !== undefined) return { is: 'attribute', of: 'measurement', key };
  const attribute = attributes?.find(name);
  // In wide layout the column is more likely a characteristic than an attribute of parts or characteristics.
  if (attribute && (isLong || attribute.of === 'measurement')) return { is: 'attribute', of: attribute.of, key: attribute.key };
  return isLong ? { is: 'nothing' } : { is: 'value', characteristic: unmarked(name) };
}
