import { advisoryKey, type Database, type WorkOptions, type WriteSession } from '@sinebar/database';
import { Semaphore } from '@sinebar/concurrency';

/**
 * Waits until no transaction changes the plan, and lets others that hold it in this way go on: for what relies on the plan and does not change it. A
 * statement of its own, before anything is read: a statement that both locks and reads sees the data as it was before it had to wait.
 */
export const SHARE_PLAN = `SELECT pg_advisory_xact_lock_shared(${advisoryKey('plan')})`;

/**
 * Waits until no other transaction changes the plan. A statement of its own, before anything is read: a statement that both locks and reads sees the data
 * as it was before it had to wait.
 */
export async function lockPlan(session: WriteSession): Promise<void> {
  await session.query(`SELECT pg_advisory_xact_lock(${advisoryKey('plan')})`, [], { name: 'plan-lock' });
}

/** See {@link SHARE_PLAN}. */
export async function sharePlan(session: WriteSession): Promise<void> {
  await session.query(SHARE_PLAN, [], { name: 'plan-lock-shared' });
}

/** Changes that wait for the plan lock with a database connection of their own, at most; the others wait without one. */
const WAITING_FOR_THE_LOCK = 2;

/** Transactions under the plan lock: everything that changes plan, configuration or catalogs. */
export class PlanWrites {
  private readonly database: Database;
  private readonly turns = new Semaphore(WAITING_FOR_THE_LOCK);

  constructor(database: Database) {
    this.database = database;
  }

  write<T>(options: WorkOptions, work: (session: WriteSession) => Promise<T>): Promise<T> {
    return this.turns.run(options.signal, () =>
      this.database.write(options, async (session) => {
        await lockPlan(session);
        return work(session);
      }),
    );
  }
}
