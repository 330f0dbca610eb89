import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { pause, TestBench } from './bench.fixture.js';
import { partCreated } from './test-changes.fixture.js';

describe('an outage of the broker', () => {
  let bench: TestBench;
  beforeEach(() => {
    bench = new TestBench();
  });
  afterEach(() => bench.end());

  it('is announced to clients, also to new ones, and so is its end', async () => {
    let away = false;
    const { url } = await bench.start({
      bus: {
        subscribe: (options) => bench.bus.subscribe(options),
        streamState: () => bench.bus.streamState(),
        status: () => (away ? { connected: false, description: 'away' } : bench.bus.status()),
      },
    });
    const first = await bench.open(url);
    away = true;
    await pause(500);
    away = false;
    await pause(300);
    expect(first.names).toEqual([]);
    away = true;
    const { data, meta } = await first.event('Degraded');
    expect(data).toEqual({ message: expect.stringContaining('come later') });
    const second = await bench.open(url);
    await second.event('Degraded');
    away = false;
    await bench.bus.publish([partCreated('1')]);
    await Promise.all([first.event('PartCreated'), second.event('PartCreated')]);
    expect([first.names, second.names]).toEqual([
      ['Degraded', 'Restored', 'PartCreated'],
      ['Degraded', 'Restored', 'PartCreated'],
    ]);
    // A client that stores the latest sequence resumes after it.
    const again = await bench.open(url, { auth: { lastSequence: meta.sequence } });
    await again.event('PartCreated');
    expect(again.names).toEqual(['PartCreated']);
  });
});
