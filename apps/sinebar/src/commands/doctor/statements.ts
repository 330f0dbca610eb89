import { pause } from '@sinebar/concurrency';
import type { Database } from '@sinebar/database';
import { EXAMPLES, type Doctor, type Finding } from './finding.ts';

/** Time limit of statements that scan whole tables, milliseconds. */
const STATEMENT_TIMEOUT_MS = 30 * 60_000;
const PAUSE_MS = 500;
/** Maximum rows that are kept between two runs of a check. */
const REMEMBERED = 10_000;

/** Runs a statement that only reads. */
export function select<R extends object>(
  database: Database,
  signal: AbortSignal,
  text: string,
  values: readonly unknown[] = [],
): Promise<R[]> {
  return database.snapshot({ signal, statementTimeoutMs: STATEMENT_TIMEOUT_MS }, (session) => session.query<R>(text, values));
}

interface Expectation {
  check: string;
  database: Database;
  /** Query with one column, `example`, and one row per problem. */
  wrong: string;
  values?: readonly unknown[];
  fine: string;
  /** Text after the number of rows: `items whose parent does not exist`. */
  problem: string;
}

/** Reports a problem when the query returns rows. */
export async function expectNone({ signal }: Doctor, { check, database, wrong, values, fine, problem }: Expectation): Promise<Finding> {
  const rows = await select<{ count: number; example: string }>(
    database,
    signal,
    `SELECT count(*) OVER ()::float8 AS count, example::text AS example FROM (${wrong}) AS wrong ORDER BY example LIMIT ${EXAMPLES}`,
    values,
  );
  return verdict(
    check,
    rows[0]?.count ?? 0,
    rows.map(({ example }) => example),
    { fine, problem },
  );
}

/** Reports a problem only for rows that stay wrong, for data that may lag. */
export async function expectNoneForLong(doctor: Doctor, expectation: Expectation): Promise<Finding> {
  const { check, database, wrong, values, fine, problem } = expectation;
  const giveUpAt = performance.now() + doctor.options.settleMs;
  let remaining: string[] | undefined;
  for (;;) {
    const rows = await select<{ example: string }>(
      database,
      doctor.signal,
      `SELECT example::text AS example FROM (${wrong}) AS wrong ORDER BY example LIMIT ${REMEMBERED}`,
      values,
    );
    const now = new Set(rows.map(({ example }) => example));
    remaining = remaining === undefined ? [...now] : remaining.filter((example) => now.has(example));
    if (remaining.length === 0 || performance.now() > giveUpAt) break;
    await pause(PAUSE_MS, doctor.signal);
    doctor.signal.throwIfAborted();
  }
  return verdict(check, remaining.length, remaining.slice(0, EXAMPLES), { fine, problem });
}

function verdict(check: string, count: number, examples: string[], { fine, problem }: { fine: string; problem: string }): Finding {
  return count === 0 ? { check, state: 'ok', detail: fine } : { check, state: 'problem', detail: `${count} ${problem}`, examples };
}
