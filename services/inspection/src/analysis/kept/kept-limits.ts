import { columnsOf, type Session, type WriteSession } from '@sinebar/database';
import { inTurns } from '../../shared/turns.ts';
import type { AssessedSeries } from '../assessment/assessed-series.ts';
import type { AssessmentResult, Control } from '../calculations/tasks.ts';

/** Computed control limits of a characteristic, by which new points are judged. */
export interface KeptLimits {
  /** See `AssessedCharacteristic`. */
  basis: number;
  /** Absent where there are too few values, or the limits are given. */
  control?: Control;
  /** Points that the limits rest on. */
  points: number;
  /** Measurement with which one of the newest groups begins; absent for single values. */
  groupStart?: number;
}

/** Limits of fewer points raise nothing. */
export const MIN_POINTS = 25;
/** Share of the standard deviation by which limits may move before they are stored again. */
const MOVED_SHARE = 0.01;
/** Groups behind the one that is kept as a beginning: late measurements among them need no earlier values. */
const GROUPS_BEHIND = 100;
const MAX_GROUPS_BEHIND = 500;

/** Reads kept limits by the ids of their characteristics. */
export async function readKeptLimits(session: Session, ids: readonly number[]): Promise<Map<number, KeptLimits>> {
  const rows = await session.query<{ id: number; state: KeptLimits }>(
    'SELECT characteristic_id AS id, state FROM kept_limits WHERE characteristic_id = ANY($1::int[])',
    [ids],
    { name: 'kept-limits' },
  );
  return new Map(rows.map(({ id, state }) => [id, state]));
}

/** Returns what is to be kept of an assessment; `undefined` where nothing is, or what is kept still holds. */
export function limitsToKeep(
  before: KeptLimits | undefined,
  { limits }: AssessmentResult,
  { assessed, grouping, idAt }: AssessedSeries,
): KeptLimits | undefined {
  // Counts and charts that remember are judged with all values.
  if (assessed.request.counts || assessed.request.chart.memory) return undefined;
  const groups = grouping ? grouping.starts.length - 1 : 0;
  const startOf = (group: number) => idAt(grouping!.starts[group]!);
  if (before?.basis === assessed.basis && areClose(before, { points: 0, ...limits })) {
    if (!grouping) return undefined;
    for (let group = Math.max(0, groups - MAX_GROUPS_BEHIND); group < groups; group += 1)
      if (startOf(group) === before.groupStart) return undefined;
  }
  return { basis: assessed.basis, points: 0, ...limits, ...(groups > 0 && { groupStart: startOf(Math.max(0, groups - GROUPS_BEHIND)) }) };
}

type Limits = Pick<KeptLimits, 'control' | 'points'>;

function areClose(a: Limits, b: Limits): boolean {
  if (a.points >= MIN_POINTS !== b.points >= MIN_POINTS) return false;
  if (!a.control || !b.control) return a.control === b.control;
  if (JSON.stringify(kindOf(a.control)) !== JSON.stringify(kindOf(b.control))) return false;
  const [before, after] = [numbersOf(a.control), numbersOf(b.control)];
  const tolerance = MOVED_SHARE * b.control.chart.sigma;
  return before.every((number, i) => Math.abs(number - after[i]!) <= tolerance);
}

function kindOf(control: Control): unknown {
  if (control.type === 'individuals') return control.model ?? null;
  return [control.chart.type, control.chart.sigmaMethod, control.subgroupSize];
}

function numbersOf({ type, chart }: Control): number[] {
  if (type === 'groups') return [chart.sigma, chart.centerLine];
  return [chart.sigma, chart.variation.upper, chart.location.centerLine, chart.location.lower, chart.location.upper];
}

export async function storeKeptLimits(session: WriteSession, limits: ReadonlyMap<number, KeptLimits>): Promise<void> {
  for await (const slice of inTurns(limits)) {
    const rows = slice.map(([id, state]) => ({ id, state: JSON.stringify(state) }));
    await session.query(
      `INSERT INTO kept_limits (characteristic_id, state) SELECT * FROM unnest($1::int[], $2::json[])
       ON CONFLICT (characteristic_id) DO UPDATE SET state = EXCLUDED.state`,
      columnsOf(rows, 'id', 'state'),
    );
  }
}
