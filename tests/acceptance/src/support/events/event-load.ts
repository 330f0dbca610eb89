import { randomUUID } from 'node:crypto';
import type { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { COMMON, PLACES, WRITER_HEADERS, type Place } from './event-readers.ts';
import { send, type Answer } from '../requests/rest-client.ts';

export type ChangeEvent = 'PartCreated' | 'PartMoved' | 'PartDeleted' | 'RawDataCreated' | 'RawDataDeleted';

/** Expected change of one request. No two requests cause the same event about the same part. */
export interface AnnouncedChange {
  event: ChangeEvent;
  part: string;
  /** Place of the part; after a move, the new one. */
  place: Place;
  /** Place before a move. */
  from?: Place;
  writer: number;
  /**
   * `doubtful`: the answer was lost or 503; `followed`: a later consequence of the previous change; `earlier`: possibly made before the
   * client connected.
   */
  outcome: 'acknowledged' | 'doubtful' | 'followed' | 'earlier';
  /** Outcome of a doubtful change, determined at the end. */
  happened?: boolean;
}

const PARTS = '/dataServiceRest/parts';
const FILES = '/rawDataServiceRest';
const RETRY_MS = 100;
const PLACE_UUIDS = new Map<Place, string>(PLACES.map((place) => [place, randomUUID()]));

/** Returns the path of a part, with type marker. */
export const pathOf = (place: Place, part: string, isMoved = false) => `PP:/${place}/${part}${isMoved ? ' moved' : ''}/`;

/**
 * Runs writers that create parts, give them files before or after a move, and delete them, one request after another.
 * A part whose last request is doubtful is not changed any more.
 */
export class EventLoad {
  readonly changes: AnnouncedChange[] = [];
  readonly problems: string[] = [];
  refused = 0;
  /** Number of requests whose connection broke before the answer. */
  unanswered = 0;
  private readonly url: string;
  private readonly agent: Agent;
  private isStopping = false;

  constructor(url: string, agent: Agent) {
    this.url = url;
    this.agent = agent;
  }

  get acknowledged(): number {
    return this.changes.filter(({ outcome }) => outcome === 'acknowledged').length;
  }

  /** @returns a function that ends it */
  start(writers: number): () => Promise<void> {
    this.isStopping = false;
    const running = Array.from({ length: writers }, (_, writer) => this.write(writer));
    return async () => {
      this.isStopping = true;
      await Promise.all(running);
    };
  }

  async prepare(): Promise<void> {
    for (const [place, uuid] of PLACE_UUIDS) {
      const answer = await this.json('POST', PARTS, [{ uuid, path: `P:/${place}/` }]);
      if (answer?.status !== 201 && answer?.status !== 409) throw new Error(`${place} was answered with ${answer?.status ?? 'nothing'}`);
      this.changes.push({ event: 'PartCreated', part: uuid, place, writer: -1, outcome: 'earlier' });
    }
  }

  /** Creates a part that every user may see. @throws when the server does not acknowledge it */
  async makePart(): Promise<string> {
    const part = randomUUID();
    if (!(await this.create(-1, part, COMMON))) throw new Error('the part was not acknowledged');
    return part;
  }

  async makeLast(): Promise<string> {
    const part = await this.makePart();
    if (!(await this.upload(-1, part, COMMON))) throw new Error('the file was not acknowledged');
    return part;
  }

  async resolveDoubts(): Promise<void> {
    for (const change of this.changes.filter(({ outcome }) => outcome === 'doubtful')) change.happened = await this.hasHappened(change);
    const withFile = new Set(this.changes.filter(({ event }) => event === 'RawDataCreated').map(({ part }) => part));
    for (const { event, part, place, happened = true } of [...this.changes])
      if (event === 'PartDeleted' && happened && withFile.has(part))
        this.changes.push({ event: 'RawDataDeleted', part, place, writer: -1, outcome: 'followed' });
  }

  private async write(writer: number): Promise<void> {
    while (!this.isStopping) {
      const part = randomUUID();
      const [from, to] = [anyPlace(), anyPlace()];
      const steps: (() => Promise<boolean>)[] = [() => this.create(writer, part, from), () => this.move(writer, part, from, to)];
      if (Math.random() < 0.5) {
        const isBefore = Math.random() < 0.5;
        steps.splice(isBefore ? 1 : 2, 0, () => this.upload(writer, part, isBefore ? from : to));
      }
      if (Math.random() < 0.3) steps.push(() => this.remove(writer, part, to));
      for (const step of steps) {
        if (await step()) continue;
        await pause(RETRY_MS);
        break;
      }
    }
  }

  private create(writer: number, part: string, place: Place): Promise<boolean> {
    const body = [{ uuid: part, path: pathOf(place, part) }];
    return this.change({ event: 'PartCreated', part, place, writer }, () => this.json('POST', PARTS, body));
  }

  private move(writer: number, part: string, from: Place, place: Place): Promise<boolean> {
    const body = [{ uuid: part, path: pathOf(place, part, true) }];
    return this.change({ event: 'PartMoved', part, place, from, writer }, () => this.json('PUT', PARTS, body));
  }

  private remove(writer: number, part: string, place: Place): Promise<boolean> {
    return this.change({ event: 'PartDeleted', part, place, writer }, () => this.ask('DELETE', `${PARTS}/${part}`));
  }

  private upload(writer: number, part: string, place: Place): Promise<boolean> {
    const headers = { 'Content-Type': 'text/plain', 'Content-Disposition': '"f.txt"' };
    const path = `${FILES}/rawData/part/${part}`;
    return this.change({ event: 'RawDataCreated', part, place, writer }, () => this.ask('POST', path, headers, part));
  }

  /** @returns whether it was acknowledged */
  private async change(change: Omit<AnnouncedChange, 'outcome'>, request: () => Promise<Answer | undefined>): Promise<boolean> {
    const made: AnnouncedChange = { ...change, outcome: 'doubtful' };
    this.changes.push(made);
    const answer = await request();
    if (answer !== undefined && answer.status < 300) {
      made.outcome = 'acknowledged';
      return true;
    }
    if (answer === undefined) this.unanswered += 1;
    else if (answer.status === 503 && Number(answer.headers['retry-after']) > 0) this.refused += 1;
    else
      this.problems.push(
        `${change.event} ${change.part} was answered with ${answer.status}, Retry-After ${answer.headers['retry-after']}: ${answer.bytes.toString().slice(0, 300)}`,
      );
    return false;
  }

  private async hasHappened({ event, part, place }: AnnouncedChange): Promise<boolean> {
    if (event === 'RawDataCreated') {
      const answer = await this.get(`${FILES}/rawDataInformation/part/${part}`);
      return answer.status === 200 && (answer.json() as unknown[]).length > 0;
    }
    const answer = await this.get(`${PARTS}/${part}`);
    if (answer.status !== 200 && answer.status !== 404) throw new Error(`GET of part ${part} was answered with ${answer.status}`);
    if (event === 'PartDeleted') return answer.status === 404;
    return answer.status === 200 && (event === 'PartCreated' || answer.bytes.toString().includes(`"${pathOf(place, part, true)}"`));
  }

  private get(path: string): Promise<Answer> {
    return send(this.url, { path, headers: WRITER_HEADERS, agent: this.agent });
  }

  private json(method: string, path: string, value: unknown): Promise<Answer | undefined> {
    return this.ask(method, path, { 'Content-Type': 'application/json' }, JSON.stringify(value));
  }

  private ask(method: string, path: string, headers = {}, body?: string): Promise<Answer | undefined> {
    const { agent } = this;
    const sent = { method, path, headers: { ...WRITER_HEADERS, ...headers }, agent, ...(body !== undefined && { body }) };
    return send(this.url, sent).catch(() => undefined);
  }
}

function anyPlace(): Place {
  return PLACES[Math.floor(Math.random() * PLACES.length)] ?? COMMON;
}
