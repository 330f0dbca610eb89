import { randomUUID } from 'node:crypto';
import { PathScope } from '@sinebar/access-control';
import type { StepOutcome } from '@sinebar/concurrency';
import type { Database, Session, WorkOptions, WriteSession } from '@sinebar/database';
import type { Logger } from '@sinebar/runtime';
import type { RaisedCounts } from '../../alarms/raised-alarms.ts';
import type { Configuration, ConfigurationReader } from '../../configuration/configuration.ts';
import type { EvaluationReader } from '../../evaluation/evaluation-reader.ts';
import { assessAll } from '../../shared/figure-changes.ts';
import { BackgroundJob, BUSY } from '../../shared/background-job.ts';
import { sharePlan } from '../../shared/plan-lock.ts';
import { inTurns, mapInTurns } from '../../shared/turns.ts';
import { statusLimitsOf } from '../analysed-characteristic.ts';
import { EVERYTHING, readAssessedCharacteristics, type AssessedCharacteristic } from '../assessment/assessed-characteristics.ts';
import { assessmentTask, readAssessedSeries, type AssessedSeries } from '../assessment/assessed-series.ts';
import { Calculator } from '../calculations/calculator.ts';
import type { AssessmentResult } from '../calculations/tasks.ts';
import type { KeptAssessment, ValuesState } from './assessment-fields.ts';
import {
  findPartToAssess,
  readAssessments,
  readKeptModels,
  removeChanges,
  storeAssessments,
  takeLease,
  type AssessmentOrder,
  type KeptModelState,
} from './kept-assessment-store.ts';
import { areFiguresKept, readTotals, type StoredFigures } from './kept-figures-store.ts';
import { limitsToKeep, readKeptLimits, storeKeptLimits, type KeptLimits } from './kept-limits.ts';
import { earlierModel } from './kept-models.ts';
import { isOfAlarm, storeProcessAlarms, type ProcessChange } from './process-alarms.ts';
import { emptiedChanges, newestValues, storeStatusChanges, type NewestValues, type StatusChange } from './status-changes.ts';

const STATEMENT_TIMEOUT_MS = 600_000;
/** Time until the next look for parts; the job of the figures of this process wakes it at once. */
const POLL: StepOutcome = { waitMs: 1000 };
/** A process that ends without a word is followed after this time. */
const LEASE_S = 300;
const RELEASE_LIMIT_MS = 2000;
/** A longer step is followed by a pause of its length, so that the job takes half of a processor at most. */
const LONG_STEP_MS = 200;
/** Values, and characteristics, that are read and computed together: they fit into memory, and hold the event loop only briefly. */
const VALUES_PER_CHUNK = 1_000_000;
const CHARACTERISTICS_PER_BATCH = 1000;

export interface KeptAssessmentsDependencies {
  database: Database;
  configurations: ConfigurationReader;
  evaluations: EvaluationReader;
  now: () => Date;
  log: Logger;
  /** Age in milliseconds above which a measurement raises alarms that nobody is told. */
  maxAgeMs: number;
  raised: RaisedCounts;
}

/** A characteristic, and what was kept of it before. */
interface Work {
  assessed: AssessedCharacteristic;
  values: ValuesState;
  previous: KeptAssessment | undefined;
  model: KeptModelState | undefined;
  limits: KeptLimits | undefined;
}

/** The figures of the characteristics of a part, and what was kept of them before, by their ids. */
interface PartState {
  values: Map<number, ValuesState>;
  previous: Map<number, KeptAssessment>;
}

/** What is stored of a part. */
interface Outcome {
  assessments: Map<number, KeptAssessment>;
  models: Map<number, KeptModelState>;
  limits: Map<number, KeptLimits>;
  changes: StatusChange[];
  processes: ProcessChange[];
}

/**
 * Keeps models and assessments of characteristics whose values, limits or evaluation have changed, one part after the other
 * (docs/decisions/0063-kept-models.md). It computes in a thread, and holds no connection meanwhile; a lease keeps other processes away.
 */
export class KeptAssessmentsJob extends BackgroundJob {
  private readonly deps: KeptAssessmentsDependencies;
  /** Not shared with requests, which would wait for its tasks. */
  private readonly calculator = new Calculator(1);
  private readonly holder = randomUUID();
  private areAllQueued = false;

  constructor(deps: KeptAssessmentsDependencies) {
    super(deps.log, 'characteristics could not be assessed; trying again');
    this.deps = deps;
  }

  async step(signal: AbortSignal): Promise<StepOutcome> {
    const begun = performance.now();
    const work = { signal, statementTimeoutMs: STATEMENT_TIMEOUT_MS };
    let areAllQueued = this.areAllQueued;
    const order = await this.deps.database.write(work, async (session) => {
      if (!(await areFiguresKept(session))) return undefined;
      if (!this.areAllQueued) await this.queueChanged(session);
      areAllQueued = true;
      const found = await findPartToAssess(session);
      if (!found) return undefined;
      return (await takeLease(session, this.holder, LEASE_S)) ? found : BUSY;
    });
    this.areAllQueued = areAllQueued;
    if (order === undefined) return POLL;
    if (typeof order === 'string' || !('partId' in order)) return order;
    try {
      await this.assess(order, work);
    } catch (error) {
      await this.releaseLease();
      throw error;
    }
    const elapsedMs = performance.now() - begun;
    return elapsedMs > LONG_STEP_MS ? { waitMs: elapsedMs } : 'more';
  }

