import { randomBytes } from 'node:crypto';
import type { ChangeEnvelope } from '@sinebar/contracts';
import type { StreamState, StreamUsage } from '../bus.ts';

export interface LoggedMessage {
  sequence: number;
  envelope: ChangeEnvelope;
}

export interface LogPage {
  /** State at the moment of the read. */
  state: StreamState;
  messages: LoggedMessage[];
}

/**
 * Storage of the event stream of an in-process bus.
 * A log belongs to one bus, which never runs two calls of `append` and `trim` at a time; reads may happen at any time. Tests of the
 * contract: `describeMessageLog` of `@sinebar/testing/bus-contract`.
 */
export interface MessageLog {
  state(): Promise<StreamState>;
  /** A log without limit of bytes has no usage. */
  usage?(): Promise<StreamUsage>;
  /**
   * Stores the messages in the given order with consecutive sequences from 1 on, all of them or none.
   * A message whose id is still kept, or occurs earlier in the same call, is dropped and uses no sequence.
   * @returns the sequence of the last message; `undefined` if one was dropped, or if it is not known
   */
  append(envelopes: readonly ChangeEnvelope[]): Promise<number | undefined>;
  /** Reads at most `limit` messages after sequence `after`, oldest first, and the state in one snapshot. */
  read(after: number, limit: number): Promise<LogPage>;
  /** Removes the oldest messages above the limits of the log. Sequences are never used again, even when nothing is left. */
  trim(): Promise<void>;
}

export interface MemoryMessageLogOptions {
  /** Number of messages that `trim` keeps. */
  maxMessages: number;
}

/** A log in memory. Messages are kept as text, so that readers share no objects. */
export class MemoryMessageLog implements MessageLog {
  private readonly epoch = randomBytes(8).toString('hex');
  private readonly maxMessages: number;
  private readonly texts: string[] = [];
  private readonly ids: string[] = [];
  private readonly known = new Set<string>();
  private firstSequence = 1;

  constructor({ maxMessages }: MemoryMessageLogOptions) {
    if (!Number.isInteger(maxMessages) || maxMessages < 0) throw new TypeError('maxMessages must be a whole number, 0 or above');
    this.maxMessages = maxMessages;
  }

  state(): Promise<StreamState> {
    return Promise.resolve(this.currentState());
  }

  append(envelopes: readonly ChangeEnvelope[]): Promise<number | undefined> {
    const { lastSequence } = this.currentState();
    const texts = envelopes.map((envelope) => JSON.stringify(envelope));
    envelopes.forEach(({ id }, index) => {
      if (this.known.has(id)) return;
      this.known.add(id);
      this.ids.push(id);
      this.texts.push(texts[index] as string);
    });
    const last = this.currentState().lastSequence;
    return Promise.resolve(last === lastSequence + envelopes.length ? last : undefined);
  }

  read(after: number, limit: number): Promise<LogPage> {
    const start = Math.max(0, after + 1 - this.firstSequence);
    const messages = this.texts.slice(start, start + limit).map((text, index) => ({
      sequence: this.firstSequence + start + index,
      envelope: JSON.parse(text) as ChangeEnvelope,
    }));
    return Promise.resolve({ state: this.currentState(), messages });
  }

  trim(): Promise<void> {
    return this.trimTo(this.maxMessages);
  }

  trimTo(keep: number): Promise<void> {
    const excess = Math.max(0, this.texts.length - keep);
    this.texts.splice(0, excess);
    for (const id of this.ids.splice(0, excess)) this.known.delete(id);
    this.firstSequence += excess;
    return Promise.resolve();
  }

  private currentState(): StreamState {
    return { epoch: this.epoch, firstSequence: this.firstSequence, lastSequence: this.firstSequence + this.texts.length - 1 };
  }
}
