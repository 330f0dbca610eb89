import { ServiceError } from '@sinebar/contracts';
import { copyRows, joinSql, rawSql, sql, type Session } from '@sinebar/database';
import { cutGroups, groupsInRange, MAX_GROUP_SIZE, type Grouping } from '@sinebar/statistics';
import { ruleOf } from '../configuration/attribute-values.ts';
import { selectionCondition, selectionStatement, type MeasurementSelection } from '../measurements/selection/measurement-selection.ts';
import type { AnalysedCharacteristic } from './analysed-characteristic.ts';
import type { GroupedSelection } from './analysis-parameters.ts';
import { numberKeys } from './calculations/number-keys.ts';
import {
  findIds,
  firstTimeFrom,
  hashColumn,
  LACKING,
  tooManyValues,
  valueColumn,
  type IdentifiedValues,
  type ReadingOptions,
} from './characteristic-values.ts';
import { CopiedNumbers } from './copied-numbers.ts';
import { NumberList } from './number-list.ts';

/** Values in whole subgroups, oldest first; one that is missing or left out is NaN and keeps its position. */
export interface GroupedValues extends IdentifiedValues {
  readonly grouping: Grouping;
  /** Selected measurements that have the characteristic without a number. */
  readonly missing: number;
}

/** Subgroups of a size, or of consecutive measurements with the same value of an attribute. */
export type SubgroupRule = { readonly size: number; readonly ofValues?: boolean } | { readonly attribute: number };

export interface GroupedReading extends Omit<ReadingOptions, 'selection'> {
  readonly selection: GroupedSelection;
  /** Times at which a stage begins, ascending, milliseconds since 1970: a new subgroup begins there. */
  readonly stageTimes: readonly number[];
}

/** Whether a measurement meets the conditions, and is not left out by name. */
const UNSELECTED = 0;
const EXCLUDED = 1;
const KEPT = 2;

/**
 * Reads the values of a characteristic in subgroups, which are cut before anything is left out.
 * Every measurement of the part is a member of its subgroup, also one without the characteristic.
 * @throws ServiceError 400 for more than `maxValues` measurements, and for an attribute that measurements do not have
 */
export async function readGroupedValues(
  session: Session,
  characteristic: AnalysedCharacteristic,
  rule: SubgroupRule,
  reading: GroupedReading,
): Promise<GroupedValues> {
  const { selection, configuration, readable, exclude, excluded: alsoExcluded, maxValues, stageTimes, hashedAttribute } = reading;
  if ('attribute' in rule && !ruleOf(configuration, 'measurement', rule.attribute)) {
    throw new ServiceError('InvalidRequest', `Parameter subgroupBy: Measurements have no attribute ${rule.attribute}.`);
  }
  const partIds = [characteristic.part.id];
  const excluded = new Set([...alsoExcluded, ...(await findIds(session, exclude))]);
  const wanted = await newestWanted(session, characteristic.part.id, rule, reading);
  const lists = {
    values: new NumberList(),
    times: new NumberList(),
    ids: new NumberList(),
    kept: new NumberList(),
    keys: new NumberList(),
    hashes: new NumberList(),
  };
  const condition = selection.conditions && selectionCondition(selection.conditions, readable, configuration);
  const columns = [
    rawSql(`${characteristic.positions.size === 0 ? `'${LACKING}'::float8` : valueColumn(characteristic.positions)}, m.measured_at, m.id`),
    condition ? sql`CASE WHEN ${condition} THEN 1 ELSE 0 END::float8` : rawSql('1::float8'),
    rawSql('attribute' in rule ? hashColumn(rule.attribute) : 'NULL::float8'),
    rawSql(hashedAttribute === undefined ? 'NULL::float8' : hashColumn(hashedAttribute)),
  ];
  const decoder = new CopiedNumbers(['float8', 'timestamptz', 'int8', 'float8', 'float8', 'float8'], (row) => {
    lists.values.push(row[0]!);
    lists.times.push(row[1]!);
    lists.ids.push(row[2]!);
    lists.kept.push(row[3] !== 1 ? UNSELECTED : excluded.has(row[2]!) ? EXCLUDED : KEPT);
    if ('attribute' in rule) lists.keys.push(row[4]!);
    if (hashedAttribute !== undefined) lists.hashes.push(row[5]!);
  });
  const all: MeasurementSelection = wanted === undefined ? selection.all : { ...selection.all, limit: wanted };
  const statement = selectionStatement(all, readable, configuration, joinSql(columns, ', '), { partIds, areColumnsOfMeasurement: true });
  for await (const chunk of copyRows(session, statement)) {
    decoder.write(chunk);
    if (lists.values.length > maxValues) throw new ServiceError('InvalidRequest', tooManyValues(maxValues));
  }
  decoder.end();
  if (lists.values.length > maxValues) throw new ServiceError('InvalidRequest', tooManyValues(maxValues));
  const [values, times, ids, kept] = [lists.values, lists.times, lists.ids, lists.kept].map((list) => list.takeReversed()) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const areValues = 'size' in rule && rule.ofValues === true;
  const grouping = cutGroups(
    areValues ? values.map((value) => (value === LACKING ? NaN : value)) : values,
    'size' in rule
      ? { by: 'size', size: rule.size, of: areValues ? 'values' : 'measurements' }
      : { by: 'key', keys: numberKeys(lists.keys.takeReversed()) },
    stageTimes.map((ms) => firstTimeFrom(times, ms)),
  );
  const groups = groupsInRange(grouping, ...selectedRange(times, kept, selection));
  const hashes = hashedAttribute === undefined ? undefined : lists.hashes.takeReversed();
  return groupedValues({ values, times, ids, kept, ...(hashes && { hashes }) }, grouping, groups);
}

