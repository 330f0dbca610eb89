import type { Database, WorkOptions, WriteSession } from '@sinebar/database';
import { Turnstile } from '@sinebar/service-kit';
import { PlanStore } from './plan-store.js';

/** Changes that wait for the plan lock with a database connection of their own, at most; the others wait without one. */
const WAITING_FOR_THE_LOCK = 2;

/** Transactions under the plan lock: everything that changes plan, configuration or catalogs. */
export class PlanWrites {
  private readonly database: Database;
  private readonly turns = new Turnstile(WAITING_FOR_THE_LOCK);

  constructor(database: Database) {
    this.database = database;
  }

  write<T>(options: WorkOptions, work: (session: WriteSession) => Promise<T>): Promise<T> {
    return this.turns.run(options.signal, () =>
      this.database.write(options, async (session) => {
        await new PlanStore(session).lock();
        return work(session);
      }),
    );
  }
}
