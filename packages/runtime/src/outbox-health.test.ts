import { describe, expect, it } from '@jest/globals';
import { outboxHealth, withOutbox } from './outbox-health.ts';
import type { ComposedService } from './service.ts';

const nothingWaits = { active: true, backlog: 0, oldestAgeMs: 0, lastError: undefined, lagMs: 0, published: 0, failureCount: 0 };

describe('health of an outbox', () => {
  it.each([
    [nothingWaits, 'published from here; nothing waits'],
    [{ ...nothingWaits, active: false }, 'published by another process; nothing waits'],
    [
      { ...nothingWaits, backlog: 31, oldestAgeMs: 12_400, lastError: 'no stream' },
      'published from here; 31 waiting, the oldest for 12 s; no stream',
    ],
  ])('contains the number of waiting messages, their age and the reason', (status, detail) => {
    expect(outboxHealth('inspection', status)).toEqual({ name: 'inspection outbox', healthy: true, detail });
  });

  it('is added to the checks of its service', async () => {
    const own = { name: 'database', healthy: true, detail: 'answers' };
    const service: ComposedService = {
      name: 'inspection',
      routes: [],
      start: () => Promise.resolve(),
      stop: () => Promise.resolve(),
      health: () => Promise.resolve([own]),
    };
    expect(await withOutbox(service, { status: () => nothingWaits }).health()).toEqual([own, outboxHealth('inspection', nothingWaits)]);
  });
});
