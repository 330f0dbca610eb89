import { randomUUID } from 'node:crypto';
import type { Agent } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';
import { readContent, requestOf, sentContent, type MeasuredPart, type ReadMeasurement } from './measurement-content.ts';
import { send, type Answer } from '../requests/rest-client.ts';

export type ChangeKind = 'create' | 'replace' | 'delete';

/** A measurement that only one writer changes, one request after another. */
export interface OwnMeasurement {
  uuid: string;
  part: MeasuredPart;
  /** Number of the acknowledged request that wrote it last; `undefined` when it does not exist. */
  request: number | undefined;
  acknowledged: Record<ChangeKind, number>;
  /** Number of begins and ends of requests: while it is even and unchanged, no request changes the measurement. */
  version: number;
}

/** A request whose answer was lost or 503: its outcome is unknown. Its measurements are not changed any more. */
export interface DoubtfulChange {
  kind: ChangeKind;
  request: number;
  measurements: readonly OwnMeasurement[];
}

export interface SharedReplacement {
  request: number;
  begun: number;
  /** `undefined` when the answer was lost. */
  acknowledged: number | undefined;
}

const VALUES = '/dataServiceRest/values';
const MEASUREMENTS = '/dataServiceRest/measurements';
const JSON_TYPE = { 'Content-Type': 'application/json' };
const RETRY_MS = 100;
const MAX_IN_A_BODY = 20;
/** Least size of white space in a body that is stored while it is read, and how often such a body is sent. */
const LARGE_BODY_BYTES = 700 * 1024;
const LARGE_SHARE = 0.15;
/** Length from which a list is streamed on a cursor. */
const LONG_LIST = 200;

/**
 * Runs writers that create, replace and delete measurements, alone and several at a time, and readers that check them meanwhile.
 * All writers also replace the shared measurements, which always come from one request together.
 */
export class MeasurementLoad {
  readonly own: OwnMeasurement[] = [];
  readonly doubts: DoubtfulChange[] = [];
  readonly shared: OwnMeasurement[] = [];
  readonly replacements: SharedReplacement[] = [];
  readonly problems: string[] = [];
  readonly counts = { acknowledged: 0, unanswered: 0, unavailable: 0, reads: 0, readsCutOff: 0, readsUnavailable: 0 };
  private readonly url: string;
  private readonly parts: readonly MeasuredPart[];
  private readonly agent: Agent;
  private requests = 0;
  private isStopping = false;

  constructor(url: string, parts: readonly MeasuredPart[], agent: Agent) {
    this.url = url;
    this.parts = parts;
    this.agent = agent;
  }

  /** @returns a function that ends it and waits for the last answers */
  start(writers: number, readers: number): () => Promise<void> {
    const running = [...Array.from({ length: writers }, () => this.write()), ...Array.from({ length: readers }, () => this.read())];
    return async () => {
      this.isStopping = true;
      await Promise.all(running);
    };
  }

  /** Creates the shared measurements first, which must be acknowledged. */
  async createShared(count: number): Promise<void> {
    this.shared.push(...this.newMeasurements(count));
    await this.change('create', this.shared);
    if (this.counts.acknowledged !== 1) throw new Error('the shared measurements could not be created');
  }

  async readAll(): Promise<ReadMeasurement[]> {
    const answer = await send(this.url, { path: `${VALUES}?deep=true&order=4%20asc`, agent: this.agent, timeoutMs: 120_000 });
    if (answer.status !== 200) throw new Error(`GET /values answered ${answer.status}`);
    return answer.json() as ReadMeasurement[];
  }

  private async write(): Promise<void> {
    const mine: OwnMeasurement[] = [];
    while (!this.isStopping) {
      const dice = Math.random();
      const size = Math.random() < 0.5 ? 1 : 2 + Math.floor(Math.random() * (MAX_IN_A_BODY - 1));
      if (dice < 0.15) await this.replaceShared();
      else if (dice < 0.55 || mine.length < MAX_IN_A_BODY) {
        const created = this.newMeasurements(size);
        this.own.push(...created);
        if (await this.change('create', created)) mine.push(...created);
      } else {
        const kind = dice < 0.85 ? 'replace' : 'delete';
        const some = mine.splice(Math.floor(Math.random() * (mine.length - size + 1)), size);
        if ((await this.change(kind, some)) && kind === 'replace') mine.push(...some);
      }
    }
  }

  private newMeasurements(count: number): OwnMeasurement[] {
    return Array.from({ length: count }, (_, i) => ({
      uuid: randomUUID(),
      part: this.parts[(i + count) % this.parts.length] as MeasuredPart,
      request: undefined,
      acknowledged: { create: 0, replace: 0, delete: 0 },
      version: 0,
    }));
  }

  /** @returns whether it was acknowledged */
  private async change(kind: ChangeKind, measurements: readonly OwnMeasurement[]): Promise<boolean> {
    const request = (this.requests += 1);
    for (const each of measurements) each.version += 1;
    const done = await this.acknowledged(kind, request, measurements);
    if (!done) {
      this.doubts.push({ kind, request, measurements });
      return false;
    }
    for (const each of measurements) {
      each.version += 1;
      each.acknowledged[kind] += 1;
      each.request = kind === 'delete' ? undefined : request;
    }
    return true;
  }

