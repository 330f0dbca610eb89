import { describe, expect, it } from '@jest/globals';
import { abortable, backoffMs, pause, settlesWithin, withTimeout } from './waiting.ts';

const HOUR_MS = 3_600_000;
const forever = new Promise<never>(() => undefined);

describe('waiting', () => {
  it('ends a pause when the signal is aborted, also before the pause', async () => {
    const stop = new AbortController();
    const paused = pause(HOUR_MS, stop.signal);
    stop.abort();
    await paused;
    await pause(HOUR_MS, stop.signal);
  });

  it('returns the result or the failure of work that settles before the signal is aborted', async () => {
    const { signal } = new AbortController();
    expect(await abortable(Promise.resolve(1), signal)).toBe(1);
    await expect(abortable(Promise.reject(new Error('broken')), signal)).rejects.toThrow('broken');
  });

  it('throws the reason of the signal and drops a late failure of the work', async () => {
    const stop = new AbortController();
    const { promise: work, reject: fail } = Promise.withResolvers<never>();
    const waiting = abortable(work, stop.signal);
    stop.abort(new Error('client gone'));
    await expect(waiting).rejects.toThrow('client gone');
    await expect(abortable(work, stop.signal)).rejects.toThrow('client gone');
    // An unhandled rejection would fail the test run.
    fail(new Error('late'));
    await new Promise(setImmediate);
  });

  it('throws the time-out error', async () => {
    await expect(withTimeout(forever, 1, () => new Error('too late'))).rejects.toThrow('too late');
    await expect(withTimeout(forever, 1)).rejects.toThrow('no result within 1 ms');
    expect(await withTimeout(Promise.resolve('in time'), HOUR_MS)).toBe('in time');
  });

  it('reports whether work settles in time', async () => {
    expect(await settlesWithin(forever, 1)).toBe(false);
    expect(await settlesWithin(Promise.reject(new Error('broken')), HOUR_MS)).toBe(true);
  });

  it('doubles a delay with every failure up to the maximum', () => {
    expect([1, 2, 3, 4, 5000].map((failures) => backoffMs(failures, 100, 500))).toEqual([100, 200, 400, 500, 500]);
  });
});
