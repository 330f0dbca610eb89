import { describe, expect, it } from '@jest/globals';
import type { StoredReceiver } from '../subscription-store.ts';
import { takeTurn } from './message-rate.ts';

const MAIL: StoredReceiver = { kind: 'email', address: 'a@b.example' };
const PROGRAM: StoredReceiver = { kind: 'webhook', url: 'https://a.example', shape: 'standard' };

/** Counts the messages of a subscription that always has something to tell, asked each 100 ms. */
function countMessages(receiver: StoredReceiver, seconds: number, isFailing = false): number {
  let [rateAt, count] = [undefined as Date | undefined, 0];
  for (let ms = 0; ms < seconds * 1000; ms += 100) {
    const turn = takeTurn(receiver, isFailing, rateAt, new Date(1e12 + ms));
    if (turn) [rateAt, count] = [turn, count + 1];
  }
  return count;
}

describe('the rate of messages', () => {
  it('is five mails at once, then one in a minute', () => {
    expect(countMessages(MAIL, 1)).toBe(5);
    expect(countMessages(MAIL, 600)).toBe(5 + 9);
  });
  it('is two in a second for programs', () => expect(countMessages(PROGRAM, 60)).toBe(20 + 119));
  it('is one in five minutes while a receiver is not reached', () => expect(countMessages(PROGRAM, 1200, true)).toBe(4));
  it('survives a clock that is set back', () => {
    const tomorrow = new Date(1e12 + 86_400_000);
    expect(takeTurn(MAIL, false, tomorrow, new Date(1e12))).toEqual(new Date(1e12 + 60_000));
  });
});
