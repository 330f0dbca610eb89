import type { NowStatus, ProcessStatus, StatusCounts } from '@sinebar/contracts';
import { indexValues, indicesOfPercentiles } from '@sinebar/statistics';
import { nowStatusOf } from '../figures/now-status.ts';
import type { PartFigures } from '../figures/part-figures.ts';
import type { PlannedCharacteristic } from '../figures/planned-characteristics.ts';
import type { ShownAssessment } from '../kept/assessment-fields.ts';
import type { PartAssessments } from './part-assessments.ts';

/** The column of a characteristic with values. */
export interface MeasuredColumn {
  figures: PartFigures['figures'];
  column: number;
}

/** A characteristic with its statuses and with what tables are ordered by. */
export interface JudgedCharacteristic {
  characteristic: PlannedCharacteristic;
  measured: MeasuredColumn | undefined;
  now: NowStatus;
  process: ProcessStatus;
  /** Pp and Ppk as `capability` of a summary has them. */
  overall: { p?: number; pk?: number };
  /** The model of `overall`; undefined where it is normal. */
  model: ShownAssessment['model'];
  /** Absent where nothing is assessed yet. */
  shown: ShownAssessment | undefined;
  /** Whether the assessment is older than the values, or not known yet. */
  isPending: boolean;
}

/** Finds the figures of a characteristic; undefined where it has no value. */
export function measuredColumn(parts: ReadonlyMap<number, PartFigures>, { id, partId }: PlannedCharacteristic): MeasuredColumn | undefined {
  const part = parts.get(partId);
  const column = part?.columnOf(id);
  if (part === undefined || column === undefined || part.figures.count[column] === 0) return undefined;
  return { figures: part.figures, column };
}

export function judge(
  characteristic: PlannedCharacteristic,
  parts: ReadonlyMap<number, PartFigures>,
  assessments: PartAssessments,
): JudgedCharacteristic {
  const measured = measuredColumn(parts, characteristic);
  if (!measured) {
    const nothing = { overall: {}, model: undefined, shown: undefined, isPending: false };
    return { characteristic, measured, now: 'noData', process: 'unknown', ...nothing };
  }
  const { figures, column } = measured;
  const { limits, statusLimits } = characteristic;
  const deviation = figures.standardDeviation(column) ?? 0;
  const shown = assessments.find(characteristic);
  const model = deviation > 0 ? shown?.model : undefined;
  const overall = model ? indicesOfPercentiles(model.percentiles, limits) : indexValues(figures.mean[column]!, deviation, limits);
  return {
    characteristic,
    measured,
    now: nowStatusOf(figures.lastValue[column], statusLimits),
    process: shown === undefined ? 'unknown' : shown.process,
    overall,
    model: overall.pk === undefined ? undefined : model,
    shown,
    isPending: shown === undefined || assessments.isOlder(characteristic),
  };
}

export function noStatuses(): StatusCounts {
  return {
    now: { inLimits: 0, inWarning: 0, belowTolerance: 0, aboveTolerance: 0, noLimits: 0, noData: 0 },
    process: { capable: 0, uncertain: 0, notCapable: 0, notStable: 0, unknown: 0 },
  };
}

/** Says how many assessments are older than the values, and how old. */
export function pendingOf(judged: Iterable<JudgedCharacteristic>): { pending?: number; asOf?: string } {
  let [pending, oldest] = [0, Infinity];
  for (const { isPending, shown } of judged) {
    if (!isPending) continue;
    pending += 1;
    if (shown && shown.assessedAt < oldest) oldest = shown.assessedAt;
  }
  if (pending === 0) return {};
  return { pending, ...(oldest < Infinity && { asOf: new Date(oldest).toISOString() }) };
}
