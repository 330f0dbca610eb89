import { afterEach, describe, expect, it } from '@jest/globals';
import type { ChangeEnvelope } from '@sinebar/contracts';
import { eventually } from '@sinebar/testing';
import { type Bus, type StreamState, BusUnavailableError, PublishError } from '../bus.ts';
import { logInto } from '../bus-log.fixture.ts';
import { describeBus, describeMessageLog, endOf, Gate, idsOf, testEnvelope, testEnvelopes } from '@sinebar/testing/bus-contract';
import { createInProcessBus } from './in-process-bus.ts';
import { MemoryMessageLog, type LogPage, type MessageLog } from './message-log.ts';

describeMessageLog(
  'MemoryMessageLog',
  ({ maxMessages }) => Promise.resolve({ log: new MemoryMessageLog({ maxMessages }), close: () => Promise.resolve() }),
  { durable: false },
);

describeBus('the in-process bus', () => {
  const log = new MemoryMessageLog({ maxMessages: 100_000 });
  const bus = createInProcessBus({ log });
  return Promise.resolve({ bus, other: bus, trimTo: async (keep) => await log.trimTo(keep), close: async () => await bus.close() });
});

/** A memory log whose calls can fail and are counted. */
class UnreliableLog implements MessageLog {
  private readonly log = new MemoryMessageLog({ maxMessages: 50 });
  failing = false;
  largestRead = 0;
  reads = 0;
  writing = 0;
  overlaps = 0;

  async state(): Promise<StreamState> {
    this.check();
    return await this.log.state();
  }

  async append(envelopes: readonly ChangeEnvelope[]): Promise<number | undefined> {
    this.writing += 1;
    if (this.writing > 1) this.overlaps += 1;
    await new Promise((resolve) => setImmediate(resolve));
    this.writing -= 1;
    this.check();
    return await this.log.append(envelopes);
  }

  async read(after: number, limit: number): Promise<LogPage> {
    this.check();
    this.reads += 1;
    const page = await this.log.read(after, limit);
    this.largestRead = Math.max(this.largestRead, page.messages.length);
    return page;
  }

  async trim(): Promise<void> {
    this.check();
    await this.log.trim();
  }

  private check(): void {
    if (this.failing) throw new Error('no space left on device');
  }
}

