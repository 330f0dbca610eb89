import { describe, expect, it } from '@jest/globals';
import type { DispatcherState } from './event-dispatcher.js';
import { OutageWatch } from './outage-watch.js';

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
    expect([look(100), look(1_000), watch.isDegraded]).toEqual([undefined, undefined, false]);
    connected = true;
    expect(look(1_050)).toBeUndefined();
    connected = false;
    expect([look(2_000), look(2_999), look(3_000), look(3_100), watch.isDegraded]).toEqual([
      undefined,
      undefined,
      'Degraded',
      undefined,
      true,
    ]);
    [connected, state] = [true, 'retrying'];
    expect(look(9_000)).toBeUndefined();
    state = 'running';
    expect([look(9_100), look(9_200), watch.isDegraded]).toEqual(['Restored', undefined, false]);
  });
});
