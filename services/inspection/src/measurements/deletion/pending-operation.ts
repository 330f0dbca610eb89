import type { DeletionRights } from './measurement-deletion-service.js';
import type { MeasurementSelection } from '../selection/measurement-selection.js';

/** A deletion that continues after its request was answered, stored as JSON. The rights are those of the caller at the time of the request. */
export interface AsyncDeletion extends DeletionRights {
  selection: MeasurementSelection;
  /** User key of the caller; operations of an older release have none. */
  requestedBy?: string;
}

/** An operation that is not finished. */
export interface OpenOperation {
  uuid: string;
  requestId: string;
  deletion: AsyncDeletion;
  /** Measurements with greater ids were written after the request and are kept. */
  lastMeasurementId: string;
  /** Count of measurements to delete; `null` until they have been collected. */
  total: number | null;
  done: number;
  /** Consecutive failed steps. */
  failures: number;
}