  private async replaceShared(): Promise<void> {
    const request = (this.requests += 1);
    const replacement: SharedReplacement = { request, begun: performance.now(), acknowledged: undefined };
    this.replacements.push(replacement);
    const anyOrder = [...this.shared].sort(() => Math.random() - 0.5);
    if (await this.acknowledged('replace', request, anyOrder)) replacement.acknowledged = performance.now();
  }

  private async acknowledged(kind: ChangeKind, request: number, measurements: readonly OwnMeasurement[]): Promise<boolean> {
    const answer = await this.answerTo(kind, request, measurements);
    if (answer?.status === (kind === 'create' ? 201 : 200)) {
      this.counts.acknowledged += 1;
      return true;
    }
    if (answer && answer.status !== 503) this.problems.push(`${kind} answered ${answer.status}: ${answer.bytes.toString().slice(0, 300)}`);
    this.counts[answer ? 'unavailable' : 'unanswered'] += 1;
    await pause(RETRY_MS);
    return false;
  }

  /** @returns `undefined` when the connection was lost */
  private answerTo(kind: ChangeKind, request: number, measurements: readonly OwnMeasurement[]): Promise<Answer | undefined> {
    const uuids = measurements.map(({ uuid }) => uuid);
    const { agent } = this;
    if (kind === 'delete') {
      const path = uuids.length === 1 ? `${MEASUREMENTS}/${uuids[0]}` : `${MEASUREMENTS}?measurementUuids={${uuids.join()}}`;
      return send(this.url, { method: 'DELETE', path, agent }).catch(() => undefined);
    }
    const body = measurements.map(({ uuid, part }) => ({
      uuid,
      ...(kind === 'create' && { partUuid: part.uuid }),
      ...sentContent(part, request),
    }));
    const method = kind === 'create' ? 'POST' : 'PUT';
    const text = kind === 'create' && Math.random() < LARGE_SHARE ? spreadOut(body) : JSON.stringify(body);
    return send(this.url, { method, path: VALUES, headers: JSON_TYPE, body: text, agent }).catch(() => undefined);
  }

  private async read(): Promise<void> {
    while (!this.isStopping) {
      const dice = Math.random();
      const read = dice < 0.3 ? this.readShared() : dice < 0.8 && this.own.length > 0 ? this.readOwn() : this.readList();
      if (!(await read)) await pause(RETRY_MS);
    }
  }

  private async readShared(): Promise<boolean> {
    const list = await this.list(`measurementUuids={${this.shared.map(({ uuid }) => uuid).join()}}`);
    if (!list) return false;
    const requests = new Set(list.map(requestOf));
    if (list.length !== this.shared.length || requests.size !== 1)
      this.problems.push(`shared measurements were read in the states ${[...requests].join()} (${list.length} of ${this.shared.length})`);
    return true;
  }

  /** Unchanged measurements must read as acknowledged. */
  private async readOwn(): Promise<boolean> {
    const start = Math.floor(Math.random() * this.own.length);
    const some = this.own.slice(start, start + 1 + Math.floor(Math.random() * 5));
    const versions = some.map(({ version }) => version);
    const list = await this.list(`measurementUuids={${some.map(({ uuid }) => uuid).join()}}`);
    if (!list) return false;
    const byUuid = new Map(list.map((measurement) => [measurement.uuid, measurement]));
    some.forEach((own, i) => {
      const isQuiet = own.version === versions[i] && own.version % 2 === 0;
      const seen = byUuid.get(own.uuid);
      if (isQuiet && (seen && requestOf(seen)) !== own.request)
        this.problems.push(`${own.uuid} was not read as request ${own.request} had left it: ${JSON.stringify(seen)}`);
    });
    return true;
  }

  private async readList(): Promise<boolean> {
    const part = this.parts[Math.floor(Math.random() * this.parts.length)] as MeasuredPart;
    return (await this.list(`partUuids={${part.uuid}}&order=LastModified%20desc&limitResult=${LONG_LIST}`)) !== undefined;
  }

  /** Checks that every measurement of the answer was written by one request. @returns `undefined` without an answer or with 503 */
  private async list(query: string): Promise<ReadMeasurement[] | undefined> {
    const answer = await send(this.url, { path: `${VALUES}?${query}`, agent: this.agent }).catch(() => undefined);
    if (answer?.status !== 200) {
      if (answer && answer.status !== 503) this.problems.push(`GET answered ${answer.status}: ${answer.bytes.toString().slice(0, 300)}`);
      this.counts[answer ? 'readsUnavailable' : 'readsCutOff'] += 1;
      return undefined;
    }
    this.counts.reads += 1;
    const list = answer.json() as ReadMeasurement[];
    for (const measurement of list) if (!isWhole(measurement, this.parts)) this.problems.push(`read torn: ${JSON.stringify(measurement)}`);
    return list;
  }
}

export function isWhole({ partUuid, attributes, characteristics }: ReadMeasurement, parts: readonly MeasuredPart[]): boolean {
  const part = parts.find(({ uuid }) => uuid === partUuid);
  return part !== undefined && isDeepStrictEqual({ attributes, characteristics }, readContent(part, requestOf({ attributes })));
}

/** Formats a JSON list with much white space after each item. */
function spreadOut(items: readonly object[]): string {
  const blanks = ' '.repeat(Math.ceil(LARGE_BODY_BYTES / items.length));
  return `[${items.map((item) => JSON.stringify(item) + blanks).join()}]`;
}
