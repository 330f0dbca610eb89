import { ServiceError } from '@sinebar/contracts';
import type { Session, WriteSession } from '@sinebar/database';

/** A part whose measurements are deleted. */
export interface PartForDeletion {
  id: number;
  uuid: string;
  /** Stored path. */
  path: string;
}

/** What a change of the plan does to measurements. The plan knows nothing else of them; `compose.ts` fills this port. */
export interface MeasurementCascade {
  /** Deletes all measurements of the parts with their events. The caller holds the plan lock and announces what happens to the parts afterwards. */
  deleteOfParts(session: WriteSession, parts: readonly PartForDeletion[]): Promise<void>;
  /** The first of the parts that has measurements, `undefined` when none has. */
  measuredAmong(session: WriteSession, partIds: readonly number[]): Promise<number | undefined>;
  /** Those of the characteristics that have a value in any measurement. @param partIds the parts that own them */
  characteristicsWithValues(session: Session, partIds: readonly number[], characteristicIds: readonly number[]): Promise<Set<number>>;
  /** Has the values of deleted characteristics removed in the background. The caller holds the plan lock. @param partIds the parts that own them */
  markValuesStale(session: WriteSession, partIds: readonly number[], characteristicIds: readonly number[]): Promise<void>;
}

/** @param what names their part, as far as the caller may know it */
export function mayNotDeleteMeasurements(what?: string): ServiceError {
  const measurements = what === undefined ? 'all of these measurements' : `measurements of ${what}`;
  return new ServiceError('Forbidden', `you may not delete ${measurements}; nothing was deleted`);
}
