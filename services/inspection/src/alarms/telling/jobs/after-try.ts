import type { DeliveryState } from '@sinebar/contracts';

/** State of a message after a try. */
export interface TriedMessage {
  state: DeliveryState;
  answer: string;
  nextAt: Date;
  finishedAt: Date | null;
}

/** Pauses after failed tries, seconds: about 24 hours together, whatever the clock does meanwhile. */
const PAUSES_S = [5, 30, 120, 300, 600, 1800, 3600, 7200, 14_400, 14_400, 21_600, 21_600];

/** Finds what becomes of a message. @param tries tries so far @param result of the last one; `waiting` where another one may help */
export function afterTry(tries: number, { state, answer }: Pick<TriedMessage, 'state' | 'answer'>, at: Date): TriedMessage {
  const pauseS = PAUSES_S[tries - 1];
  if (state !== 'waiting' || pauseS === undefined) {
    return { state: state === 'waiting' ? 'failed' : state, answer, nextAt: at, finishedAt: at };
  }
  return { state, answer, nextAt: new Date(at.getTime() + pauseS * 1000), finishedAt: null };
}
