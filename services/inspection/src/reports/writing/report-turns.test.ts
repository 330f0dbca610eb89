import { describe, expect, it } from '@jest/globals';
import { ReportTurns } from './report-turns.ts';

const { signal } = new AbortController();

describe('turns of reports', () => {
  it('let as many reports be written as the limit says, the others in the order of their arrival', async () => {
    const turns = new ReportTurns({ limit: 1 });
    const order: string[] = [];
    const leave = await turns.enterSoon(signal);
    const waiting = ['second', 'third'].map(async (name) => {
      const end = await turns.enter(signal);
      order.push(name);
      end();
    });
    order.push('first ends');
    leave();
    await Promise.all(waiting);
    expect(order).toEqual(['first ends', 'second', 'third']);
  });

  it('refuse a request that waits too long with 503 and Retry-After, and lose no turn by it', async () => {
    const turns = new ReportTurns({ limit: 1, waitMs: 10 });
    const leave = await turns.enterSoon(signal);
    await expect(turns.enterSoon(signal)).rejects.toMatchObject({
      status: 503,
      retryAfterSeconds: 10,
      message: expect.stringContaining('Try again in a few seconds.'),
    });
    leave();
    (await turns.enterSoon(signal))();
  });

  it('end with the reason of a client that is gone', async () => {
    const turns = new ReportTurns({ limit: 1 });
    await turns.enterSoon(signal);
    const gone = new Error('the client is gone');
    await expect(turns.enterSoon(AbortSignal.abort(gone))).rejects.toBe(gone);
  });

  it('are as many as the server has processors, at least two and at most eight', () => {
    expect(new ReportTurns().limit).toBeGreaterThanOrEqual(2);
    expect(new ReportTurns().limit).toBeLessThanOrEqual(8);
  });
});
