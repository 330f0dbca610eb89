import { ServiceError, type CharacteristicLimits } from '@sinebar/contracts';
import type { Principal } from '@sinebar/access-control';
import type { Session } from '@sinebar/database';
import type { SpecificationLimits } from '@sinebar/statistics';
import { EVALUATION_ATTRIBUTES, type AttributeNumbers } from '../evaluation/effective-evaluation.ts';

/** A characteristic whose values are analysed. */
export interface AnalysedCharacteristic {
  id: number;
  uuid: string;
  markedPath: string;
  part: { id: number; uuid: string };
  limits: CharacteristicLimits;
  /** Stored path. */
  path: string;
  /** Numbers of attributes by their keys. */
  numbers: AttributeNumbers;
  /** Position of its values, from 1, by the id of the characteristic set. */
  positions: ReadonlyMap<number, number>;
}

/** Keys of attributes with the limits beyond which a value is a mistake of the measurement. */
export const PLAUSIBILITY = { lower: 2130, upper: 2131 } as const;

/** Keys of attributes with the limits of a characteristic. spec: decisions.md 5.4 */
const KEYS = {
  target: 2100,
  nominal: 2101,
  lowerTolerance: 2110,
  upperTolerance: 2111,
  lowerDeviation: 2112,
  upperDeviation: 2113,
  lowerLimitKind: 2120,
  upperLimitKind: 2121,
  lowerWarning: 8014,
  upperWarning: 8015,
} as const;

/** Value of the attributes 2120 and 2121 for a limit that values cannot pass by nature. */
const NATURAL_BOUNDARY = 2;

/** The result of {@link LIMIT_COLUMNS}. */
export interface LimitColumns {
  numbers: Record<string, number | null>;
  lowerTolerance: number | null;
  upperTolerance: number | null;
  lowerWarning: number | null;
  upperWarning: number | null;
}

/** Columns of a characteristic `item` that its limits follow from. */
export const LIMIT_COLUMNS = `item.lower_tolerance AS "lowerTolerance", item.upper_tolerance AS "upperTolerance",
  item.lower_warning AS "lowerWarning", item.upper_warning AS "upperWarning",
  (SELECT json_object_agg(key, limit_number(item.attributes ->> key))
   FROM unnest('{${[...Object.values(KEYS), ...Object.values(PLAUSIBILITY), ...EVALUATION_ATTRIBUTES].join(',')}}'::text[]) AS key) AS numbers`;

/** Columns of a characteristic `item` and its `part`. */
export const ANALYSED_COLUMNS = `item.id, item.uuid, item.path, item.marked_path AS "markedPath", part.id AS "partId", part.uuid AS "partUuid",
  part.path AS "partPath", ${LIMIT_COLUMNS}`;

/** The result of {@link ANALYSED_COLUMNS}. */
export interface AnalysedRow extends LimitColumns {
  id: number;
  uuid: string;
  path: string;
  markedPath: string;
  partId: number;
  partUuid: string;
  partPath: string;
}

interface Row extends AnalysedRow {
  positions: { set: number; position: number }[] | null;
}

/**
 * Finds a characteristic that the caller may read, with the values of its part.
 * @throws ServiceError 404, 403
 */
export async function findAnalysedCharacteristic(session: Session, uuid: string, principal: Principal): Promise<AnalysedCharacteristic> {
  const [row] = await session.query<Row & Record<string, unknown>>(
    `SELECT ${ANALYSED_COLUMNS},
       (SELECT json_agg(json_build_object('set', s.id, 'position', array_position(s.characteristic_ids, item.id)))
        FROM characteristic_set s WHERE s.part_id = item.part_id AND item.id = ANY(s.characteristic_ids)) AS positions
     FROM plan_item item JOIN plan_item part ON part.id = item.part_id
     WHERE item.uuid = $1 AND item.kind = 'characteristic'`,
    [uuid],
    { name: 'analysed-characteristic' },
  );
  if (!row) throw new ServiceError('NotFound', `There is no characteristic ${uuid}.`);
  if (!principal.scopeOf('plan:read').includes(row.path))
    throw new ServiceError('Forbidden', `You may not read the characteristic ${uuid}.`);
  if (!principal.scopeOf('measurement:read').includes(row.partPath)) {
    throw new ServiceError('Forbidden', `You may not read the measurements of the part of the characteristic ${uuid}.`);
  }
  return analysedCharacteristic(row, new Map((row.positions ?? []).map(({ set, position }) => [set, position])));
}

/** Makes a characteristic of a row with {@link ANALYSED_COLUMNS}. */
export function analysedCharacteristic(row: AnalysedRow, positions: AnalysedCharacteristic['positions']): AnalysedCharacteristic {
  return {
    id: row.id,
    uuid: row.uuid,
    markedPath: row.markedPath,
    part: { id: row.partId, uuid: row.partUuid },
    limits: limitsOf(row),
    path: row.path,
    numbers: row.numbers,
    positions,
  };
}

export function limitsOf({ numbers, ...row }: LimitColumns): CharacteristicLimits {
  const limits: CharacteristicLimits = { sources: {} };
  const take = (name: keyof CharacteristicLimits['sources'], value: number | null | undefined, key: number) => {
    if (value === null || value === undefined) return;
    limits[name] = value;
    limits.sources[name] = key;
  };
  const nominal = numbers[KEYS.nominal];
  take('nominal', nominal, KEYS.nominal);
  const target = numbers[KEYS.target];
  take('target', target ?? nominal, target === null ? KEYS.nominal : KEYS.target);
  const lowerKey = numbers[KEYS.lowerTolerance] === null ? KEYS.lowerDeviation : KEYS.lowerTolerance;
  const upperKey = numbers[KEYS.upperTolerance] === null ? KEYS.upperDeviation : KEYS.upperTolerance;
  take(numbers[KEYS.lowerLimitKind] === NATURAL_BOUNDARY ? 'lowerBoundary' : 'lowerTolerance', row.lowerTolerance, lowerKey);
  take(numbers[KEYS.upperLimitKind] === NATURAL_BOUNDARY ? 'upperBoundary' : 'upperTolerance', row.upperTolerance, upperKey);
  take('lowerWarning', row.lowerWarning, KEYS.lowerWarning);
  take('upperWarning', row.upperWarning, KEYS.upperWarning);
  return limits;
}

/** Limits for indices: natural boundaries apart from tolerances. */
export function indexLimitsOf({ sources: _sources, ...limits }: CharacteristicLimits): SpecificationLimits {
  return limits;
}

/** Limits for the status of a value, as `statistics` of measurements has them: a natural boundary is a tolerance there. */
export function statusLimitsOf(limits: CharacteristicLimits): SpecificationLimits {
  const { lowerTolerance = limits.lowerBoundary, upperTolerance = limits.upperBoundary, lowerWarning, upperWarning } = limits;
  return { lowerTolerance, upperTolerance, lowerWarning, upperWarning };
}
