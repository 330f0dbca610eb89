import type { FileCharacteristic, OutputColumn, OutputRow, OutputTable } from '@sinebar/exchange';
import { columnName } from '@sinebar/exchange';
import { ServiceError } from '@sinebar/contracts';
import type { Session } from '@sinebar/database';
import { foldName } from '@sinebar/query-language';
import type { Configuration } from '../../configuration/configuration.ts';
import type { EntryTexts } from './entry-texts.ts';
import type { ExportedPlan } from './exported-plan.ts';
import type { ExportedMeasurement } from './measurement-export.ts';
import { PathReader } from './path-reader.ts';

/** `long`: one row for each value; `wide`: one row for each measurement. */
export type TableLayout = 'long' | 'wide';

type Batches = AsyncIterable<readonly ExportedMeasurement[]>;

const TIME = '4';
/** Most columns of a table with one column for each characteristic, as Excel limits them. */
const MAX_COLUMNS = 16_384;
const TYPES: Readonly<Partial<Record<string, OutputColumn['type']>>> = { Integer: 'number', Float: 'number', DateTime: 'time' };

/** A column for an attribute of measurements. */
interface AttributeColumn extends OutputColumn {
  key: string;
}

/**
 * Columns for the attributes of measurements, without the time.
 * Those with texts of entries of catalogs are named as fields of AQDEF: with the mere key, exports had the keys of entries.
 */
export function attributeColumns({ definitions }: Configuration): AttributeColumn[] {
  return [...definitions.values()]
    .filter(({ entity, key }) => entity === 'measurement' && String(key) !== TIME)
    .map(({ key, type, catalog }) => ({
      key: String(key),
      name: catalog === null ? String(key) : `K${String(key).padStart(4, '0')}`,
      type: TYPES[type] ?? 'text',
    }));
}

/** A table with one row for each value. */
export function longTable(session: Session, configuration: Configuration, entries: EntryTexts, batches: Batches): OutputTable {
  const attributes = attributeColumns(configuration);
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
  return {
    columns: [
      { name: 'measurement', type: 'text' },
      { name: 'time', type: 'time' },
      { name: 'part', type: 'text' },
      { name: 'characteristic', type: 'text' },
      { name: 'value', type: 'number' },
      ...attributes,
    ],
    rows: rows(),
  };
}

/**
 * A table with one row for each measurement and one column for each characteristic; those of the same name share a column.
 * @throws ServiceError 400 there are too many characteristics
 */
export function wideTable(
  session: Session,
  configuration: Configuration,
  entries: EntryTexts,
  plan: ExportedPlan,
  batches: Batches,
): OutputTable {
  const attributes = attributeColumns(configuration);
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
  return {
    columns: [
      { name: 'measurement', type: 'text' },
      { name: 'time', type: 'time' },
      { name: 'part', type: 'text' },
      ...attributes,
      ...names.map((path): OutputColumn => ({ name: columnName(path), type: 'number' })),
    ],
    rows: rows(),
  };
}
