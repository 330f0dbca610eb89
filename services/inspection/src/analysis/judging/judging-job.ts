import { pause, type StepOutcome } from '@sinebar/concurrency';
import { tryAdvisoryLock, type Database, type Session, type WriteSession } from '@sinebar/database';
import type { Logger } from '@sinebar/runtime';
import {
  alarmWriting,
  removePoints,
  readOpenAlarms,
  type AlarmWriting,
  type OpenAlarm,
  type OwnedPoint,
  type RaisedCounts,
} from '../../alarms/raised-alarms.ts';
import type { ConfigurationReader } from '../../configuration/configuration.ts';
import { excludedOf, readExcludedOfParts, type EvaluationReader } from '../../evaluation/evaluation-reader.ts';
import { BackgroundJob } from '../../shared/background-job.ts';
import { sharePlan } from '../../shared/plan-lock.ts';
import { inTurns } from '../../shared/turns.ts';
import { AssessedCharacteristicCache } from '../assessment/assessed-characteristic-cache.ts';
import { Calculator } from '../calculations/calculator.ts';
import { readSets } from '../figures/part-sets.ts';
import { hasChanges, putBack, takeChanges, type PartChanges } from './alarm-changes.ts';
import { hasFindings, isOfValues, pointsNeeded, storeFindings } from './alarm-writer.ts';
import { readChangedMeasurements } from './changed-measurements.ts';
import type { JudgedCharacteristic } from './judged-points.ts';
import { judgeCharacteristics } from './value-judge.ts';
import { WriterPause } from './writer-pause.ts';

const STATEMENT_TIMEOUT_MS = 600_000;
/** Time until the next look for changes of a process that has ended before its own look; a commit wakes the job of its process at once. */
const POLL: StepOutcome = { waitMs: 2000 };
/** Pause while another replica judges, which takes what this one has written, too; no commit shortens it. */
const BUSY_MS = 100;
/** A part that cannot be judged holds up no others. */
const RETRY_MS = 60_000;
/** Characteristics that are judged together. */
const CHARACTERISTICS_PER_BATCH = 1000;

export interface JudgingDependencies {
  database: Database;
  configurations: ConfigurationReader;
  evaluations: EvaluationReader;
  now: () => Date;
  log: Logger;
  /** Age in milliseconds above which a measurement raises alarms that nobody is told. */
  maxAgeMs: number;
  /** Called after alarms of a part were stored: there may be something to tell. */
  onStored?: () => void;
  raised: RaisedCounts;
}

interface JudgedPart {
  /** Whether alarms may have been stored. */
  hasStored: boolean;
  values: number;
}

/**
 * Judges what was written, one part in a transaction, one at a time over all replicas (docs/decisions/0071-alarms.md).
 * It takes the changes before it reads the values: what is committed meanwhile stays for the next step.
 */
export class JudgingJob extends BackgroundJob {
  private readonly deps: JudgingDependencies;
  /** Not shared with requests, which would wait for its tasks. */
  private readonly calculator = new Calculator(1);
  private readonly characteristics: AssessedCharacteristicCache;
  /** Parts whose step has failed, with the time of the next one, milliseconds of `performance.now`. Others are judged meanwhile. */
  private readonly failed = new Map<number, number>();
  private readonly writers = new WriterPause();
  /** Whether the last step has judged something: then there is often more. */
  private isBusy = false;

  constructor(deps: JudgingDependencies) {
    super(deps.log, 'values could not be judged; trying again');
    this.deps = deps;
    this.characteristics = new AssessedCharacteristicCache(deps);
  }

  async step(signal: AbortSignal): Promise<StepOutcome> {
    const work = { signal, statementTimeoutMs: STATEMENT_TIMEOUT_MS };
    if (!this.isBusy && !(await this.deps.database.read(work, hasChanges))) return POLL;
    this.isBusy = false;
    for (const [id, retryAt] of this.failed) if (performance.now() > retryAt) this.failed.delete(id);
    let partId: number | undefined;
    let judged: JudgedPart = { hasStored: false, values: 0 };
    const begun = performance.now();
    try {
      const outcome = await this.deps.database.write(work, async (session): Promise<StepOutcome | 'busy'> => {
        if (!(await tryAdvisoryLock(session, 'alarms'))) return 'busy';
        const changes = await takeChanges(session, [...this.failed.keys()]);
        if (!changes) return POLL;
        ({ partId } = changes);
        judged = await this.judge(session, changes, signal);
        return 'more';
      });
      if (outcome === 'busy') {
        await pause(BUSY_MS, signal);
        return { waitMs: 0 };
      }
      if (outcome !== 'more') return outcome;
      this.isBusy = true;
      if (judged.hasStored) {
        this.writers.forgetCommit();
        this.deps.onStored?.();
      }
      const pauseMs = this.writers.pauseAfter({ stepMs: performance.now() - begun, values: judged.values });
      // No commit shortens it.
      if (pauseMs > 0) await pause(pauseMs, signal);
      return outcome;
    } catch (error) {
      if (partId === undefined || signal.aborted) throw error;
      this.failed.set(partId, performance.now() + RETRY_MS);
      this.log.warn({ err: error, partId }, 'the values of a part could not be judged; trying again in a minute');
      return 'more';
    }
  }

  /** Called at each commit. */
  override wake(): void {
    this.writers.noteCommit();
    super.wake();
  }

