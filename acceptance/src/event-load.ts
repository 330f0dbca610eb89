import { randomUUID } from 'node:crypto';
import type { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { send, sendJson, type Answer } from './rest-client.js';

export type ChangeEvent = 'PartCreated' | 'PartMoved' | 'PartDeleted' | 'RawDataCreated' | 'RawDataDeleted';

/** What one request was to change. No two make the same event about the same part. */
export interface AnnouncedChange {
  event: ChangeEvent;
  part: string;
  writer: number;
  /** `doubtful`: the answer was lost, or was 503; `followed`: nobody asked for it, it follows from the change before, whenever a service gets to it. */
  outcome: 'acknowledged' | 'doubtful' | 'followed';
  /** Of doubtful ones, known at the end. */
  happened?: boolean;
}

const PARTS = '/dataServiceRest/parts';
const FILES = '/rawDataServiceRest';
const RETRY_MS = 100;

/** Writers that create parts, give them files, rename and delete them, one request after the other. A part whose last request is in doubt is left alone. */
export class EventLoad {
  readonly changes: AnnouncedChange[] = [];
  /** Answers that should not have been. */
  readonly problems: string[] = [];
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

  /** @returns how to end it */
  start(writers: number): () => Promise<void> {
    this.isStopping = false;
    const running = Array.from({ length: writers }, (_, writer) => this.write(writer));
    return async () => {
      this.isStopping = true;
      await Promise.all(running);
    };
  }

  /** A part with a file, made now. @throws when the server does not acknowledge it */
  async makeLast(): Promise<string> {
    const part = randomUUID();
    if (!(await this.create(-1, part)) || !(await this.upload(-1, part))) throw new Error('the last change was not acknowledged');
    return part;
  }

  /** Finds out what became of the changes in doubt. */
  async resolveDoubts(): Promise<void> {
    for (const change of this.changes.filter(({ outcome }) => outcome === 'doubtful')) change.happened = await this.hasHappened(change);
    const gone = this.changes.filter(({ event, happened = true }) => event === 'PartDeleted' && happened).map(({ part }) => part);
    const withFile = new Set(this.changes.filter(({ event }) => event === 'RawDataCreated').map(({ part }) => part));
    for (const part of gone) if (withFile.has(part)) this.changes.push({ event: 'RawDataDeleted', part, writer: -1, outcome: 'followed' });
  }

  private async write(writer: number): Promise<void> {
    while (!this.isStopping) {
      const part = randomUUID();
      const steps: (() => Promise<boolean>)[] = [() => this.create(writer, part)];
      if (Math.random() < 0.5) steps.push(() => this.upload(writer, part));
      steps.push(() => this.rename(writer, part));
      if (Math.random() < 0.3) steps.push(() => this.remove(writer, part));
      for (const step of steps) {
        if (await step()) continue;
        await pause(RETRY_MS);
        break;
      }
    }
  }

  private create(writer: number, part: string): Promise<boolean> {
    return this.change({ event: 'PartCreated', part, writer }, () => this.json('POST', PARTS, [{ uuid: part, path: `P:/${part}/` }]));
  }

  private rename(writer: number, part: string): Promise<boolean> {
    return this.change({ event: 'PartMoved', part, writer }, () => this.json('PUT', PARTS, [{ uuid: part, path: `P:/${part} moved/` }]));
  }

  private remove(writer: number, part: string): Promise<boolean> {
    return this.change({ event: 'PartDeleted', part, writer }, () => this.ask('DELETE', `${PARTS}/${part}`));
  }

  private upload(writer: number, part: string): Promise<boolean> {
    const headers = { 'Content-Type': 'text/plain', 'Content-Disposition': '"f.txt"' };
    const path = `${FILES}/rawData/part/${part}`;
    return this.change({ event: 'RawDataCreated', part, writer }, () => this.ask('POST', path, headers, part));
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
    if (answer !== undefined && answer.status !== 503)
      this.problems.push(`${change.event} ${change.part} was answered with ${answer.status}: ${answer.bytes.toString().slice(0, 300)}`);
    return false;
  }

  private async hasHappened({ event, part }: AnnouncedChange): Promise<boolean> {
    if (event === 'RawDataCreated') {
      const answer = await send(this.url, { path: `${FILES}/rawDataInformation/part/${part}`, agent: this.agent });
      return answer.status === 200 && (answer.json() as unknown[]).length > 0;
    }
    const answer = await send(this.url, { path: `${PARTS}/${part}`, agent: this.agent });
    if (answer.status !== 200 && answer.status !== 404) throw new Error(`GET of part ${part} was answered with ${answer.status}`);
    if (event === 'PartDeleted') return answer.status === 404;
    return answer.status === 200 && (event === 'PartCreated' || answer.bytes.toString().includes(`${part} moved`));
  }

  private json(method: string, path: string, value: unknown): Promise<Answer | undefined> {
    return sendJson(this.url, method, path, value).catch(() => undefined);
  }

  private ask(method: string, path: string, headers = {}, body?: string): Promise<Answer | undefined> {
    const { agent } = this;
    return send(this.url, { method, path, headers, agent, ...(body !== undefined && { body }) }).catch(() => undefined);
  }
}