describe('the in-process bus on an unreliable log', () => {
  let bus: Bus | undefined;
  afterEach(async () => await bus?.close());

  function open(options: { trimIntervalMs?: number; pageSize?: number } = {}) {
    const log = new UnreliableLog();
    const lines: string[] = [];
    bus = createInProcessBus({ log, ...options, report: logInto(lines) });
    return { log, bus, lines };
  }

  it('throws a PublishError with its cause when the log cannot store', async () => {
    const { log, bus } = open();
    log.failing = true;
    const error: unknown = await bus.publish([testEnvelope()]).catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(PublishError);
    expect(error).toMatchObject({ storedCount: 0, cause: new Error('no space left on device') });
    log.failing = false;
    await bus.publish([testEnvelope()]);
    expect((await bus.streamState()).lastSequence).toBe(1);
  });

  it('reports that it is unavailable when the log cannot be read', async () => {
    const { log, bus } = open();
    log.failing = true;
    await expect(bus.streamState()).rejects.toThrow(BusUnavailableError);
    await expect(bus.subscribe({ from: 'new', onMessage: () => undefined, onGap: () => undefined })).rejects.toThrow(BusUnavailableError);
  });

  it('continues without a gap or a duplicate after the log failed for a while', async () => {
    const { log, bus, lines } = open({ pageSize: 3 });
    const ids: string[] = [];
    // More than the bus remembers, so that the subscriber reads the log.
    const envelopes = testEnvelopes(120);
    await bus.subscribe({
      from: 'new',
      onMessage: ({ envelope }) => {
        ids.push(envelope.id);
        if (ids.length === 5) log.failing = true;
      },
      onGap: () => {
        throw new Error('unexpected gap');
      },
    });
    await bus.publish(envelopes);
    await eventually(() => lines.some((line) => line.includes('interrupted')), 'an interruption');
    log.failing = false;
    await eventually(() => ids.length >= 120, 'all messages');
    expect(ids).toEqual(envelopes.map(({ id }) => id));
  });

  it('starts to consume when the log can be read', async () => {
    const { log, bus } = open();
    const start = await endOf(bus);
    log.failing = true;
    const ids: string[] = [];
    await bus.consume({
      name: 'early',
      position: start,
      onGap: () => Promise.resolve(),
      handle: ({ envelope }) => Promise.resolve(void ids.push(envelope.id)),
    });
    log.failing = false;
    const envelope = testEnvelope();
    await bus.publish([envelope]);
    await eventually(() => ids.length > 0, 'the message');
    expect(ids).toEqual([envelope.id]);
  });

  it('appends one batch at a time and reads by pages', async () => {
    const { log, bus } = open({ pageSize: 7 });
    const gate = new Gate();
    const messages: Parameters<typeof idsOf>[0][number][] = [];
    await bus.subscribe({
      from: 'new',
      onMessage: async (message) => {
        await gate.pass();
        messages.push(message);
      },
      onGap: () => undefined,
    });
    const batches = Array.from({ length: 8 }, () => testEnvelopes(5));
    await Promise.all(batches.map(async (batch) => await bus.publish(batch)));
    gate.open();
    await eventually(() => messages.length >= 40, 'all messages');
    expect(log.overlaps).toBe(0);
    expect(log.largestRead).toBeLessThanOrEqual(7);
    expect(idsOf(messages)).toEqual(batches.flat().map(({ id }) => id));
  });

  it('reads the log no more for a subscriber that has everything but the last messages', async () => {
    const { log, bus } = open();
    const sequences: number[] = [];
    await bus.subscribe({
      from: 'new',
      onMessage: ({ position }) => void sequences.push(position.sequence),
      onGap: () => undefined,
    });
    await eventually(() => log.reads > 0, 'the first read');
    const { reads } = log;
    for (let i = 1; i <= 3; i += 1) {
      await bus.publish(testEnvelopes(2));
      await eventually(() => sequences.length === 2 * i, 'the messages');
    }
    expect(log.reads).toBe(reads);
    expect(sequences).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('trims regularly, and a subscriber that is too far behind gets a gap', async () => {
    const { bus } = open({ trimIntervalMs: 0, pageSize: 5 });
    const gate = new Gate();
    const gaps: StreamState[] = [];
    const sequences: number[] = [];
    await bus.subscribe({
      from: 'new',
      onMessage: async ({ position }) => {
        sequences.push(position.sequence);
        await gate.pass();
      },
      onGap: (state) => void gaps.push(state),
    });
    await bus.publish(testEnvelopes(20));
    await eventually(() => sequences.length > 0, 'the first message');
    await bus.publish(testEnvelopes(100));
    await eventually(async () => (await bus.streamState()).firstSequence === 71, 'the trim');
    gate.open();
    await eventually(() => sequences.at(-1) === 120, 'the rest');
    expect(gaps).toEqual([expect.objectContaining({ firstSequence: 71, lastSequence: 120 })]);
    expect(sequences).toEqual([1, ...Array.from({ length: 50 }, (_, index) => 71 + index)]);
  });

  it('reports a failed trim and continues', async () => {
    const { log, bus, lines } = open({ trimIntervalMs: 0 });
    const trim = log.trim.bind(log);
    log.trim = () => Promise.reject(new Error('locked'));
    await bus.publish([testEnvelope()]);
    await eventually(() => lines.some((line) => line.startsWith('error the event log could not be trimmed')), 'the report');
    log.trim = trim;
    await bus.publish([testEnvelope()]);
    expect((await bus.streamState()).lastSequence).toBe(2);
  });
});
