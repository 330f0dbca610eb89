import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { RelayStatus } from './outbox-relay.ts';
import { RelayWaker } from './relay-waker.ts';

describe('waking the relay of an outbox', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  function waker({ active }: { active: boolean }) {
    const calls: string[] = [];
    const relay = { status: () => ({ active }) as RelayStatus, wake: () => void calls.push('relay') };
    return { calls, waker: new RelayWaker({ relay, signal: () => void calls.push('signal') }) };
  }

  it('calls the relay of this process every time', () => {
    const { calls, waker: own } = waker({ active: true });
    for (let i = 0; i < 3; i += 1) own.wake();
    expect(calls).toEqual(['relay', 'relay', 'relay']);
  });

  it('signals another replica at once, and those that follow together', () => {
    const { calls, waker: other } = waker({ active: false });
    other.wake();
    expect(calls).toEqual(['signal']);
    for (let i = 0; i < 3; i += 1) other.wake();
    expect(calls).toEqual(['signal']);
    jest.advanceTimersByTime(5);
    expect(calls).toEqual(['signal', 'signal']);
    jest.advanceTimersByTime(100);
    expect(calls).toEqual(['signal', 'signal']);
    other.wake();
    expect(calls).toEqual(['signal', 'signal', 'signal']);
  });

  it('signals no more after its end', () => {
    const { calls, waker: other } = waker({ active: false });
    other.wake();
    other.wake();
    other.stop();
    jest.advanceTimersByTime(100);
    expect(calls).toEqual(['signal']);
  });
});
