import { advisoryKey, type Database, type WorkOptions, type WriteSession } from '@sinebar/database';
import { Semaphore } from '@sinebar/concurrency';

/**
 * Takes the plan lock shared, for transactions that rely on the plan without changing it.
 * Run it as a statement of its own before any read: a statement that both locks and reads sees the data as of before the wait.
 */
export const SHARE_PLAN = `SELECT pg_advisory_xact_lock_shared(${advisoryKey('plan')})`;

/** Takes the plan lock exclusively; like {@link SHARE_PLAN}, before anything is read. */
export async function lockPlan(session: WriteSession): Promise<void> {
  await session.query(`SELECT pg_advisory_xact_lock(${advisoryKey('plan')})`, [], { name: 'plan-lock' });
}

/** Runs {@link SHARE_PLAN}. */
export async function sharePlan(session: WriteSession): Promise<void> {
  await session.query(SHARE_PLAN, [], { name: 'plan-lock-shared' });
}

/** Most changes that wait for the plan lock with a database connection; the others wait for the semaphore. */
const MAX_CONNECTIONS = 2;

/** Runs the transactions that change plan, configuration or catalogs, under the plan lock. */
export class PlanWrites {
  private readonly database: Database;
  private readonly semaphore = new Semaphore(MAX_CONNECTIONS);

  constructor(database: Database) {
    this.database = database;
  }

  write<T>(options: WorkOptions, work: (session: WriteSession) => Promise<T>): Promise<T> {
    return this.semaphore.run(options.signal, () =>
      this.database.write(options, async (session) => {
        await lockPlan(session);
        return work(session);
      }),
    );
  }
}
