import type { FileCharacteristic, OutputRow, OutputTable } from '@sinebar/exchange';
import { ServiceError } from '@sinebar/contracts';
import type { Session } from '@sinebar/database';
import { foldName } from '@sinebar/query-language';
import type { Configuration } from '../../configuration/configuration.ts';
import type { EntryTexts } from './entry-texts.ts';
import type { ExportedPlan } from './exported-plan.ts';
import type { ExportedMeasurement } from './measurement-export.ts';
import { PathReader } from './path-reader.ts';
import { ColumnNames, keyRowOf, type TableForm } from './table-form.ts';

/** `long`: one row for each value; `wide`: one row for each measurement. */
export type TableLayout = 'long' | 'wide';

type Batches = AsyncIterable<readonly ExportedMeasurement[]>;

const TIME = '4';
/** Most columns of a table with one column for each characteristic, as Excel limits them. */
const MAX_COLUMNS = 16_384;

/** A table with one row for each value. */
export function longTable(
  session: Session,
  configuration: Configuration,
  entries: EntryTexts,
  form: TableForm,
  batches: Batches,
): OutputTable {
  const names = new ColumnNames(configuration, form);
  const attributes = names.ofAttributes();
  const paths = new PathReader(session);
  const rows = async function* (): AsyncGenerator<OutputRow[]> {
    for await (const batch of batches) {
      await paths.load(batch);
      yield batch.flatMap((measurement) => {
        const { uuid, partId, attributes: own, values } = measurement;
        const end = attributes.map(({ key }) => entries.textOf(key, own[key]));
        return values.map(({ characteristic, value }) => [
          uuid,
          own[TIME],
          paths.partPath(partId),
          paths.characteristicPath(characteristic),
          value,
          ...end,
        ]);
      });
    }
  };
  const columns = [
    names.fixed('measurement', 'text'),
    names.fixed('time', 'time'),
    names.fixed('part', 'text'),
    names.fixed('characteristic', 'text'),
    names.fixed('value', 'number'),
    ...attributes,
  ];
  return { columns, keyRow: keyRowOf(columns, form), rows: rows() };
}

/**
 * A table with one row for each measurement and one column for each characteristic; those of the same name share a column.
 * @throws ServiceError 400 there are too many characteristics
 */
export function wideTable(
  session: Session,
  configuration: Configuration,
  entries: EntryTexts,
  form: TableForm,
  plan: ExportedPlan,
  batches: Batches,
): OutputTable {
  const columnNames = new ColumnNames(configuration, form);
  const attributes = columnNames.ofAttributes();
  const first = 3 + attributes.length;
  const columnByPath = new Map<string, number>();
  const names: string[] = [];
  const columnByIndex = new Map<number, number>();
  const note = (characteristics: readonly FileCharacteristic[], above: string) => {
    for (const { index, name, children } of characteristics) {
      const path = above + name.replace(/[\\/]/g, '\\$&');
      const column = columnByPath.get(foldName(path)) ?? first + names.length;
      if (column === first + names.length) {
        columnByPath.set(foldName(path), column);
        names.push(path);
      }
      if (index !== undefined) columnByIndex.set(index, column);
      note(children, `${path}/`);
    }
  };
  for (const { characteristics } of plan.parts) note(characteristics, '');
  if (first + names.length > MAX_COLUMNS) {
    throw new ServiceError(
      'InvalidRequest',
      `The selection has ${names.length} characteristics, and a table has at most ${MAX_COLUMNS} columns. ` +
        'Select fewer parts, or use layout=long.',
    );
  }
  const paths = new PathReader(session);
  const rows = async function* (): AsyncGenerator<OutputRow[]> {
    for await (const batch of batches) {
      await paths.load(batch);
      yield batch.map(({ uuid, partId, attributes: own, values }) => {
        const row: (string | undefined)[] = new Array<string | undefined>(first + names.length);
        row[0] = uuid;
        row[1] = own[TIME];
        row[2] = paths.partPath(partId);
        attributes.forEach(({ key }, i) => (row[3 + i] = entries.textOf(key, own[key])));
        for (const { characteristic, value } of values) {
          const column = columnByIndex.get(plan.indexOfCharacteristic.get(characteristic) ?? 0);
          if (column !== undefined) row[column] = value;
        }
        return row;
      });
    }
  };
  const columns = [
    columnNames.fixed('measurement', 'text'),
    columnNames.fixed('time', 'time'),
    columnNames.fixed('part', 'text'),
    ...attributes,
    ...names.map((path) => columnNames.ofCharacteristic(path)),
  ];
  return { columns, keyRow: keyRowOf(columns, form), rows: rows() };
}
