import type { Database } from '@sinebar/database';
import type { Store } from '../stores/store.js';

export type FindingState = 'ok' | 'problem' | 'unchecked';

/** What one check says. */
export interface Finding {
  /** What was looked at: `plan: paths`. */
  check: string;
  state: FindingState;
  /** A sentence for people, with what to do where there is something. */
  detail: string;
  /** Of what is wrong; at most {@link EXAMPLES}. */
  examples?: readonly string[];
}

export const EXAMPLES = 5;

export interface Doctor {
  store: Store;
  /** Of the inspection service; both read one database. */
  inspection: Database;
  rawData: Database;
  options: DoctorOptions;
  signal: AbortSignal;
}

export interface DoctorOptions {
  /** Every measurement is looked at, not only the newest. */
  thorough: boolean;
  /** Stored objects that are younger may belong to an upload that still runs, milliseconds. */
  olderThanMs: number;
  /** How long what follows changes may take to catch up, milliseconds. */
  settleMs: number;
}

/** A look at one thing. What it throws makes it unchecked. */
export interface Check {
  name: string;
  run: (doctor: Doctor) => Promise<Finding[]>;
}
