import { describe, expect, it, jest } from '@jest/globals';
import { spokenEvents } from '../../testing/live.fixture';
import type { LiveEvent } from './live-events';

/** A connection that tests speak for. */
function connected() {
  const { live, happens, options } = spokenEvents();
  const seen: LiveEvent[][] = [];
  const gaps = jest.fn();
  live.listen({ onEvents: (events) => seen.push([...events]), onGap: gaps });
  return {
    live,
    seen,
    gaps,
    happens: (part: string) => happens('PartModified', { PartUuid: part }, { id: part, time: '', sequence: part }),
    options,
  };
}

describe('live events', () => {
  it('come together when they happen together', async () => {
    const { seen, happens, live } = connected();
    happens('a');
    happens('b');
    await new Promise<void>((resolve) => live.listen({ onEvents: () => resolve() }));
    expect(seen.map((events) => events.length)).toEqual([2]);
  });

  it('are held while paused, and counted', () => {
    const { live, seen, happens } = connected();
    live.pause();
    happens('a');
    live.pause();
    expect(live.snapshot()).toMatchObject({ state: 'paused' });
    expect(seen).toEqual([]);
    live.resume();
    expect(seen).toHaveLength(1);
  });

  it('are replaced by a gap when too many are held', () => {
    const { live, seen, gaps, happens } = connected();
    live.pause();
    for (let i = 0; i <= 5_000; i += 1) happens(String(i));
    live.resume();
    expect(gaps).toHaveBeenCalledTimes(1);
    expect(seen[0]).toHaveLength(1);
  });

  it.each([
    ['disconnected', 'lost'],
    ['degraded', 'behind'],
  ] as const)('say that the connection is %s', (state, shown) => {
    const { live, options } = connected();
    options().onState?.(state === 'degraded' ? { state, message: '' } : { state, reason: '' });
    expect(live.snapshot().state).toBe(shown);
  });
});
