import { ServiceError } from '@sinebar/contracts';
import type { Session, WriteSession } from '@sinebar/database';

export interface PartForDeletion {
  id: number;
  uuid: string;
  /** Stored path. */
  path: string;
}

/** Effects of plan changes on measurements. The plan uses nothing else of them; `compose.ts` provides it. */
export interface MeasurementCascade {
  /**
   * Deletes all measurements of the parts and announces the deletions.
   * The caller holds the plan lock and announces the changes of the parts afterwards.
   */
  deleteOfParts(session: WriteSession, parts: readonly PartForDeletion[]): Promise<void>;
  /** Finds one of the parts that has measurements; `undefined` when none has. */
  measuredAmong(session: WriteSession, partIds: readonly number[]): Promise<number | undefined>;
  /** Finds all of the parts that have measurements. */
  allMeasuredAmong(session: WriteSession, partIds: readonly number[]): Promise<number[]>;
  /** Finds the characteristics that have a value in any measurement. @param partIds the parts that own them */
  characteristicsWithValues(session: Session, partIds: readonly number[], characteristicIds: readonly number[]): Promise<Set<number>>;
  /**
   * Schedules the removal of the values of deleted characteristics. The caller holds the plan lock. @param partIds the parts that own them
   */
  markValuesStale(session: WriteSession, partIds: readonly number[], characteristicIds: readonly number[]): Promise<void>;
}

/** @param what names the part of the measurements, if the caller may know it */
export function mayNotDeleteMeasurements(what?: string): ServiceError {
  const measurements = what === undefined ? 'all of these measurements' : `measurements of ${what}`;
  return new ServiceError('Forbidden', `You may not delete ${measurements}. Nothing was deleted.`);
}
