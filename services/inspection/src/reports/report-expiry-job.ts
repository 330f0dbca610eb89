import type { StepOutcome } from '@sinebar/concurrency';
import type { Database } from '@sinebar/database';
import type { Logger } from '@sinebar/runtime';
import { BackgroundJob } from '../shared/background-job.ts';
import { expireReports } from './report-store.ts';

const STATEMENT_TIMEOUT_MS = 30_000;
const DAY_MS = 86_400_000;

/** Deletes kept reports whose time is over, and fails those whose process has ended without saying so. */
export class ReportExpiryJob extends BackgroundJob {
  private readonly deps: { database: Database; keptDays: number; now: () => Date };

  constructor(deps: { database: Database; keptDays: number; now: () => Date }, log: Logger) {
    super(log, 'old reports could not be deleted');
    this.deps = deps;
  }

  async step(signal: AbortSignal): Promise<StepOutcome> {
    const { database, keptDays, now } = this.deps;
    const at = now();
    const until = new Date(at.getTime() + keptDays * DAY_MS);
    const count = await database.write({ signal, statementTimeoutMs: STATEMENT_TIMEOUT_MS }, (session) =>
      expireReports(session, at, until),
    );
    return count === 0 ? 'nothing' : 'more';
  }
}
