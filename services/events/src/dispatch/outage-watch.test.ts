import { describe, expect, it } from '@jest/globals';
import type { DispatcherState } from './event-dispatcher.ts';
import { OutageWatch } from './outage-watch.ts';

describe('watching for outages', () => {
  it('reports the start and end of each outage once, and no short one', () => {
    let connected = true;
    let state: DispatcherState = 'running';
    let now = 0;
    const dispatcher = {
      get state() {
        return state;
      },
    };
    const watch = new OutageWatch({ status: () => ({ connected, description: '' }) }, dispatcher, () => now);
    const look = (atMs: number) => ((now = atMs), watch.look());
    expect(look(0)).toBeUndefined();
    connected = false;
    expect(look(100)).toBeUndefined();
    expect(look(1_000)).toBeUndefined();
    expect(watch.isDegraded).toBe(false);
    connected = true;
    expect(look(1_050)).toBeUndefined();
    connected = false;
    expect(look(2_000)).toBeUndefined();
    expect(look(2_999)).toBeUndefined();
    expect(look(3_000)).toBe('Degraded');
    expect(look(3_100)).toBeUndefined();
    expect(watch.isDegraded).toBe(true);
    [connected, state] = [true, 'retrying'];
    expect(look(9_000)).toBeUndefined();
    state = 'running';
    expect(look(9_100)).toBe('Restored');
    expect(look(9_200)).toBeUndefined();
    expect(watch.isDegraded).toBe(false);
  });
});
