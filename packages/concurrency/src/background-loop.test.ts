import { describe, expect, it } from '@jest/globals';
import { BackgroundLoop, type BackgroundLoopOptions } from './background-loop.ts';
import { Notifier } from './notifier.ts';

const HOUR_MS = 3_600_000;
const NEVER = new AbortController().signal;

/** A loop whose steps can be awaited by their number. */
function observedLoop(options: Partial<BackgroundLoopOptions>) {
  const taken = new Notifier();
  const failures: number[] = [];
  const { step = () => Promise.resolve('nothing' as const) } = options;
  const loop = new BackgroundLoop({
    intervalMs: HOUR_MS,
    onFailure: (_, inARow) => failures.push(inARow),
    ...options,
    step: (signal) => {
      taken.notify();
      return step(signal);
    },
  });
  const steps = async (count: number) => {
    while (taken.version < count) await taken.waitFor(taken.version, NEVER);
  };
  return { loop, steps, failures, taken };
}

describe('background loop', () => {
  it('runs steps while there is more to do and counts them', async () => {
    let left = 3;
    const { loop, steps } = observedLoop({ step: () => Promise.resolve(left-- > 0 ? 'more' : 'nothing') });
    loop.start();
    await steps(4);
    await loop.stop();
    expect(loop.stepCount).toBe(3);
    expect(loop.failureCount).toBe(0);
  });

  it('runs again after the interval or after the delay that the step returned', async () => {
    const inIntervals = observedLoop({ intervalMs: 1 });
    inIntervals.loop.start();
    await inIntervals.steps(3);
    await inIntervals.loop.stop();
    const asTold = observedLoop({ step: () => Promise.resolve({ waitMs: 1 }) });
    asTold.loop.start();
    await asTold.steps(3);
    await asTold.loop.stop();
  });

  it('runs another step when it is woken, also during a step', async () => {
    const { loop, steps } = observedLoop({
      step: () => {
        if (first) loop.wake();
        first = false;
        return Promise.resolve('nothing');
      },
    });
    let first = true;
    loop.start();
    await steps(2);
    loop.wake();
    await steps(3);
    await loop.stop();
  });

  it('continues after failures, waits before the retry and reports the number of failures in a row', async () => {
    const outcomes = ['fail', 'fail', 'nothing', 'fail', 'nothing'];
    const { loop, steps, failures } = observedLoop({
      intervalMs: 1,
      retryMs: () => 1,
      step: () => (outcomes.shift() === 'fail' ? Promise.reject(new Error('broken')) : Promise.resolve('nothing')),
    });
    loop.start();
    await steps(5);
    await loop.stop();
    expect(failures).toEqual([1, 2, 1]);
    expect(loop.failureCount).toBe(3);
  });

  it('does not shorten the wait before a retry when it is woken', async () => {
    const { loop, steps, taken } = observedLoop({ retryMs: () => HOUR_MS, step: () => Promise.reject(new Error('broken')) });
    loop.start();
    await steps(1);
    loop.wake();
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
    expect(taken.version).toBe(1);
    await loop.stop();
  });

  it('shortens this wait where it is told to', async () => {
    const { loop, steps } = observedLoop({ retryMs: () => HOUR_MS, isRetryWoken: true, step: () => Promise.reject(new Error('broken')) });
    loop.start();
    await steps(1);
    loop.wake();
    await steps(2);
    await loop.stop();
  });

  it('treats a failed step without a retry delay like one that found nothing', async () => {
    const { loop, steps } = observedLoop({ step: () => Promise.reject(new Error('broken')) });
    loop.start();
    await steps(1);
    loop.wake();
    await steps(2);
    await loop.stop();
    expect(loop.failureCount).toBe(2);
  });

  it('aborts the running step when it is stopped, waits for it and ignores its failure', async () => {
    let ended = false;
    const { loop, steps } = observedLoop({
      step: (signal) =>
        new Promise((_, reject) =>
          signal.addEventListener('abort', () => {
            ended = true;
            reject(signal.reason as Error);
          }),
        ),
    });
    loop.start();
    await steps(1);
    await loop.stop();
    expect(ended).toBe(true);
    expect(loop.failureCount).toBe(0);
  });
});
