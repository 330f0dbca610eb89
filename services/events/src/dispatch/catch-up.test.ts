import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createInProcessBus, MemoryMessageLog, type Bus, type StreamMessage } from '@sinebar/message-bus';
import { eventually } from '@sinebar/testing';
import { measurementsCreated, silentLog } from '../test-changes.fixture.ts';
import { catchUp, type BehindClient } from './catch-up.ts';
import { EventDispatcher } from './event-dispatcher.ts';
import { behindMessage, type ResumePoint } from './resume-point.ts';
import { Semaphore } from '@sinebar/concurrency';

/** Records what it is sent, by catch-up while it is behind and by the dispatcher while it is live. */
class NotingClient implements BehindClient {
  seen: string[] = [];
  live = false;
  gaps = 0;
  /** Number of messages until the client counts as full. */
  room = Infinity;
  drains = 0;
  private waiting = 0;

  send({ envelope }: StreamMessage, firstIndex: number): void {
    for (const event of envelope.data.events.slice(firstIndex)) this.seen.push((event as { MeasurementUuid: string }).MeasurementUuid);
    this.waiting += 1;
  }
  sendGap = () => void (this.gaps += 1);
  goLive = () => void (this.live = true);
  isFull = () => this.waiting >= this.room;
  drained = async (signal: AbortSignal) => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    this.waiting = 0;
    this.drains += 1;
    signal.throwIfAborted();
  };
}

