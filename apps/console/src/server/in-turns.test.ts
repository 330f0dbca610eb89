import { expect, it } from '@jest/globals';
import { inTurns } from './in-turns.ts';

it('runs no more requests at once than it may, and all of them, also after a failure', async () => {
  const take = inTurns(2);
  let [running, most] = [0, 0];
  const request = (number: number) => async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise(setImmediate);
    running -= 1;
    if (number === 1) throw new Error('refused');
    return number;
  };
  const results = await Promise.allSettled([0, 1, 2, 3, 4].map((number) => take(request(number))));
  expect(results.map((result) => (result.status === 'fulfilled' ? result.value : 'failed'))).toEqual([0, 'failed', 2, 3, 4]);
  expect(most).toBe(2);
});
