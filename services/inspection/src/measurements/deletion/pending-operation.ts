import { PathScope, type PathScopeJson } from '@sinebar/access-control';
import type { DeletionRights } from './measurement-deletion-service.ts';
import type { MeasurementSelection } from '../selection/measurement-selection.ts';

/**
 * A deletion that continues after its request was answered, stored as JSON. The rights are those of the caller at the time of the request.
 */
export interface AsyncDeletion extends DeletionRights {
  selection: MeasurementSelection;
  /** User key of the caller; operations of an older release have none. */
  requestedBy?: string;
}

/** An {@link AsyncDeletion} as the database keeps it. */
export type StoredDeletion = Omit<AsyncDeletion, keyof DeletionRights> & Record<keyof DeletionRights, PathScopeJson>;

/** @throws Error when a scope is not readable; the operation then counts as failed */
export function deletionOf(stored: StoredDeletion): AsyncDeletion {
  return { ...stored, readable: PathScope.fromJSON(stored.readable), writable: PathScope.fromJSON(stored.writable) };
}

/** An operation that is not finished. */
export interface OpenOperation {
  uuid: string;
  requestId: string;
  request: StoredDeletion;
  /** Measurements with greater ids were written after the request. */
  lastMeasurementId: string;
  /** Count of measurements to delete; `null` until they have been collected. */
  total: number | null;
  done: number;
  /** Consecutive failed steps. */
  failures: number;
}
