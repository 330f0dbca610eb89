import type { Database } from '@sinebar/database';
import type { Store } from '../../stores/store.ts';

export type FindingState = 'ok' | 'problem' | 'unchecked';

export interface Finding {
  /** Name of the check: `plan: paths`. */
  check: string;
  state: FindingState;
  /** Sentence with the result and, for a problem, what to do. */
  detail: string;
  /** Examples of the problem; at most {@link EXAMPLES}. */
  examples?: readonly string[];
}

export const EXAMPLES = 5;

export interface Doctor {
  store: Store;
  /** Database of the inspection service; both services read one database. */
  inspection: Database;
  rawData: Database;
  options: DoctorOptions;
  signal: AbortSignal;
}

export interface DoctorOptions {
  /** True to check every measurement, not only the newest. */
  thorough: boolean;
  /** Age below which a stored object may belong to a running upload, milliseconds. */
  olderThanMs: number;
  /** Time for followers to catch up, milliseconds. */
  settleMs: number;
}

/** One check; when it throws, its subject counts as unchecked. */
export interface Check {
  name: string;
  run: (doctor: Doctor) => Promise<Finding[]>;
}
