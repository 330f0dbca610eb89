import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@sinebar/testing';
import { TestBench } from './bench.fixture.ts';
import { partCreated } from './test-changes.fixture.ts';

describe('an outage of the broker', () => {
  let bench: TestBench;
  beforeEach(() => {
    bench = new TestBench();
  });
  afterEach(() => bench.end());

  it('is announced to clients, also to new ones, and so is its end', async () => {
    let away = false;
    let clockMs = 0;
    let looks = 0;
    const { url } = await bench.start({
      nowMs: () => clockMs,
      bus: {
        subscribe: (options) => bench.bus.subscribe(options),
        streamState: () => bench.bus.streamState(),
        streamUsage: () => bench.bus.streamUsage(),
        status: () => {
          looks += 1;
          return away ? { connected: false, description: 'away' } : bench.bus.status();
        },
      },
    });
    const looked = async () => {
      const before = looks;
      await eventually(() => looks > before);
    };
    const first = await bench.open(url);
    away = true;
    await looked();
    clockMs += 999;
    await looked();
    away = false;
    await looked();
    expect(first.names).toEqual([]);
    away = true;
    await looked();
    clockMs += 1_000;
    const { data, meta } = await first.event('Degraded');
    expect(data).toEqual({ message: expect.stringContaining('come later') });
    const second = await bench.open(url);
    await second.event('Degraded');
    away = false;
    await bench.bus.publish([partCreated('1')]);
    await Promise.all([first.event('PartCreated'), second.event('PartCreated')]);
    expect(first.names).toEqual(['Degraded', 'Restored', 'PartCreated']);
    expect(second.names).toEqual(['Degraded', 'Restored', 'PartCreated']);
    // A client that stores the latest sequence resumes after it.
    const again = await bench.open(url, { auth: { lastSequence: meta.sequence } });
    await again.event('PartCreated');
    expect(again.names).toEqual(['PartCreated']);
  });
});
