import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { TurnLimit } from './turn-limit.ts';

/** Callers that each compute for `stepMs` once they may. @returns how many computed in each turn of the event loop */
async function turnsOf(callers: number, stepMs: number, limitMs: number): Promise<number[]> {
  let now = 0;
  const limit = new TurnLimit(limitMs, () => now);
  const turns = [0];
  let running = true;
  const counting = (async () => {
    while (running) {
      await nextTurn();
      turns.push(0);
    }
  })();
  const compute = async () => {
    // Node runs what follows for each caller before the next one continues.
    await nextTurn();
    await limit.wait();
    now += stepMs;
    turns[turns.length - 1]! += 1;
  };
  await Promise.all(Array.from({ length: callers }, compute));
  running = false;
  await counting;
  return turns.filter((count) => count > 0);
}

describe('the limit of a turn of the event loop', () => {
  it('lets callers continue at once while there is time', async () => {
    expect(await turnsOf(5, 1, 5)).toEqual([5]);
  });

  it('ends a turn after its time, and lets every caller have one', async () => {
    const turns = await turnsOf(20, 2, 5);
    expect(Math.max(...turns)).toBeLessThanOrEqual(4);
    expect(turns.reduce((sum, count) => sum + count, 0)).toBe(20);
  });

  it('lets a caller continue whose step alone is longer than a turn', async () => {
    expect(await turnsOf(3, 50, 5)).toEqual([1, 1, 1]);
  });
});
