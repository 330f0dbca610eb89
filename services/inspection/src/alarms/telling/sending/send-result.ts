/** Result of a try. `failed` is not tried again. */
export interface SendResult {
  state: 'delivered' | 'waiting' | 'failed';
  /** A sentence with the answer of the receiver. */
  answer: string;
}

const MAX_ANSWER = 300;

/** Makes a text of a receiver fit to be stored and shown. */
export function shownAnswer(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Surrogate}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_ANSWER);
}
