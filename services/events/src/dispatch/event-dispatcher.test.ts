import { afterEach, describe, expect, it } from '@jest/globals';
import type { StreamMessage, StreamState, SubscribeOptions } from '@sinebar/message-bus';
import { eventually } from '@sinebar/testing';
import { partCreated, silentLog } from '../test-changes.fixture.ts';
import { EventDispatcher, restAfterDelivery } from './event-dispatcher.ts';

/** A fake broker whose failures the test controls. */
class ScriptedStream {
  state: StreamState = { epoch: 'e', firstSequence: 1, lastSequence: 0 };
  away = false;
  subscriptions: SubscribeOptions[] = [];
  stopped = 0;

  failures = 0;

  streamState = () => {
    if (!this.away) return Promise.resolve(this.state);
    this.failures += 1;
    return Promise.reject(new Error('broker away'));
  };
  subscribe = (options: SubscribeOptions) => {
    if (this.away) return Promise.reject(new Error('broker away'));
    this.subscriptions.push(options);
    return Promise.resolve({ stop: () => Promise.resolve(void (this.stopped += 1)) });
  };

  async send(sequence: number): Promise<void> {
    await this.subscriptions
      .at(-1)
      ?.onMessage({ position: { epoch: this.state.epoch, sequence }, envelope: partCreated(String(sequence)) });
  }
}

