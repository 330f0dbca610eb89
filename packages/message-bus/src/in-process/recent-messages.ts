import type { ChangeEnvelope } from '@sinebar/contracts';
import type { LoggedMessage } from './message-log.ts';

const MAX_MESSAGES = 100;
const MAX_LENGTH = 256 * 1024;

/**
 * The messages that were stored last, for readers that have all earlier ones: they need not read the log.
 * Kept as text, so that readers share no objects.
 */
export class RecentMessages {
  private texts: string[] = [];
  private firstSequence = 1;

  /** Takes messages that were stored. @param lastSequence sequence of the last one; `undefined` if their sequences are not known */
  note(envelopes: readonly ChangeEnvelope[], lastSequence: number | undefined): void {
    if (lastSequence === undefined || envelopes.length > MAX_MESSAGES) {
      this.clear();
      return;
    }
    const first = lastSequence - envelopes.length + 1;
    if (first !== this.firstSequence + this.texts.length) {
      this.clear();
      this.firstSequence = first;
    }
    this.texts.push(...envelopes.map((envelope) => JSON.stringify(envelope)));
    let length = this.texts.reduce((sum, text) => sum + text.length, 0);
    while (this.texts.length > MAX_MESSAGES || length > MAX_LENGTH) {
      length -= this.texts.shift()?.length ?? 0;
      this.firstSequence += 1;
    }
  }

  clear(): void {
    this.texts = [];
  }

  /** True if the last stored message is known to have this sequence. */
  endAt(sequence: number): boolean {
    return this.texts.length > 0 && this.firstSequence + this.texts.length - 1 === sequence;
  }

  /** Returns the message behind a sequence; `undefined` if it must be read from the log. */
  after(sequence: number): LoggedMessage | undefined {
    const text = this.texts[sequence + 1 - this.firstSequence];
    return text === undefined ? undefined : { sequence: sequence + 1, envelope: JSON.parse(text) as ChangeEnvelope };
  }
}
