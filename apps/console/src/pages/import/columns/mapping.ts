import { SinebarError, type AttributeOwner, type ImportAnswer, type ReadTable, type TableMapping as AnyMapping } from '@sinebar/client';

/** What a column holds, as the schema `TableMapping` has it. */
export type ColumnHolds =
  | { is: 'part' | 'time' | 'measurement' | 'characteristic' | 'nothing' }
  | { is: 'value'; characteristic?: string; attributes?: Readonly<Record<string, string>> }
  | { is: 'attribute'; of: AttributeOwner; key: number };

/** The members of a mapping that the page edits. */
export interface Mapping {
  columns?: Readonly<Record<string, ColumnHolds>>;
  otherColumns?: 'found' | 'values' | 'nothing';
  headerRow?: number;
  dataRow?: number;
  decimal?: ',' | '.';
  sheet?: string;
}

/** Most characters of a mapping that goes with a file in an address; a kept one has no such limit. */
const MAX_LENGTH = 40_000;

/** Reads a mapping; what it says elsewhere stays when it is changed. */
export function mappingOf(mapping: AnyMapping): Mapping {
  return mapping;
}

/** The mapping with changes; a member of `undefined` is left out. */
export function changedMapping(mapping: AnyMapping, change: { [Member in keyof Mapping]: Mapping[Member] | undefined }): AnyMapping {
  return Object.fromEntries(Object.entries({ ...mapping, ...change }).filter(([, value]) => value !== undefined));
}

/** The mapping with another meaning of a column. Names of columns are compared without case. */
export function withColumn(mapping: AnyMapping, name: string, holds: ColumnHolds): AnyMapping {
  const others = Object.entries(mappingOf(mapping).columns ?? {}).filter(([other]) => other.toLowerCase() !== name.toLowerCase());
  return { ...mapping, columns: { ...Object.fromEntries(others), [name]: holds } };
}

/** What a column holds: as the mapping says, else as the server took it. */
export function holdsOf(mapping: AnyMapping, { name, holds }: ReadTable['columns'][number]): ColumnHolds {
  const own = Object.entries(mappingOf(mapping).columns ?? {}).find(([other]) => other.toLowerCase() === name.toLowerCase());
  return own?.[1] ?? (holds as ColumnHolds);
}

/** Whether a mapping is too long for an address. */
export function isTooLong(mapping: AnyMapping): boolean {
  return encodeURIComponent(JSON.stringify(mapping)).length > MAX_LENGTH;
}

/** How a table was read by a check, also by one that refused it. */
export function tableOf(answer: ImportAnswer | undefined, error: unknown): ReadTable | undefined {
  if (answer) return answer.table;
  if (!(error instanceof SinebarError)) return undefined;
  return (error.answer as { table?: ReadTable } | undefined)?.table;
}

/** Whether two tables have the same columns, so that a mapping of one is that of the other. */
export function haveSameColumns(one: ReadTable, other: ReadTable): boolean {
  return one.columnCount === other.columnCount && one.columns.every(({ name }, i) => name === other.columns[i]?.name);
}
