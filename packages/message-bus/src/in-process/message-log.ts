import { randomBytes } from 'node:crypto';
import type { ChangeEnvelope } from '@sinebar/contracts';
import type { StreamState } from '../bus.js';

export interface LoggedMessage {
  sequence: number;
  envelope: ChangeEnvelope;
}

export interface LogPage {
  /** State at the moment of the read: `messages` holds everything between its sequences that was asked for. */
  state: StreamState;
  messages: LoggedMessage[];
}

/**
 * Where the in-process bus keeps its event stream. A log belongs to one bus, which never appends or trims while another call of these two runs;
 * reads may happen at any time. `describeMessageLog` of `@sinebar/testing/bus-contract` says in tests what an implementation must do.
 */
export interface MessageLog {
  state(): Promise<StreamState>;
  /**
   * Stores the messages in the given order with consecutive sequences from 1 on, all of them or none. A message whose id is still kept, or was in the
   * same call before, is dropped and uses no sequence.
   */
  append(envelopes: readonly ChangeEnvelope[]): Promise<void>;
  /** At most `limit` messages behind sequence `after`, oldest first; none when it is at or behind the end. State and messages are of one moment. */
  read(after: number, limit: number): Promise<LogPage>;
  /** Removes the oldest messages above the log's own limits. Sequences are never used again, also when nothing is left. */
  trim(): Promise<void>;
}

export interface MemoryMessageLogOptions {
  /** How many messages `trim` leaves. */
  maxMessages: number;
}

/** A log that lives as long as the process. Messages are kept as text, so that readers share no objects. */
export class MemoryMessageLog implements MessageLog {
  readonly #epoch = randomBytes(8).toString('hex');
  readonly #maxMessages: number;
  readonly #texts: string[] = [];
  readonly #ids: string[] = [];
  readonly #known = new Set<string>();
  #firstSequence = 1;

  constructor({ maxMessages }: MemoryMessageLogOptions) {
    if (!Number.isInteger(maxMessages) || maxMessages < 0) throw new TypeError('maxMessages must be a whole number, 0 or above');
    this.#maxMessages = maxMessages;
  }

  state(): Promise<StreamState> {
    return Promise.resolve(this.#state());
  }

  append(envelopes: readonly ChangeEnvelope[]): Promise<void> {
    const texts = envelopes.map((envelope) => JSON.stringify(envelope));
    envelopes.forEach(({ id }, index) => {
      if (this.#known.has(id)) return;
      this.#known.add(id);
      this.#ids.push(id);
      this.#texts.push(texts[index] as string);
    });
    return Promise.resolve();
  }

  read(after: number, limit: number): Promise<LogPage> {
    const start = Math.max(0, after + 1 - this.#firstSequence);
    const messages = this.#texts.slice(start, start + limit).map((text, index) => ({
      sequence: this.#firstSequence + start + index,
      envelope: JSON.parse(text) as ChangeEnvelope,
    }));
    return Promise.resolve({ state: this.#state(), messages });
  }

  trim(): Promise<void> {
    return this.trimTo(this.#maxMessages);
  }

  /** Removes all but the newest `keep` messages. */
  trimTo(keep: number): Promise<void> {
    const excess = Math.max(0, this.#texts.length - keep);
    this.#texts.splice(0, excess);
    for (const id of this.#ids.splice(0, excess)) this.#known.delete(id);
    this.#firstSequence += excess;
    return Promise.resolve();
  }

  #state(): StreamState {
    return { epoch: this.#epoch, firstSequence: this.#firstSequence, lastSequence: this.#firstSequence + this.#texts.length - 1 };
  }
}
