import { describe, expect, it } from '@jest/globals';
import { AttemptLimit } from './attempt-limit.ts';

describe('limit of failed attempts', () => {
  const limitAt = (clock: { ms: number }) => new AttemptLimit({ burst: 3, forgetMs: 1000, nowMs: () => clock.ms });

  it('allows some failures, then one more after each time of recovery', () => {
    const clock = { ms: 0 };
    const limit = limitAt(clock);
    for (let i = 0; i < 3; i += 1) {
      expect(limit.waitMs('a')).toBe(0);
      limit.failed('a');
    }
    expect(limit.waitMs('a')).toBe(1000);
    expect(limit.waitMs('b')).toBe(0);
    clock.ms = 1000;
    expect(limit.waitMs('a')).toBe(0);
    limit.failed('a');
    expect(limit.waitMs('a')).toBe(1000);
    clock.ms = 5000;
    expect(limit.waitMs('a')).toBe(0);
  });

  it('counts concurrent attempts', () => {
    const limit = limitAt({ ms: 0 });
    for (let i = 0; i < 50; i += 1) limit.failed('a');
    expect(limit.waitMs('a')).toBe(48_000);
  });
});