describe('catching up', () => {
  let bus: Bus;
  let log: MemoryMessageLog;
  let dispatcher: EventDispatcher;
  const clients = new Set<NotingClient>();
  const stop = new AbortController();

  beforeEach(async () => {
    log = new MemoryMessageLog({ maxMessages: 50 });
    bus = createInProcessBus({ log });
    dispatcher = new EventDispatcher({ bus, log: silentLog });
    dispatcher.add({
      deliver: (message) => clients.forEach((client) => client.live && client.send(message, 0)),
      announceGap: () => clients.forEach((client) => client.live && client.sendGap()),
    });
    void dispatcher.start();
    await eventually(() => dispatcher.state === 'running');
  });
  afterEach(async () => {
    clients.clear();
    await dispatcher.stop();
    await bus.close();
  });

  const publish = (...uuids: string[]) => bus.publish([measurementsCreated(uuids)]);
  const run = (client: NotingClient, from: ResumePoint, signal = new AbortController().signal, readers = new Semaphore(4)) => {
    clients.add(client);
    return catchUp(client, from, { bus, dispatcher, readers, log: silentLog, retryDelayMs: 1 }, signal);
  };
  const point = async (sequence: number, index?: number): Promise<ResumePoint> => {
    const { epoch } = await bus.streamState();
    return index === undefined ? behindMessage({ epoch, sequence }) : { epoch, sequence, index };
  };

  it('sends missed events, from the middle of a message, and then new ones', async () => {
    await publish('1a', '1b', '1c');
    await publish('2a');
    const client = new NotingClient();
    await run(client, await point(1, 0));
    expect(client).toMatchObject({ seen: ['1b', '1c', '2a'], live: true });
    await publish('3a');
    await eventually(() => client.seen.length === 4);
    expect(client).toMatchObject({ seen: ['1b', '1c', '2a', '3a'], gaps: 0 });
  });

  it('is live at once when nothing was missed', async () => {
    await publish('1a');
    await eventually(() => dispatcher.position?.sequence === 1);
    for (const from of [await point(1), await point(1, 0)]) {
      const client = new NotingClient();
      await run(client, from);
      expect(client).toMatchObject({ seen: [], live: true, gaps: 0 });
    }
  });

  it('reports a gap and is live when the next message has expired, is of another stream, or never existed', async () => {
    for (let i = 1; i <= 60; i += 1) await publish(String(i));
    await log.trim();
    for (const from of [await point(3), await point(9, 0), { ...(await point(55)), epoch: 'other' }, await point(61)]) {
      const client = new NotingClient();
      await run(client, from);
      expect({ ...client, from }).toMatchObject({ from, gaps: 1, live: true, seen: [] });
    }
  });

  it('keeps a full client without a subscription, and loses nothing', async () => {
    for (let i = 1; i <= 20; i += 1) await publish(String(i));
    const client = new NotingClient();
    client.room = 3;
    await run(client, await point(0));
    expect(client.seen).toEqual(Array.from({ length: 20 }, (_, i) => String(i + 1)));
  });

  it('ends with its client, also while it waits for a reader', async () => {
    await publish('1a');
    const readers = new Semaphore(1);
    const release = await readers.acquire(stop.signal);
    const gone = new AbortController();
    const client = new NotingClient();
    const ended = run(client, await point(0), gone.signal, readers);
    await eventually(() => client.drains === 1);
    gone.abort();
    await ended;
    expect(client).toMatchObject({ live: false, seen: [] });
    release();
    const other = new NotingClient();
    await run(other, await point(0), stop.signal, readers);
    expect(other.seen).toEqual(['1a']);
  });

  it('tries again when the broker fails for a moment', async () => {
    await publish('1a');
    let failures = 3;
    const flaky = {
      subscribe: bus.subscribe.bind(bus),
      streamState: () => (failures-- > 0 ? Promise.reject(new Error('away')) : bus.streamState()),
    };
    const client = new NotingClient();
    clients.add(client);
    const from = await point(0);
    await catchUp(client, from, { bus: flaky, dispatcher, readers: new Semaphore(1), log: silentLog, retryDelayMs: 1 }, stop.signal);
    expect(client.seen).toEqual(['1a']);
    expect(failures).toBe(-1);
  });

  it('joins the live stream without a loss, a repetition or a change of order while messages arrive', async () => {
    const total = 600;
    const publishing = (async () => {
      for (let i = 1; i <= total; i += 1) {
        await publish(`${i}a`, `${i}b`);
        if (i % 7 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    const started: { client: NotingClient; from: ResumePoint; done: Promise<void> }[] = [];
    while ((await bus.streamState()).lastSequence < total - 50) {
      const { lastSequence } = await bus.streamState();
      const sequence = Math.max(1, lastSequence - (started.length % 40));
      if (lastSequence > 0) {
        const client = new NotingClient();
        client.room = started.length % 3 === 0 ? 5 : Infinity;
        const from = await point(sequence, started.length % 2);
        started.push({ client, from, done: run(client, from) });
      }
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await publishing;
    await Promise.all(started.map(({ done }) => done));
    await eventually(() => dispatcher.position?.sequence === total);
    const all = Array.from({ length: total }, (_, i) => [`${i + 1}a`, `${i + 1}b`]).flat();
    expect(started.length).toBeGreaterThan(5);
    for (const { client, from } of started) expect(client.seen).toEqual(all.slice((from.sequence - 1) * 2 + from.index + 1));
  });

  it('waits for the dispatcher when it is ahead of it', async () => {
    await publish('1a');
    await eventually(() => dispatcher.position?.sequence === 1);
    const last = { epoch: (await bus.streamState()).epoch, sequence: 1 };
    const waiting: { sequence: number; wake: () => void }[] = [];
    const slowDispatcher = {
      get position() {
        return last;
      },
      onceReached: (sequence: number, wake: () => void) => {
        waiting.push({ sequence, wake });
        return () => undefined;
      },
    };
    await publish('2a');
    await publish('3a');
    const client = new NotingClient();
    const from = await point(1, 0);
    // The client has seen message 1 only. This gateway has dispatched the same, while the stream holds two more.
    last.sequence = 0;
    const done = catchUp(client, from, { bus, dispatcher: slowDispatcher, readers: new Semaphore(1), log: silentLog }, stop.signal);
    await eventually(() => waiting.length === 1);
    expect(waiting[0]?.sequence).toBe(1);
    expect(client).toMatchObject({ live: false, seen: [] });
    last.sequence = 1;
    waiting[0]?.wake();
    expect(client.live).toBe(true);
    await done;
    expect(client.seen).toEqual([]);
  });
});
