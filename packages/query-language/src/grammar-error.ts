/** A text that does not follow its grammar. */
export class GrammarError extends Error {
  override readonly name = 'GrammarError';
  /** Index of the character at which reading stopped, from 0. */
  readonly position: number;
  /** @param message a sentence without its full stop; the position follows */
  constructor(message: string, position: number) {
    super(`${message} (at character ${position + 1}).`);
    this.position = position;
  }
}
