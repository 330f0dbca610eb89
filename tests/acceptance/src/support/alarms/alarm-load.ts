import { randomInt, randomUUID } from 'node:crypto';
import type { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { send, sendJson, until } from '../requests/rest-client.ts';

/** Points of a characteristic that belong to one alarm. */
export interface MeasuredRun {
  kind: 'tolerance' | 'rule';
  characteristic: string;
  measurements: Measurement[];
  /** Whether good values have replaced it. */
  isReplaced: boolean;
}

interface Measurement {
  uuid: string;
  partUuid: string;
  attributes: { 4: string };
  characteristics: Record<string, { 1: number }>;
}

/** Numbers of points, both bounds included. */
interface Lengths {
  good: readonly number[];
  bad: readonly number[];
}

const [LOWER, UPPER, GOOD, BAD] = [9, 11, 10, 12];
/** Values on both sides of the center line; a single one breaks no rule. */
const [BELOW, ABOVE] = [9.5, 10.5];
const TOLERANCE_RUNS: Lengths = { good: [1, 2, 3, 5, 8], bad: [1, 2, 3, 4] };
/** An odd number of good points begins and ends below the center line. */
const RULE_RUNS: Lengths = { good: [3, 5, 7], bad: [9, 10, 13] };
const RULE = 'nelson2';
/** Alarms stay open while so many points are good, so that each of them is told. */
const AUTO_CLOSE = 1000;
const MAX_IN_A_BODY = 4;
const REPLACED_SHARE = 0.15;
const PAUSE_MS = 150;
const RETRY_MS = 100;
/** Nobody is told about values that are older than a day. */
const FIRST_AGE_MS = 20 * 3_600_000;
const STEP_MS = 1000;
const READY_LIMIT_MS = 120_000;

/** Writes measurements of one part whose runs are known. What was not answered is repeated until it is known to be stored. */
export class AlarmLoad {
  readonly partUuid = randomUUID();
  readonly runs: MeasuredRun[] = [];
  readonly problems: string[] = [];
  readonly counts = { measurements: 0, replacements: 0, repeated: 0 };
  private readonly url: string;
  private readonly agent: Agent;
  private readonly tolerance = new RunSeries('tolerance', TOLERANCE_RUNS);
  private readonly rule = new RunSeries('rule', RULE_RUNS);
  private readonly firstMs = Date.now() - FIRST_AGE_MS;
  private isStopping = false;
  private writing: Promise<void> = Promise.resolve();

  constructor(url: string, agent: Agent) {
    this.url = url;
    this.agent = agent;
  }

  /** Creates the part with a characteristic that has tolerances, and one that has a rule with given limits. */
  async prepare(): Promise<void> {
    const { partUuid: part, tolerance, rule } = this;
    await mustSucceed(this.url, 'POST', '/dataServiceRest/parts', [{ uuid: part, path: `P:/${part}/` }]);
    await mustSucceed(this.url, 'POST', '/dataServiceRest/characteristics', [
      { uuid: tolerance.characteristic, path: `PC:/${part}/Tolerance/`, attributes: { 2110: LOWER, 2111: UPPER } },
      { uuid: rule.characteristic, path: `PC:/${part}/Rule/` },
    ]);
    const given = { rules: [RULE], stages: [{ limits: { kind: 'given', centerLine: GOOD, sigma: 1 } }] };
    for (const [{ characteristic }, state] of [[tolerance, { rules: [] }] as const, [rule, given] as const]) {
      const evaluation = { ...state, autoClose: AUTO_CLOSE, reason: 'a test' };
      await mustSucceed(this.url, 'PUT', `/analysisServiceRest/characteristics/${characteristic}/evaluation`, evaluation);
    }
  }

  start(): void {
    this.writing = this.write();
  }

  /** Ends behind the runs that have begun. */
  async stop(): Promise<void> {
    this.isStopping = true;
    await this.writing;
  }

  private async write(): Promise<void> {
    while (!this.isStopping || this.tolerance.isInRun || this.rule.isInRun) {
      const before = this.runs.length;
      const body = Array.from({ length: 1 + randomInt(MAX_IN_A_BODY) }, () => this.measure());
      // The measurements exist already if only the answer was lost.
      await this.send('POST', body, [201, 409]);
      for (const run of this.runs.slice(before)) {
        if (run.kind === 'tolerance' && Math.random() < REPLACED_SHARE) await this.replace(run);
      }
      await pause(PAUSE_MS);
    }
  }

  private measure(): Measurement {
    const measurement: Measurement = {
      uuid: randomUUID(),
      partUuid: this.partUuid,
      attributes: { 4: new Date(this.firstMs + this.counts.measurements * STEP_MS).toISOString() },
      characteristics: {},
    };
    this.counts.measurements += 1;
    for (const series of [this.tolerance, this.rule]) {
      const ended = series.add(measurement);
      if (ended) this.runs.push(ended);
    }
    return measurement;
  }

  private async replace(run: MeasuredRun): Promise<void> {
    run.isReplaced = true;
    this.counts.replacements += 1;
    const body = run.measurements.map(({ characteristics, ...measurement }) => ({
      ...measurement,
      characteristics: { ...characteristics, [run.characteristic]: { 1: GOOD } },
    }));
    await this.send('PUT', body, [200]);
  }

  private async send(method: 'POST' | 'PUT', body: readonly Measurement[], accepted: readonly number[]): Promise<void> {
    const sent = { method, path: '/dataServiceRest/values', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
    let isFirst = true;
    await until(
      `${method} of values has its effect`,
      async () => {
        const answer = await send(this.url, { ...sent, agent: this.agent }).catch(() => undefined);
        const status = answer?.status ?? 503;
        if (accepted.includes(status) && !(isFirst && status === 409)) return true;
        if (status !== 503) this.problems.push(`${method} answered ${status}: ${answer?.bytes.toString()}`);
        if (isFirst) this.counts.repeated += 1;
        isFirst = false;
        await pause(RETRY_MS);
        return status !== 503;
      },
      READY_LIMIT_MS,
    );
  }
}

/** Values of a characteristic: good ones and runs of bad ones in turn. */
class RunSeries {
  readonly characteristic = randomUUID();
  private readonly kind: MeasuredRun['kind'];
  private readonly lengths: Lengths;
  private run: Measurement[] = [];
  /** Points that follow in this stretch. */
  private left = 0;
  private isBad = true;

  constructor(kind: MeasuredRun['kind'], lengths: Lengths) {
    this.kind = kind;
    this.lengths = lengths;
  }

  /** Whether a run has begun that more points belong to. */
  get isInRun(): boolean {
    return this.isBad && this.left > 0;
  }

  /** Gives a measurement the next value. @returns the run that ends with it */
  add(measurement: Measurement): MeasuredRun | undefined {
    if (this.left === 0) {
      this.isBad = !this.isBad;
      const lengths = this.isBad ? this.lengths.bad : this.lengths.good;
      this.left = lengths[randomInt(lengths.length)]!;
    }
    measurement.characteristics[this.characteristic] = { 1: this.value() };
    this.left -= 1;
    if (!this.isBad) return undefined;
    this.run.push(measurement);
    if (this.left > 0) return undefined;
    const measurements = this.run;
    this.run = [];
    return { kind: this.kind, characteristic: this.characteristic, measurements, isReplaced: false };
  }

  private value(): number {
    if (this.kind === 'tolerance') return this.isBad ? BAD : GOOD;
    return this.isBad || this.left % 2 === 0 ? ABOVE : BELOW;
  }
}

/** @throws when the server answers with a failure */
export async function mustSucceed(url: string, method: string, path: string, body: unknown): Promise<void> {
  const { status, bytes } = await sendJson(url, method, path, body);
  if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${bytes.toString()}`);
}