  override async stop(): Promise<void> {
    await super.stop();
    await this.calculator.close();
  }

  /** Lets the next process begin at once, also when this one stops in the middle of a part; without a database the lease ends by itself. */
  private async releaseLease(): Promise<void> {
    const work = { signal: AbortSignal.timeout(RELEASE_LIMIT_MS), statementTimeoutMs: RELEASE_LIMIT_MS };
    await this.deps.database.write(work, (session) => takeLease(session, this.holder, 0)).catch(() => {});
  }

  /** Has parts assessed whose need nothing tells: those of a backup of an earlier release, and all after another setting of the server. */
  private async queueChanged(session: WriteSession): Promise<void> {
    await session.query(QUEUE_MISSING);
    const { required } = await this.deps.evaluations.defaults(session);
    const changed = await session.execute('UPDATE assessment_lease SET required = $1 WHERE required IS DISTINCT FROM $1::float8', [
      required,
    ]);
    if (changed > 0) await assessAll(session);
  }

  private async assess(order: AssessmentOrder, work: WorkOptions): Promise<void> {
    const { database } = this.deps;
    const state = await database.snapshot(work, (session) => readState(session, order.partId));
    const outcome: Outcome = { assessments: new Map(), models: new Map(), limits: new Map(), changes: [], processes: [] };
    for await (const ids of inTurns(state.values.keys(), CHARACTERISTICS_PER_BATCH)) {
      await this.assessBatch(order.partId, ids, state, outcome, work);
    }
    const present = this.deps.now().getTime();
    await database.write(work, async (session) => {
      // The plan is locked first, as by all that change it.
      if (outcome.processes.length > 0) await sharePlan(session);
      if (!(await takeLease(session, this.holder, 0))) return;
      const gone = await existingAmong(
        session,
        [...state.previous.keys()].filter((id) => !outcome.assessments.has(id)),
      );
      const emptied = gone.flatMap((id) => emptiedChanges(id, state.previous.get(id)!, present));
      await storeAssessments(session, order.partId, outcome.assessments, outcome.models);
      await storeKeptLimits(session, outcome.limits);
      await storeStatusChanges(session, [...emptied, ...outcome.changes]);
      await storeProcessAlarms(session, order.partId, outcome.processes, this.deps);
      await removeChanges(session, order);
    });
  }

  /** Assesses those of the characteristics that have changed. */
  private async assessBatch(partId: number, ids: readonly number[], state: PartState, outcome: Outcome, work: WorkOptions): Promise<void> {
    const { database, evaluations, configurations } = this.deps;
    const { configuration, batch } = await database.snapshot(work, async (session) => {
      const configuration = await configurations.read(session);
      const assessed = await readAssessedCharacteristics(session, { evaluations, configuration }, partId, ids);
      const models = await readKeptModels(session, ids);
      const limits = await readKeptLimits(session, ids);
      const batch = assessed.map((each): Work => {
        const { id } = each.characteristic;
        return {
          assessed: each,
          values: state.values.get(id)!,
          previous: state.previous.get(id),
          model: models.get(id),
          limits: limits.get(id),
        };
      });
      return { configuration, batch };
    });
    const changed = batch.filter(hasChanged);
    for (const each of batch) {
      if (!hasChanged(each)) outcome.assessments.set(each.assessed.characteristic.id, each.previous!);
    }
    for (const chunk of chunksOf(changed)) {
      const series = await database.snapshot(work, (session) => readSeries(session, chunk, configuration));
      await this.assessChunk(chunk, series, outcome, work.signal);
      await database.write(work, (session) => takeLease(session, this.holder, LEASE_S));
    }
  }

  private async assessChunk(
    chunk: readonly Work[],
    series: readonly AssessedSeries[],
    { assessments, models, limits, changes, processes }: Outcome,
    signal: AbortSignal,
  ): Promise<void> {
    const present = this.deps.now();
    // The task takes the values along.
    const newest = await mapInTurns(chunk, ({ assessed, previous, values }, i) => {
      const limits = statusLimitsOf(assessed.characteristic.limits);
      return newestValues(series[i]!, { limits, previous, seen: values, present: present.getTime() });
    });
    const items = await mapInTurns(chunk, ({ assessed, model }, i) =>
      assessmentTask(series[i]!, earlierModel(model, assessed.modelBasis, assessed.request.model)),
    );
    const results = await this.calculator.run<'assessments'>({ kind: 'assessments', items }, signal);
    for (const [i, one] of chunk.entries()) {
      const result = results[i]!;
      const { id } = one.assessed.characteristic;
      const state = modelState(one, result, series[i]!, present);
      if (state && JSON.stringify(state) !== JSON.stringify(one.model)) models.set(id, state);
      const kept = limitsToKeep(one.limits, result, series[i]!);
      if (kept) limits.set(id, kept);
      assessments.set(id, keptAssessment(one, result, newest[i]!, state, present));
      const ofProcess = processChanges(one, result, newest[i]!, present);
      changes.push(...newest[i]!.changes, ...ofProcess);
      // Limits and evaluations that change raise nothing by themselves.
      if (one.previous?.basis === one.assessed.basis) {
        processes.push(...ofProcess.filter(isOfAlarm).map((change) => ({ change, assessed: one.assessed })));
      }
    }
  }
}

