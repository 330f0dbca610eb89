import { describe, expect, it, jest } from '@jest/globals';
import type { EventOptions, SinebarClient } from '@sinebar/client';
import { LiveEvents, type LiveEvent } from './live-events';

type Handler = (name: string, payload: object, meta: object) => void;

/** A connection that tests speak for. */
function connected() {
  let options: EventOptions = {};
  let hand: Handler = () => undefined;
  const client = {
    events: (given: EventOptions) => {
      options = given;
      return {
        onAny: (handler: Handler) => (hand = handler),
        closed: new Promise(() => undefined),
        connect: () => Promise.resolve(),
        close: () => Promise.resolve(),
      };
    },
  } as unknown as SinebarClient;
  const live = new LiveEvents(client);
  live.start();
  options.onState?.({ state: 'connected' });
  const seen: LiveEvent[][] = [];
  const gaps = jest.fn();
  live.listen({ onEvents: (events) => seen.push([...events]), onGap: gaps });
  return {
    live,
    seen,
    gaps,
    happens: (part: string) => hand('PartModified', { PartUuid: part }, { id: part, time: '', sequence: part }),
    options: () => options,
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
  ] as const)('say that the connection is %s', (state, told) => {
    const { live, options } = connected();
    options().onState?.(state === 'degraded' ? { state, message: '' } : { state, reason: '' });
    expect(live.snapshot().state).toBe(told);
  });
});
