import { describe, expect, it } from '@jest/globals';
import { Semaphore } from './semaphore.ts';

const forever = new AbortController().signal;

describe('semaphore', () => {
  it('admits a limited number at a time in order, also when work fails', async () => {
    const semaphore = new Semaphore(2);
    let inside = 0;
    let most = 0;
    const order: number[] = [];
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, (_, i) =>
        semaphore.run(forever, async () => {
          inside += 1;
          most = Math.max(most, inside);
          order.push(i);
          await new Promise((resolve) => setTimeout(resolve, 2));
          inside -= 1;
          if (i % 3 === 0) throw new Error('broken');
          return i;
        }),
      ),
    );
    expect(most).toBe(2);
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(4);
  });

  it('drops waiters that were aborted', async () => {
    const semaphore = new Semaphore(1);
    let leave = () => undefined as void;
    const first = semaphore.run(forever, () => new Promise<void>((resolve) => (leave = resolve)));
    const given = new AbortController();
    const second = semaphore.run(given.signal, () => Promise.resolve('second'));
    const third = semaphore.run(forever, () => Promise.resolve('third'));
    given.abort(new Error('gone'));
    await expect(second).rejects.toThrow('gone');
    leave();
    await first;
    expect(await third).toBe('third');
    expect(await semaphore.run(forever, () => Promise.resolve('fourth'))).toBe('fourth');
  });
});
