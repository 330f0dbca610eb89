import { describe, expect, it } from '@jest/globals';
import { eventually } from './eventually.ts';

describe('eventually', () => {
  it('repeats a failing check and returns its first result', async () => {
    let calls = 0;
    const result = await eventually(
      () => {
        calls += 1;
        if (calls < 3) throw new Error('not yet');
        return calls;
      },
      { intervalMs: 1 },
    );
    expect(result).toBe(3);
  });

  it('treats false as a failure', async () => {
    let calls = 0;
    await eventually(() => ++calls === 4, { intervalMs: 1 });
    expect(calls).toBe(4);
  });

  it('reports the last failure, not the first', async () => {
    let calls = 0;
    const waiting = eventually(
      () => {
        calls += 1;
        throw new Error(calls < 3 ? 'early' : 'late');
      },
      { intervalMs: 1, timeoutMs: 60, describe: 'the row' },
    );
    await expect(waiting).rejects.toThrow(/^the row: still failing after 60 ms: late$/);
  });

  it('gives up on a check that hangs', async () => {
    const startedAt = Date.now();
    await expect(eventually(() => new Promise<void>(() => undefined), { timeoutMs: 50 })).rejects.toThrow('the check did not end');
    expect(Date.now() - startedAt).toBeLessThan(5000);
  });

  it('reports the failure before a check that hangs', async () => {
    let calls = 0;
    const waiting = eventually(
      () => {
        calls += 1;
        return calls === 1 ? Promise.reject(new Error('the reason')) : new Promise<void>(() => undefined);
      },
      { timeoutMs: 80, intervalMs: 1 },
    );
    await expect(waiting).rejects.toThrow('the reason');
  });
});