const QUEUE_MISSING = `INSERT INTO assessment_change (part_id) SELECT part_id FROM kept_figures k
  WHERE NOT EXISTS (SELECT FROM kept_assessment a WHERE a.part_id = k.part_id)
    AND NOT EXISTS (SELECT FROM assessment_change c WHERE c.part_id = k.part_id)`;

function readSeries(session: Session, chunk: readonly Work[], configuration: Configuration): Promise<AssessedSeries[]> {
  return readAssessedSeries(
    session,
    chunk.map(({ assessed }) => assessed),
    EVERYTHING,
    { readable: PathScope.EVERYTHING, configuration, exclude: [], maxValues: Infinity, caseSensitive: false },
  );
}

async function readState(session: Session, partId: number): Promise<PartState> {
  const totals = (await readTotals(session, [partId], 'all')).get(partId);
  const stored = (await readAssessments(session, [partId], 'all')).get(partId);
  const previous = await mapInTurns(stored?.ids ?? [], (id, column): [number, KeptAssessment] => [id, stored!.fields.keptAt(column)]);
  return { values: valuesStates(totals), previous: new Map(previous) };
}

async function existingAmong(session: Session, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const rows = await session.query<{ id: number }>('SELECT id FROM plan_item WHERE id = ANY($1::int[])', [ids]);
  return rows.map(({ id }) => id);
}

/** Figures of the characteristics that have values, by their ids. */
function valuesStates(totals: StoredFigures | undefined): Map<number, ValuesState> {
  const states = new Map<number, ValuesState>();
  if (!totals) return states;
  const { ids, figures } = totals;
  for (const [column, id] of ids.entries()) {
    if (figures.count[column] === 0) continue;
    states.set(id, {
      count: figures.count[column]!,
      mean: figures.mean[column]!,
      squares: figures.squares[column]!,
      rangeSum: figures.rangeSum[column]!,
      lastTime: figures.lastTime[column]!,
      lastId: figures.lastId[column]!,
    });
  }
  return states;
}

function hasChanged({ assessed, values, previous }: Work): boolean {
  if (!previous || previous.basis !== assessed.basis) return true;
  return (Object.keys(values) as (keyof ValuesState)[]).some((field) => !Object.is(values[field], previous[field]));
}

function chunksOf(changed: readonly Work[]): Work[][] {
  const chunks: Work[][] = [];
  let count = Infinity;
  for (const work of changed) {
    if (count + work.values.count > VALUES_PER_CHUNK) {
      chunks.push([]);
      count = 0;
    }
    chunks.at(-1)!.push(work);
    count += work.values.count;
  }
  return chunks;
}

function modelState(
  { assessed, model: before }: Work,
  { model, isKept, stable, since }: AssessmentResult,
  series: AssessedSeries,
  present: Date,
): KeptModelState | undefined {
  if (!model) return undefined;
  const { index, ...found } = since ?? { index: -1 };
  const time = index < 0 ? NaN : series.timeAt(index);
  return {
    basis: assessed.modelBasis,
    request: assessed.request.model,
    fittedAt: isKept && before ? before.fittedAt : present.toISOString(),
    model: isKept && before ? before.model : model,
    stable,
    ...('kind' in found && {
      since: { ...found, ...(!Number.isNaN(time) && { time: new Date(time).toISOString() }), measurementId: series.idAt(index) },
    }),
  };
}

function keptAssessment(
  { assessed, values }: Work,
  { process, percentiles, model }: AssessmentResult,
  { now, outOfNewest }: NewestValues,
  state: KeptModelState | undefined,
  present: Date,
): KeptAssessment {
  return {
    ...values,
    now,
    process,
    ...(percentiles && { model: { name: model!.fit!.name, percentiles } }),
    outOfNewest,
    assessedAt: present.getTime(),
    fittedAt: state ? Date.parse(state.fittedAt) : NaN,
    basis: assessed.basis,
  };
}

function processChanges(
  { assessed, previous }: Work,
  { process }: AssessmentResult,
  { last, hasNew }: NewestValues,
  present: Date,
): StatusChange[] {
  const before = previous?.process ?? 'unknown';
  if (process === before) return [];
  const time = hasNew && last && !Number.isNaN(last.time) ? last.time : present.getTime();
  return [{ characteristicId: assessed.characteristic.id, time, measurementId: last?.id ?? null, kind: 'process', before, after: process }];
}