describe('event dispatcher', () => {
  const running: EventDispatcher[] = [];
  afterEach(async () => {
    await Promise.all(running.splice(0).map((dispatcher) => dispatcher.stop()));
  });

  /** Starts with a clock that stands still, so that no delivery is long and no rest follows. */
  function start(
    stream: ScriptedStream,
    deliver: (message: StreamMessage) => void = () => {},
  ): { dispatcher: EventDispatcher; gaps: () => number } {
    let gaps = 0;
    const dispatcher = new EventDispatcher({ bus: stream, log: silentLog, retryDelayMs: 1, nowMs: () => 0 });
    dispatcher.add({ deliver, announceGap: () => (gaps += 1) });
    running.push(dispatcher);
    void dispatcher.start();
    return { dispatcher, gaps: () => gaps };
  }
  const isRunning = (dispatcher: EventDispatcher) => eventually(() => dispatcher.state === 'running');

  it('starts at the end of the stream and delivers every message in order', async () => {
    const stream = new ScriptedStream();
    stream.state = { epoch: 'e', firstSequence: 1, lastSequence: 41 };
    const seen: number[] = [];
    const { dispatcher } = start(stream, ({ position }) => seen.push(position.sequence));
    await isRunning(dispatcher);
    expect(stream.subscriptions[0]?.from).toEqual({ epoch: 'e', sequence: 41 });
    await stream.send(42);
    await stream.send(43);
    expect(seen).toEqual([42, 43]);
    expect(dispatcher.position).toEqual({ epoch: 'e', sequence: 43 });
  });

  it('skips messages that are no change events, so that it is not behind', async () => {
    const stream = new ScriptedStream();
    const seen: number[] = [];
    const { dispatcher } = start(stream, ({ position }) => seen.push(position.sequence));
    await isRunning(dispatcher);
    await stream.send(1);
    let woken = 0;
    dispatcher.onceReached(2, () => (woken += 1));
    await stream.subscriptions.at(-1)?.onSkipped?.({ epoch: 'e', sequence: 2 });
    expect(seen).toEqual([1]);
    expect(dispatcher.position).toEqual({ epoch: 'e', sequence: 2 });
    expect(woken).toBe(1);
  });

  it('starts while the broker is away, reports it, and follows the stream when it is back', async () => {
    const stream = new ScriptedStream();
    stream.away = true;
    const { dispatcher } = start(stream);
    await eventually(() => stream.failures >= 2);
    expect(dispatcher.state).toBe('starting');
    expect(dispatcher.position).toBeUndefined();
    stream.away = false;
    await isRunning(dispatcher);
    expect(dispatcher.position).toEqual({ epoch: 'e', sequence: 0 });
  });

  it('has started once the position is known, or when the broker did not answer', async () => {
    const stream = new ScriptedStream();
    stream.state = { epoch: 'e', firstSequence: 1, lastSequence: 41 };
    const reached = new EventDispatcher({ bus: stream, log: silentLog, retryDelayMs: 1 });
    running.push(reached);
    await reached.start();
    expect(reached.position).toEqual({ epoch: 'e', sequence: 41 });

    stream.away = true;
    const unreached = new EventDispatcher({ bus: stream, log: silentLog, retryDelayMs: 60_000 });
    running.push(unreached);
    await unreached.start();
    expect(unreached.position).toBeUndefined();
  });

  it('resumes after the last message when the subscription breaks, not at the new end', async () => {
    const stream = new ScriptedStream();
    const { dispatcher } = start(stream);
    await isRunning(dispatcher);
    await stream.send(1);
    stream.state = { ...stream.state, lastSequence: 99 };
    stream.subscriptions.at(-1)?.onEnd?.(new Error('broken'));
    await eventually(() => stream.subscriptions.length === 2);
    expect(stream.subscriptions[1]?.from).toEqual({ epoch: 'e', sequence: 1 });
    expect(stream.stopped).toBe(1);
  });

  it('continues after a message that cannot be delivered', async () => {
    const stream = new ScriptedStream();
    const seen: number[] = [];
    const { dispatcher } = start(stream, ({ position }) => {
      if (position.sequence === 1) throw new Error('hopeless');
      seen.push(position.sequence);
    });
    await isRunning(dispatcher);
    await stream.send(1);
    await stream.send(2);
    expect(seen).toEqual([2]);
    expect(dispatcher.position?.sequence).toBe(2);
  });

  describe('with deliveries that take long', () => {
    /** Starts with a receiver that sends for so long that a rest follows. @returns the messages of each delivery */
    async function startSlow(stream: ScriptedStream): Promise<{ dispatcher: EventDispatcher; deliveries: number[][] }> {
      const deliveries: number[][] = [];
      let taken: number[] = [];
      let clockMs = 0;
      const dispatcher = new EventDispatcher({ bus: stream, log: silentLog, retryDelayMs: 1, nowMs: () => clockMs });
      dispatcher.add({
        deliver: ({ position }) => void taken.push(position.sequence),
        flush: () => {
          deliveries.push(taken);
          taken = [];
          clockMs += 10;
          return undefined;
        },
      });
      running.push(dispatcher);
      void dispatcher.start();
      await isRunning(dispatcher);
      return { dispatcher, deliveries };
    }

    it('delivers the first message at once, and those of the rest together', async () => {
      const stream = new ScriptedStream();
      const { dispatcher, deliveries } = await startSlow(stream);
      await stream.send(1);
      expect(deliveries).toEqual([[1]]);
      await stream.send(2);
      await stream.send(3);
      expect(dispatcher.position?.sequence).toBe(1);
      await eventually(() => dispatcher.position?.sequence === 3);
      expect(deliveries).toEqual([[1], [2, 3]]);
    });

    it('reads those of the rest again when the subscription breaks', async () => {
      const stream = new ScriptedStream();
      const { dispatcher, deliveries } = await startSlow(stream);
      await stream.send(1);
      await stream.send(2);
      stream.subscriptions.at(-1)?.onEnd?.(new Error('broken'));
      await eventually(() => stream.subscriptions.length === 2);
      expect(stream.subscriptions[1]?.from).toEqual({ epoch: 'e', sequence: 1 });
      await stream.send(2);
      await eventually(() => dispatcher.position?.sequence === 2);
      expect(deliveries).toEqual([[1], [2]]);
    });

    it('delivers those of the rest before a gap', async () => {
      const stream = new ScriptedStream();
      const { dispatcher, deliveries } = await startSlow(stream);
      await stream.send(1);
      await stream.send(2);
      await stream.subscriptions[0]?.onGap({ epoch: 'new', firstSequence: 7, lastSequence: 9 });
      expect(deliveries).toEqual([[1], [2]]);
      expect(dispatcher.position).toEqual({ epoch: 'new', sequence: 6 });
    });

    it('leaves further messages in the broker when 500 wait', async () => {
      const stream = new ScriptedStream();
      const { dispatcher, deliveries } = await startSlow(stream);
      await stream.send(1);
      for (let sequence = 2; sequence <= 500; sequence += 1) await stream.send(sequence);
      expect(deliveries).toEqual([[1]]);
      // Resolves when the rest is over.
      await stream.send(501);
      expect(dispatcher.position?.sequence).toBe(501);
    });
  });

  describe('with writes that need several turns', () => {
    /** Starts with a receiver whose writes end when the test says so. */
    async function startWriting(stream: ScriptedStream) {
      const deliveries: number[][] = [];
      const ends: { written: () => void; fail: () => void }[] = [];
      let taken: number[] = [];
      const dispatcher = new EventDispatcher({ bus: stream, log: silentLog, retryDelayMs: 1, nowMs: () => 0 });
      dispatcher.add({
        deliver: ({ position }) => void taken.push(position.sequence),
        flush: () => {
          deliveries.push(taken);
          taken = [];
          return new Promise<void>((resolve, reject) => ends.push({ written: resolve, fail: () => reject(new Error('hopeless')) }));
        },
      });
      running.push(dispatcher);
      void dispatcher.start();
      await isRunning(dispatcher);
      return { dispatcher, deliveries, ends };
    }

    it('moves the position at once, and delivers together what comes before their end', async () => {
      const stream = new ScriptedStream();
      const { dispatcher, deliveries, ends } = await startWriting(stream);
      await stream.send(1);
      expect(dispatcher.position?.sequence).toBe(1);
      await stream.send(2);
      await stream.send(3);
      expect(deliveries).toEqual([[1]]);
      ends[0]?.written();
      await eventually(() => dispatcher.position?.sequence === 3);
      expect(deliveries).toEqual([[1], [2, 3]]);
    });

    it('continues when they fail', async () => {
      const stream = new ScriptedStream();
      const { dispatcher, ends } = await startWriting(stream);
      await stream.send(1);
      await stream.send(2);
      ends[0]?.fail();
      await eventually(() => dispatcher.position?.sequence === 2);
    });

    it('delivers before a gap, and waits for the later writes only', async () => {
      const stream = new ScriptedStream();
      const { dispatcher, deliveries, ends } = await startWriting(stream);
      await stream.send(1);
      await stream.send(2);
      await stream.subscriptions[0]?.onGap({ epoch: 'e', firstSequence: 7, lastSequence: 9 });
      expect(deliveries).toEqual([[1], [2]]);
      await stream.send(7);
      ends[0]?.written();
      await new Promise((resolve) => setImmediate(resolve));
      expect(deliveries).toEqual([[1], [2]]);
      ends[1]?.written();
      await eventually(() => dispatcher.position?.sequence === 7);
      expect(deliveries).toEqual([[1], [2], [7]]);
    });
  });

  it.each([
    ['no rest after a short one', 9, 2, undefined],
    ['one turn after a single message', 1, 40, 0],
    ['a rest as long as the delivery of two messages', 2, 20, 20],
    ['nearly twice as long after many', 100, 20, 39.6],
    ['at most 60 ms', 100, 200, 60],
  ])('after a delivery there is %s', (_, count, tookMs, restMs) => {
    expect(restAfterDelivery(count, tookMs)).toBe(restMs);
  });

  it('wakes waiters of a message at once when it is dispatched', async () => {
    const stream = new ScriptedStream();
    const { dispatcher } = start(stream);
    await isRunning(dispatcher);
    const woken: unknown[] = [];
    dispatcher.onceReached(2, () => woken.push(dispatcher.position?.sequence));
    const forget = dispatcher.onceReached(2, () => woken.push('forgotten'));
    forget();
    await stream.send(1);
    expect(woken).toEqual([]);
    await stream.send(2);
    await stream.send(3);
    expect(woken).toEqual([2]);
  });

  it('announces a gap, wakes all waiters and continues with the oldest kept message', async () => {
    const stream = new ScriptedStream();
    const { dispatcher, gaps } = start(stream);
    await isRunning(dispatcher);
    let woken = 0;
    dispatcher.onceReached(1_000, () => (woken += 1));
    stream.state = { epoch: 'new', firstSequence: 7, lastSequence: 9 };
    await stream.subscriptions[0]?.onGap(stream.state);
    expect(gaps()).toBe(1);
    expect(woken).toBe(1);
    expect(dispatcher.position).toEqual({ epoch: 'new', sequence: 6 });
  });

  it('stops while it asks for the state of the stream', async () => {
    const stream = new ScriptedStream();
    const { dispatcher } = start(stream);
    await dispatcher.stop();
    expect(dispatcher.state).toBe('stopped');
    expect(stream.subscriptions).toEqual([]);
  });

  it('stops its subscription, also one that was still being made', async () => {
    const stream = new ScriptedStream();
    const made: ((value: { stop: () => Promise<undefined> }) => void)[] = [];
    stream.subscribe = () => new Promise((resolve) => made.push(resolve));
    const { dispatcher } = start(stream);
    await eventually(() => made.length === 1);
    await dispatcher.stop();
    made[0]?.({ stop: () => Promise.resolve(void (stream.stopped += 1)) });
    await eventually(() => stream.stopped === 1);
  });
});