  override async stop(): Promise<void> {
    await super.stop();
    await this.calculator.close();
  }

  private async judge(session: WriteSession, changes: PartChanges, signal: AbortSignal): Promise<JudgedPart> {
    const { partId } = changes;
    const sets = await readSets(session, [partId]);
    const { changed, hasLeft, next } = await readChangedMeasurements(session, changes, sets);
    if (next) await putBack(session, changes, next);
    const open = (await readOpenAlarms(session, partId)).filter(isOfValues);
    const judged: JudgedPart = { hasStored: false, values: 0 };
    if (open.length > 0 && (hasLeft || changes.hasLeft)) {
      const writing = await this.begin(session, partId);
      if (!writing) return judged;
      await this.removeLeft(writing, open);
      judged.hasStored = true;
    }
    if (!changed) return judged;
    judged.values = changed.writtenAt.size * changed.characteristicIds.size;
    const ids = new Set([...changed.characteristicIds, ...(await ownedCharacteristics(session, changed.writtenAt))]);
    const state = await this.characteristics.readState(session, partId);
    const { configuration } = state;
    for await (const batch of inTurns(ids, CHARACTERISTICS_PER_BATCH)) {
      const assessed = await this.characteristics.read(session, state, partId, batch);
      const contexts = new Map(
        assessed
          .filter(({ characteristic: { id } }) => open.some(({ characteristicId }) => characteristicId === id))
          .map(({ characteristic: { id }, autoClose }) => [id, autoClose + 1]),
      );
      const judging = { session, configuration, calculator: this.calculator, signal, partId, sets, changed };
      const characteristics = await judgeCharacteristics(judging, assessed, contexts);
      if (!hasFindings({ judged: characteristics }, open)) continue;
      const writing = await this.begin(session, partId);
      if (!writing) return judged;
      const existing = await existingAmong(session, characteristics);
      await storeFindings(writing, { judged: existing, writtenAt: changed.writtenAt, maxAgeMs: this.deps.maxAgeMs });
      judged.hasStored = true;
    }
    return judged;
  }

  /**
   * Begins to store. The plan does not change from here on, so that no alarm of a deleted part remains.
   * @returns `undefined` where the part was deleted
   */
  private async begin(session: WriteSession, partId: number): Promise<AlarmWriting | undefined> {
    await sharePlan(session);
    return alarmWriting(session, partId, this.deps);
  }

  /** Takes the points of deleted and excluded measurements from open alarms. */
  private async removeLeft(writing: AlarmWriting, open: readonly OpenAlarm[]): Promise<void> {
    const { session, part } = writing;
    const left = await leftPoints(session, part.id, open);
    const characteristics = [...new Set(left.flatMap(({ alarm }) => alarm.characteristicId ?? []))];
    const state = await this.characteristics.readState(session, part.id);
    const assessed = await this.characteristics.read(session, state, part.id, characteristics);
    const byId = new Map(assessed.map((each) => [each.characteristic.id, each]));
    await removePoints(writing, left, (alarm) => pointsNeeded(alarm, byId.get(alarm.characteristicId ?? NaN)));
  }
}

/** Characteristics of which changed measurements belong to alarms: their values may have gone. */
async function ownedCharacteristics(session: Session, writtenAt: ReadonlyMap<number, number>): Promise<number[]> {
  const rows = await session.query<{ id: number }>(
    'SELECT DISTINCT characteristic_id AS id FROM alarm_point WHERE measurement_id = ANY($1::bigint[])',
    [Array.from(writtenAt.keys(), String)],
    { name: 'alarm-characteristics' },
  );
  return rows.map(({ id }) => id);
}

async function existingAmong(session: Session, judged: readonly JudgedCharacteristic[]): Promise<JudgedCharacteristic[]> {
  const rows = await session.query<{ id: number }>('SELECT id FROM plan_item WHERE id = ANY($1::int[])', [
    judged.map(({ assessed }) => assessed.characteristic.id),
  ]);
  const ids = new Set(rows.map(({ id }) => id));
  return judged.filter(({ assessed }) => ids.has(assessed.characteristic.id));
}

/** Finds points of open alarms whose measurement was deleted or left out, or has become an aggregation. */
async function leftPoints(session: Session, partId: number, open: readonly OpenAlarm[]): Promise<OwnedPoint[]> {
  const rows = await session.query<{ id: string; measurementId: number; isValue: boolean }>(
    `SELECT point.alarm_id::text AS id, point.measurement_id::float8 AS "measurementId", m.aggregation IS FALSE AS "isValue"
     FROM alarm_point point LEFT JOIN measurement m ON m.id = point.measurement_id WHERE point.alarm_id = ANY($1::bigint[])`,
    [open.map(({ id }) => id)],
  );
  const alarms = new Map(open.map((alarm) => [alarm.id, alarm]));
  const excluded = await readExcludedOfParts(session, [partId]);
  const excludedIds = new Map(
    [...new Set(open.map(({ characteristicId }) => characteristicId ?? 0))].map((id) => [id, excludedOf(excluded, id)]),
  );
  return rows.flatMap(({ id, measurementId, isValue }) => {
    const alarm = alarms.get(id)!;
    const isLeft = !isValue || excludedIds.get(alarm.characteristicId ?? 0)?.has(measurementId) === true;
    return isLeft ? [{ alarm, measurementId }] : [];
  });
}