/** Keeps whole groups, and makes of values that are left out or lacking missing ones. */
function groupedValues(
  all: IdentifiedValues & { kept: Float64Array },
  { starts, sizes }: Grouping,
  [from, to]: readonly [number, number],
): GroupedValues {
  const [first, end] = [starts[from] ?? 0, starts[to] ?? 0];
  const values = all.values.subarray(first, end);
  let missing = 0;
  for (let i = 0; i < values.length; i += 1) {
    const isKept = all.kept[first + i] === KEPT;
    if (isKept && Number.isNaN(values[i]!)) missing += 1;
    if (!isKept || values[i] === LACKING) values[i] = NaN;
  }
  const grouping = { starts: starts.slice(from, to + 1).map((start) => start - first), sizes: sizes.slice(from, to) };
  const [times, ids, hashes] = [all.times, all.ids, all.hashes].map((list) => list?.subarray(first, end));
  return { values, times: times!, ids: ids!, ...(hashes && { hashes }), grouping, missing };
}

/** The first measurement that the ranges of a request select, and the one after the last. */
function selectedRange(times: Float64Array, kept: Float64Array, { from, to, limit }: GroupedSelection): [number, number] {
  let [first, end] = [0, times.length];
  if (from !== undefined || to !== undefined) while (first < end && !(times[first]! >= (from ?? -Infinity))) first += 1;
  if (to !== undefined) while (end > first && times[end - 1]! >= to) end -= 1;
  if (limit === undefined) return [first, end];
  let newest = end;
  for (let left = limit; newest > first && left > 0; newest -= 1) if (kept[newest - 1] !== UNSELECTED) left -= 1;
  return [newest, end];
}

interface Counts {
  total: number;
  before: number;
  behind: number;
}

/**
 * Counts the newest measurements that hold all wanted subgroups, so that older ones are not read.
 * Subgroups of a size are counted from the oldest measurement on; one by an attribute is no longer than its longest.
 * @returns undefined where all are wanted
 */
async function newestWanted(session: Session, partId: number, rule: SubgroupRule, reading: GroupedReading): Promise<number | undefined> {
  const { selection, readable, configuration, stageTimes } = reading;
  const { all, from, to, limit } = selection;
  if (from === undefined && limit === undefined) return undefined;
  // The subgroups of a stage, or of values, are not found by counting measurements.
  if (stageTimes.length > 0 || ('size' in rule && rule.ofValues === true)) return undefined;
  const [counts] = await session.query<Counts>(sql`SELECT count(*)::float8 AS total,
    (count(*) FILTER (WHERE m.measured_at IS NULL OR m.measured_at < ${at(from)}::timestamptz))::float8 AS before,
    (count(*) FILTER (WHERE m.measured_at >= ${at(to)}::timestamptz))::float8 AS behind
    FROM measurement m WHERE m.part_id = ${partId}::int AND ${selectionCondition(all, readable, configuration)}`);
  const { total, before, behind } = counts!;
  const byLimit = limit === undefined ? 0 : total - behind - (await measurementsOfLimit(session, partId, limit, reading));
  const first = Math.max(0, from === undefined ? 0 : before, byLimit);
  const start = 'size' in rule ? Math.floor(first / rule.size) * rule.size : Math.max(0, first - MAX_GROUP_SIZE);
  return total - start;
}

/** Counts the measurements among which the newest ones that meet the conditions are, as many as the limit. */
async function measurementsOfLimit(
  session: Session,
  partId: number,
  limit: number,
  { selection: { all, conditions, to }, readable, configuration }: GroupedReading,
): Promise<number> {
  if (conditions === undefined || limit === 0) return limit;
  const before = to === undefined ? sql`TRUE` : sql`(m.measured_at IS NULL OR m.measured_at < ${at(to)}::timestamptz)`;
  // PostgreSQL numbers the rows in the order of the index, and stops at the wanted one.
  const [row] = await session.query<{ position: number }>(sql`SELECT position::float8 AS position FROM (
      SELECT row_number() OVER (ORDER BY m.measured_at DESC NULLS LAST, m.id DESC) AS position,
        ${selectionCondition(conditions, readable, configuration)} AS is_selected
      FROM measurement m WHERE m.part_id = ${partId}::int AND ${selectionCondition(all, readable, configuration)} AND ${before}) ranked
    WHERE is_selected ORDER BY position OFFSET ${limit - 1}::bigint LIMIT 1`);
  return row?.position ?? Infinity;
}

function at(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString();
}
