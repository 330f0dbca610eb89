import type { NewestStatus } from '@sinebar/contracts';
import { indexValues, statusOf } from '@sinebar/statistics';
import type { PartFigures } from '../figures/part-figures.ts';
import type { PlannedCharacteristic } from '../figures/planned-characteristics.ts';

export type StatusCounts = Record<NewestStatus, number>;

/** The column of a characteristic with values. */
export interface MeasuredColumn {
  figures: PartFigures['figures'];
  column: number;
}

/** Finds the figures of a characteristic; undefined where it has no value. */
export function measuredColumn(parts: ReadonlyMap<number, PartFigures>, { id, partId }: PlannedCharacteristic): MeasuredColumn | undefined {
  const part = parts.get(partId);
  const column = part?.columnOf(id);
  if (part === undefined || column === undefined || part.figures.count[column] === 0) return undefined;
  return { figures: part.figures, column };
}

export function newestStatus({ statusLimits }: PlannedCharacteristic, measured: MeasuredColumn | undefined): NewestStatus {
  if (!measured) return 'noData';
  const status = statusOf(measured.figures.lastValue[measured.column]!, statusLimits);
  return status === 'belowTolerance' || status === 'aboveTolerance' ? 'outOfTolerance' : status;
}

/** Pp and Ppk. */
export function overallIndices({ limits }: PlannedCharacteristic, { figures, column }: MeasuredColumn): { p?: number; pk?: number } {
  return indexValues(figures.mean[column]!, figures.standardDeviation(column) ?? 0, limits);
}

export function noStatuses(): StatusCounts {
  return { inLimits: 0, inWarning: 0, outOfTolerance: 0, noData: 0 };
}
