import { rangeEnd } from '@sinebar/access-control';
import { ServiceError } from '@sinebar/contracts';
import { NO_SQL, pathCondition, sql, type Session, type Sql } from '@sinebar/database';
import type { SpecificationLimits } from '@sinebar/statistics';
import { COUNTING_TYPES } from '../../evaluation/effective-evaluation.ts';
import type { AnalysedPart, AnalysisRights } from './analysed-part.ts';

/** A characteristic of which the caller may read the values. */
export interface PlannedCharacteristic {
  id: number;
  uuid: string;
  partId: number;
  /** Limits that a status depends on: a natural boundary is a tolerance there. */
  statusLimits: SpecificationLimits;
  /** The same limits for indices, natural boundaries apart from tolerances; none of values that are counts. */
  limits: SpecificationLimits;
  /** Stored path, or folded name; empty unless it was asked for. */
  label: string;
}

/** Most characteristics that one request looks at, which bounds its memory. */
const MAX_CHARACTERISTICS = 500_000;

/** Bits that say which limits are natural boundaries, and whether the values are counts, which have no index. */
const LOWER_BOUNDARY = 1;
const UPPER_BOUNDARY = 2;
const COUNTS = 4;

export interface PlannedOptions {
  /** Levels below the part; all without it. */
  depth?: number | undefined;
  label?: 'path' | 'folded_name' | undefined;
}

/**
 * Reads the characteristics below a part in plan order.
 * @throws ServiceError 400 for more than {@link MAX_CHARACTERISTICS}
 */
export async function readPlannedCharacteristics(
  session: Session,
  part: AnalysedPart,
  rights: AnalysisRights,
  { depth, label }: PlannedOptions,
): Promise<PlannedCharacteristic[]> {
  const levels = depth === undefined ? NO_SQL : sql`AND item.depth <= ${part.depth + depth}::int`;
  const labelled = label === undefined ? sql`''` : label === 'path' ? sql`item.path` : sql`item.folded_name`;
  // The attributes are read only where one of them is given: most characteristics have no natural boundary.
  const rows = await session.queryTexts(sql`
    SELECT item.id, item.uuid, item.part_id, item.lower_tolerance, item.upper_tolerance, item.lower_warning, item.upper_warning,
      CASE WHEN item.attributes ?| '{2120,2121,12004}' THEN
        (CASE WHEN limit_number(item.attributes ->> '2120') = 2 THEN ${LOWER_BOUNDARY}::int ELSE 0 END) +
        (CASE WHEN limit_number(item.attributes ->> '2121') = 2 THEN ${UPPER_BOUNDARY}::int ELSE 0 END) +
        (CASE WHEN limit_number(item.attributes ->> '12004') = ANY(${COUNTING_TYPES}::numeric[]) THEN ${COUNTS}::int ELSE 0 END) END,
      ${labelled}
    FROM plan_item item WHERE ${isBelow(part, rights)} ${levels}
    ORDER BY item.path LIMIT ${MAX_CHARACTERISTICS + 1}::bigint`);
  if (rows.length > MAX_CHARACTERISTICS) {
    const remedy = 'Name a part further below, or give fewer levels with depth.';
    throw new ServiceError('InvalidRequest', `There are more than ${MAX_CHARACTERISTICS} characteristics below the part. ${remedy}`);
  }
  return rows.map(([id, uuid, partId, lower, upper, lowerWarning, upperWarning, boundaries, text]) => {
    const kinds = Number(boundaries ?? 0);
    const statusLimits = {
      lowerTolerance: numberOf(lower),
      upperTolerance: numberOf(upper),
      lowerWarning: numberOf(lowerWarning),
      upperWarning: numberOf(upperWarning),
    };
    return {
      id: Number(id),
      uuid: uuid ?? '',
      partId: Number(partId),
      statusLimits,
      limits: kinds === 0 ? statusLimits : indexLimits(statusLimits, kinds),
      label: text ?? '',
    };
  });
}

/** Condition on a characteristic `item` below the part whose values the caller may read. */
export function isBelow({ path }: AnalysedPart, { plan, measurements }: AnalysisRights): Sql {
  const measured = measurements.isEverything
    ? NO_SQL
    : sql`AND item.part_id IN (SELECT owner.id FROM plan_item owner WHERE owner.kind = 'part' AND ${pathCondition(measurements, 'owner.path')})`;
  return sql`item.kind = 'characteristic' AND item.path > ${path} ${path === '' ? NO_SQL : sql`AND item.path < ${rangeEnd(path)}`}
    AND ${pathCondition(plan, 'item.path')} ${measured}`;
}

function numberOf(text: string | null | undefined): number | undefined {
  return text === null || text === undefined ? undefined : Number(text);
}

function indexLimits({ lowerTolerance, upperTolerance }: SpecificationLimits, kinds: number): SpecificationLimits {
  if ((kinds & COUNTS) > 0) return {};
  return {
    ...((kinds & LOWER_BOUNDARY) > 0 ? { lowerBoundary: lowerTolerance } : { lowerTolerance }),
    ...((kinds & UPPER_BOUNDARY) > 0 ? { upperBoundary: upperTolerance } : { upperTolerance }),
  };
}
