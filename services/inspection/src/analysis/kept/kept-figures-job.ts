import type { StepOutcome } from '@sinebar/concurrency';
import { tryAdvisoryLock, type Database, type Session, type WriteSession } from '@sinebar/database';
import type { RunningFigures } from '@sinebar/statistics';
import type { Logger } from '@sinebar/runtime';
import { BackgroundJob, BUSY } from '../../shared/background-job.ts';
import { changesOfParts } from '../../shared/figure-changes.ts';
import { areFiguresKept, takeChangedPart, type ChangedPart } from './kept-figures-store.ts';
import { refreshedFigures } from './refreshed-figures.ts';

/** Long enough to read all values of one part. */
const STATEMENT_TIMEOUT_MS = 600_000;
/** Time until the next look for changes; many changes of a part within it are one computation. */
const POLL: StepOutcome = { waitMs: 2000 };
/** Interval in which the job records that it runs. */
const SEEN_INTERVAL_MS = 60_000;
/** A longer step is followed by a pause of its length, so that the job takes half of a processor at most. */
const LONG_STEP_MS = 100;

/**
 * Computes the kept figures of parts whose values have changed, one part in a transaction, one at a time over all replicas.
 * It takes the changes before it reads the values: a change that is committed meanwhile stays for the next step
 * (docs/decisions/0037-kept-figures.md).
 */
export class KeptFiguresJob extends BackgroundJob {
  private readonly database: Database;
  private readonly onKept: () => void;
  /** Time at which this process last recorded that it runs, milliseconds of `performance.now`. */
  private seenAt: number | undefined;

  /** @param onKept called after figures of a part are kept, so that its characteristics are assessed */
  constructor(database: Database, log: Logger, onKept: () => void = () => undefined) {
    super(log, 'figures could not be kept up to date; trying again');
    this.database = database;
    this.onKept = onKept;
  }

  async step(signal: AbortSignal): Promise<StepOutcome> {
    const begun = performance.now();
    const outcome = await this.database.write({ signal, statementTimeoutMs: STATEMENT_TIMEOUT_MS }, async (session) => {
      if (!(await tryAdvisoryLock(session, 'keptFigures'))) return BUSY;
      return this.advance(session);
    });
    if (outcome === 'more') this.onKept();
    const elapsedMs = performance.now() - begun;
    return outcome === 'more' && elapsedMs > LONG_STEP_MS ? { waitMs: elapsedMs } : outcome;
  }

  private async advance(session: WriteSession): Promise<StepOutcome> {
    if (!(await areFiguresKept(session))) return (await beginToKeep(session)) ? 'more' : POLL;
    if (this.seenAt === undefined && (await hasMissedChanges(session))) {
      this.log.warn('an earlier release has written measured values; figures of parts are computed from the values for an hour');
      await session.query(`UPDATE figure_state SET fill_at = now() + interval '1 hour'`);
      return POLL;
    }
    if (this.seenAt === undefined || performance.now() - this.seenAt > SEEN_INTERVAL_MS) {
      await session.query('UPDATE figure_state SET seen_at = now()');
      this.seenAt = performance.now();
    }
    const part = await takeChangedPart(session);
    if (!part) return POLL;
    await keep(session, part);
    return 'more';
  }
}

/**
 * Whether measurements were changed while no process of this release was running.
 * An earlier release does not record what it changes. Some minutes are left for a long step before the end of the last process.
 */
async function hasMissedChanges(session: Session): Promise<boolean> {
  const [row] = await session.query<{ missed: boolean }>(
    `SELECT greatest((SELECT max(measurement_at) FROM server_state), (SELECT max(last_modified) FROM measurement))
       > seen_at + interval '10 minutes' AS missed
     FROM figure_state`,
  );
  return row?.missed === true;
}

/** Has the figures of all parts computed, once it is time. @returns whether it is */
async function beginToKeep(session: WriteSession): Promise<boolean> {
  // A restored backup of an earlier release has no row.
  const [row] = await session.query<{ due: boolean }>('SELECT bool_and(fill_at <= now()) IS NOT FALSE AS due FROM figure_state');
  if (row?.due !== true) return false;
  await session.query('DELETE FROM kept_figures');
  await session.query('DELETE FROM figure_change');
  await session.query(changesOfParts('SELECT DISTINCT part_id FROM characteristic_set'));
  await session.query(
    `INSERT INTO figure_state (id, fill_at, seen_at) VALUES (1, NULL, now())
     ON CONFLICT (id) DO UPDATE SET fill_at = EXCLUDED.fill_at, seen_at = EXCLUDED.seen_at`,
  );
  return true;
}

async function keep(session: Session, part: ChangedPart): Promise<void> {
  await session.query('INSERT INTO assessment_change (part_id) VALUES ($1)', [part.id], { name: 'assess-part' });
  const refreshed = await refreshedFigures(session, part);
  if (!refreshed) {
    await session.query('DELETE FROM kept_figures WHERE part_id = $1', [part.id]);
    return;
  }
  const { ids, total, settled } = refreshed;
  if (!settled) {
    await session.query('UPDATE kept_figures SET total = $2 WHERE part_id = $1', [part.id, bytesOf(total)], { name: 'figures-total' });
    return;
  }
  await session.query(
    `INSERT INTO kept_figures (part_id, characteristics, total, settled, settled_at, settled_id)
     VALUES ($1, $2, $3, $4, $5::timestamptz, $6)
     ON CONFLICT (part_id) DO UPDATE SET characteristics = EXCLUDED.characteristics, total = EXCLUDED.total, settled = EXCLUDED.settled,
       settled_at = EXCLUDED.settled_at, settled_id = EXCLUDED.settled_id`,
    [
      part.id,
      Buffer.from(ids.buffer, ids.byteOffset, ids.byteLength),
      bytesOf(total),
      settled.figures ? bytesOf(settled.figures) : null,
      settled.end?.at ?? null,
      settled.end?.id ?? null,
    ],
  );
}

function bytesOf({ data }: RunningFigures): Buffer {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
}
