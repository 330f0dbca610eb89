import type { FileCharacteristic, FilePart } from '@sinebar/exchange';
import type { PathScope } from '@sinebar/access-control';
import { ServiceError } from '@sinebar/contracts';
import { sql, type Session } from '@sinebar/database';
import type { MeasurementSelection } from '../../measurements/selection/measurement-selection.ts';
import type { ExportedLimits } from './exported-limits.ts';
import { writtenName } from './path-reader.ts';
import { partsOf } from '../../measurements/selection/selected-parts.ts';

/** Most characteristics of an AQDEF file: its plan is in memory while it is written. */
const MAX_CHARACTERISTICS = 200_000;

/** The plan of an export, with the indexes of its items in the file. */
export interface ExportedPlan {
  parts: FilePart[];
  /** Index in the file by id. */
  indexOfPart: ReadonlyMap<number, number>;
  indexOfCharacteristic: ReadonlyMap<number, number>;
}

interface ItemRow {
  id: number;
  parent_id: number | null;
  part_id: number;
  name: string;
  attributes: Record<string, string>;
  [column: string]: unknown;
}

interface Branch {
  index: number;
  name: string;
  attributes: Record<string, string>;
  children: Branch[];
}

/**
 * Reads the parts of a selection with their characteristics.
 * @param readLimits reads control limits that are written as attributes
 * @throws ServiceError 400 there are too many characteristics
 */
export async function readExportedPlan(
  session: Session,
  selection: MeasurementSelection,
  readable: PathScope,
  wanted: ReadonlySet<string> | undefined,
  readLimits?: (partIds: readonly number[]) => Promise<ExportedLimits>,
): Promise<ExportedPlan> {
  const parts = await session.query<ItemRow>(sql`
    SELECT p.id, p.parent_id, p.part_id, p.name, p.attributes FROM plan_item p
    WHERE p.kind = 'part' AND ${partsOf(selection, readable)}
      AND EXISTS (SELECT FROM measurement m WHERE m.part_id = p.id) ORDER BY p.path`);
  const ids = parts.map(({ id }) => id);
  const rows = await session.query<ItemRow & { uuid: string }>(sql`
    SELECT id, parent_id, part_id, name, attributes, uuid FROM plan_item
    WHERE kind = 'characteristic' AND part_id = ANY(${ids}::int[]) ORDER BY part_id, depth, id LIMIT ${MAX_CHARACTERISTICS + 1}::bigint`);
  if (rows.length > MAX_CHARACTERISTICS) {
    throw new ServiceError(
      'InvalidRequest',
      `The selection has more than ${MAX_CHARACTERISTICS} characteristics. Select fewer parts with partPath or partUuids.`,
    );
  }
  const limits = await readLimits?.(ids);
  const wantedRows = wanted ? rows.filter(({ uuid }) => wanted.has(uuid)) : rows;
  const byPart = Map.groupBy(wantedRows, ({ part_id }) => part_id);
  const indexOfPart = new Map<number, number>();
  const indexOfCharacteristic = new Map<number, number>();
  let next = 1;
  const written = parts.map(({ id, name, attributes }, i): FilePart => {
    indexOfPart.set(id, i + 1);
    const branches = new Map<number, Branch>();
    const roots: Branch[] = [];
    for (const row of byPart.get(id) ?? []) {
      const branch = {
        index: next,
        name: writtenName(row.name, [row.attributes['2002'], row.attributes['2001']]),
        attributes: limits ? limits.withLimits(row.id, named(row, '2001', '2002')) : named(row, '2001', '2002'),
        children: [],
      };
      next += 1;
      indexOfCharacteristic.set(row.id, branch.index);
      branches.set(row.id, branch);
      (branches.get(row.parent_id ?? 0)?.children ?? roots).push(branch);
    }
    return {
      index: i + 1,
      name,
      attributes: named({ name, attributes }, '1002', '1001'),
      characteristics: roots satisfies FileCharacteristic[],
    };
  });
  return { parts: written, indexOfPart, indexOfCharacteristic };
}

/** Adds the name where the fields of the file would not give it: `first` names the item when it is read, else `second`. */
function named({ name, attributes }: Pick<ItemRow, 'name' | 'attributes'>, second: string, first: string): Record<string, string> {
  return (attributes[first] ?? attributes[second]) === undefined ? { ...attributes, [first]: name } : attributes;
}
