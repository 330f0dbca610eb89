import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { jetstreamManager, PersistMode, type JetStreamManager } from '@nats-io/jetstream';
import { connect, nanos, type NatsConnection } from '@nats-io/transport-node';
import type { ChangeEnvelope } from '@sinebar/contracts';
import { backing, describeWith, eventually, testSubjects } from '@sinebar/testing';
import { type Bus, type StreamMessage, type StreamState, PublishError, RequestFailedError } from '../bus.ts';
import { logInto } from '../bus-log.fixture.ts';
import { describeBus, endOf, idsOf, testEnvelope, testEnvelopes } from '@sinebar/testing/bus-contract';
import { connectNatsBus, type NatsBusOptions } from './nats-bus.ts';
import { connectionOptions } from './nats-servers.ts';
import { streamConfiguration } from './nats-stream.ts';

describeWith(['nats'], 'NATS', () => {
  describeBus('the NATS bus', async () => {
    const { stream, prefix } = testSubjects();
    const options: NatsBusOptions = {
      servers: backing().natsUrl,
      name: 'contract',
      streamName: stream,
      subjectPrefix: prefix,
      stream: { maxBytes: 64 * 1024 ** 2 },
    };
    const bus = await connectNatsBus(options);
    const other = await connectNatsBus({ ...options, name: 'contract other' });
    const { nc, jsm } = await administrator();
    return {
      bus,
      other,
      trimTo: async (keep) => void (await jsm.streams.purge(stream, keep === 0 ? undefined : { keep })),
      close: async () => {
        await Promise.all([bus.close(), other.close()]);
        if (nc.isClosed()) return;
        await jsm.streams.delete(stream);
        await nc.close();
      },
    };
  });

  describe('the event stream in NATS', () => {
    const open: Bus[] = [];
    let names: ReturnType<typeof testSubjects>;
    let options: NatsBusOptions;
    let nc: NatsConnection;
    let jsm: JetStreamManager;

    beforeEach(async () => {
      names = testSubjects();
      options = {
        servers: backing().natsUrl,
        name: 'test',
        streamName: names.stream,
        subjectPrefix: names.prefix,
        stream: { maxBytes: 64 * 1024 ** 2 },
      };
      ({ nc, jsm } = await administrator());
    });
    afterEach(async () => {
      await Promise.all(open.splice(0).map(async (bus) => await bus.close()));
      await jsm.streams.delete(names.stream).catch(() => undefined);
      await nc.close();
    });

    async function connectBus(changes: Partial<NatsBusOptions> = {}): Promise<Bus> {
      const bus = await connectNatsBus({ ...options, ...changes });
      open.push(bus);
      return bus;
    }

    it('stores no message again after its duplicate window', async () => {
      const settings = { stream: { maxBytes: 64 * 1024 ** 2, duplicateWindowMs: 200 } };
      const first = await connectBus(settings);
      const old = testEnvelopes(5).map((envelope) => ({ ...envelope, time: new Date(Date.now() - 60_000).toISOString() }));
      await first.publish(old.slice(0, 3));
      const stored = async () => (await jsm.streams.info(names.stream)).state.messages;
      // A message of another subject shows when the broker has discarded the earlier ids.
      const probe = { ...testEnvelope('probe'), time: new Date().toISOString() };
      await first.publish([probe]);
      const before = await stored();
      await eventually(async () => {
        await first.publish([{ ...probe, time: new Date().toISOString() }]);
        return (await stored()) > before;
      }, 'the window has passed');
      const known = await stored();
      await first.publish(old.slice(0, 4));
      expect(await stored()).toBe(known + 1);
      const successor = await connectBus(settings);
      await successor.publish(old);
      expect(await stored()).toBe(known + 2);
    });

    it('is created once by several services that start together', async () => {
      const buses = await Promise.all(Array.from({ length: 6 }, async () => await connectBus()));
      expect(buses.map((bus) => bus.status().connected)).toEqual([true, true, true, true, true, true]);
      const states = await Promise.all(buses.map(async (bus) => await bus.streamState()));
      expect(new Set(states.map(({ epoch }) => epoch)).size).toBe(1);
      await Promise.all(buses.map(async (bus) => await bus.publish(testEnvelopes(10))));
      expect((await endOf(buses[0] as Bus)).sequence).toBe(60);
    });

    it('has the limits of the settings, also when they change', async () => {
      await connectBus({ stream: { maxAgeMs: 60_000, maxBytes: 1_000_000 } });
      const first = (await jsm.streams.info(names.stream)).config;
      expect(first).toMatchObject({
        storage: 'file',
        retention: 'limits',
        discard: 'old',
        max_age: nanos(60_000),
        max_bytes: 1_000_000,
        num_replicas: 1,
        duplicate_window: nanos(60_000),
        subjects: [`${names.prefix}.sinebar.events.>`],
      });
      await connectBus({ stream: { maxAgeMs: 7_200_000, maxBytes: 2_000_000, duplicateWindowMs: 1_800_000 } });
      const second = (await jsm.streams.info(names.stream)).config;
      expect(second).toMatchObject({ max_age: nanos(7_200_000), max_bytes: 2_000_000, duplicate_window: nanos(1_800_000) });
    });

    it('has the limits of its owner: other services create it and only report differences', async () => {
      const lines: string[] = [];
      const log = logInto(lines);
      const guest = { ownsStream: false, log };
      await connectBus({ ...guest, stream: { maxAgeMs: 60_000, maxBytes: 1_000_000 } });
      await connectBus({ stream: { maxAgeMs: 120_000, maxBytes: 2_000_000 } });
      expect(lines.filter((line) => line.startsWith('warn'))).toEqual([]);
      await connectBus({ ...guest, stream: { maxAgeMs: 120_000, maxBytes: 3_000_000 } });
      expect((await jsm.streams.info(names.stream)).config).toMatchObject({ max_age: nanos(120_000), max_bytes: 2_000_000 });
      expect(lines.filter((line) => line.startsWith('warn'))).toEqual([
        expect.stringMatching(/has other limits than the settings here.*"max_bytes 3000000 here, 2000000 in the stream"\]/),
      ]);
    });

    it('holds the trace of a change in the headers of its message', async () => {
      const bus = await connectBus();
      const [traced, other] = testEnvelopes(2);
      const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
      await bus.publish([{ ...traced, traceparent } as ChangeEnvelope, other as ChangeEnvelope]);
      const { sequence } = await endOf(bus);
      const headerOf = async (seq: number) => (await jsm.streams.getMessage(names.stream, { seq }))?.header?.get('traceparent');
      expect(await headerOf(sequence - 1)).toBe(traceparent);
      expect(await headerOf(sequence)).toBe('');
    });

    it('that takes other subjects is corrected only by its owner', async () => {
      await jsm.streams.add({ name: names.stream, subjects: [`${names.prefix}.other`] });
      const guest = await connectBus({ ownsStream: false, initialWaitMs: 300 });
      expect(guest.status()).toEqual({ connected: false, description: expect.stringMatching(/takes .*\.other, not .*; its owner/) });
      await connectBus();
      await eventually(() => guest.status().connected, 'the guest');
    });

    describe.each([
      ['takes batches', undefined],
      // A stream with asynchronous storage takes no batches; older servers take none either.
      ['takes no batches', PersistMode.Async],
    ])('of a broker that %s', (_name, persist_mode) => {
      beforeEach(async () => {
        if (persist_mode) await jsm.streams.add({ ...streamConfiguration(names.stream, `${names.prefix}.`, {}), persist_mode });
        await connectBus();
        const { config } = await jsm.streams.info(names.stream);
        const takesBatches = persist_mode === undefined && Number(nc.info?.version.split('.')[1]) >= 15;
        expect(config.allow_atomic ?? false).toBe(takesBatches);
      });

      it('keeps the order of each of two services that publish at the same time, and loses nothing [D7.4]', async () => {
        const [first, second, reader] = [await connectBus(), await connectBus(), await connectBus()];
        const start = await endOf(reader);
        const received: string[] = [];
        await reader.subscribe({
          from: start,
          onMessage: ({ envelope }) => void received.push(envelope.id),
          onGap: () => {
            throw new Error('unexpected gap');
          },
        });
        const batches = [testEnvelopes(2_000), testEnvelopes(2_000)] as const;
        await Promise.all([first.publish(batches[0]), second.publish(batches[1])]);
        await eventually(() => received.length >= 4_000, 'all messages');
        for (const batch of batches) {
          const ids = batch.map(({ id }) => id);
          expect(received.filter((id) => ids.includes(id))).toEqual(ids);
        }
      });

      it('stores nothing after a message that it has refused [D7.4]', async () => {
        const bus = await connectBus();
        const start = await endOf(bus);
        await jsm.streams.update(names.stream, { max_msg_size: 2_000 });
        const before = testEnvelopes(3);
        const refused = { ...testEnvelope(), sinebarpath: 'x'.repeat(3_000) };
        const after = testEnvelopes(200);
        const error: unknown = await bus.publish([...before, refused, ...after]).catch((failure: unknown) => failure);
        expect(error).toMatchObject({ name: 'PublishError', storedCount: 3 });
        expect((await endOf(bus)).sequence).toBe(start.sequence + 3);
        await jsm.streams.update(names.stream, { max_msg_size: -1 });
        await bus.publish([refused, ...after]);
        expect((await endOf(bus)).sequence).toBe(start.sequence + 204);
      });
    });

    it('is reported when a stream of the name cannot be used', async () => {
      await jsm.streams.add({ name: names.stream, subjects: [`${names.prefix}.other`], storage: 'memory' });
      const bus = await connectBus({ initialWaitMs: 300 });
      expect(bus.status()).toEqual({
        connected: false,
        description: expect.stringMatching(/storage memory and retention limits; remove it/),
      });
      await jsm.streams.delete(names.stream);
      await eventually(() => bus.status().connected, 'the stream');
    });

    it('deleted while running is created again with another epoch, and subscribers get a gap', async () => {
      const bus = await connectBus();
      const start = await bus.streamState();
      const gaps: StreamState[] = [];
      const ids: string[] = [];
      const consumed: string[] = [];
      let consumerGaps = 0;
      await bus.subscribe({
        from: 'new',
        onMessage: ({ envelope }) => void ids.push(envelope.id),
        onGap: (state) => void gaps.push(state),
      });
      await bus.consume({
        name: 'follower',
        position: { epoch: start.epoch, sequence: start.lastSequence },
        onGap: () => Promise.resolve(void (consumerGaps += 1)),
        handle: ({ envelope }) => Promise.resolve(void consumed.push(envelope.id)),
      });
      const before = testEnvelopes(5);
      await bus.publish(before);
      await eventually(() => ids.length === 5 && consumed.length === 5, 'the first messages');
      await jsm.streams.delete(names.stream);
      await eventually(() => gaps.length > 0 && consumerGaps > 0, 'both gaps');
      const after = testEnvelopes(7);
      await bus.publish(after);
      await eventually(() => ids.length >= 12 && consumed.length >= 12, 'the messages of the new stream');
      expect(gaps).toEqual([{ epoch: (await bus.streamState()).epoch, firstSequence: 1, lastSequence: 0 }]);
      expect(gaps[0]?.epoch).not.toBe(start.epoch);
      expect(consumerGaps).toBe(1);
      expect(ids).toEqual([...before, ...after].map(({ id }) => id));
      expect(consumed).toEqual(ids);
    });

    it('deleted without readers is created again by the next publication', async () => {
      const bus = await connectBus();
      const { epoch } = await bus.streamState();
      await jsm.streams.delete(names.stream);
      const envelopes = testEnvelopes(3);
      const error: unknown = await bus.publish(envelopes).catch((failure: unknown) => failure);
      expect(error).toBeInstanceOf(PublishError);
      expect(error).toMatchObject({ storedCount: 0 });
      await eventually(() => bus.status().connected, 'the stream');
      await bus.publish(envelopes);
      expect(await bus.streamState()).toMatchObject({ firstSequence: 1, lastSequence: 3 });
      const usage = await bus.streamUsage();
      expect(usage?.bytes).toBeGreaterThan(0);
      expect(usage?.bytes).toBeLessThan(usage?.maxBytes ?? 0);
      expect((await bus.streamState()).epoch).not.toBe(epoch);
    });

    it('continues without a gap or a duplicate when the broker removes its consumer', async () => {
      const bus = await connectBus();
      const messages: StreamMessage[] = [];
      await bus.subscribe({
        from: 'new',
        onMessage: (message) => void messages.push(message),
        onGap: () => {
          throw new Error('unexpected gap');
        },
      });
      const envelopes = testEnvelopes(300);
      for (let index = 0; index < 300; index += 100) {
        await bus.publish(envelopes.slice(index, index + 100));
        for await (const { name } of jsm.consumers.list(names.stream)) await jsm.consumers.delete(names.stream, name);
      }
      // The last message shows that no duplicate of the others follows.
      const last = testEnvelope();
      await bus.publish([last]);
      await eventually(() => idsOf(messages).at(-1) === last.id, 'all messages');
      expect(idsOf(messages)).toEqual([...envelopes, last].map(({ id }) => id));
    });

    it('deleted while a subscriber is slow gives a gap before the oldest kept message', async () => {
      const bus = await connectBus();
      const gaps: StreamState[] = [];
      const sequences: number[] = [];
      const { promise: held, resolve: release } = Promise.withResolvers<void>();
      await bus.subscribe({
        from: 'new',
        onMessage: async ({ position }) => {
          sequences.push(position.sequence);
          await held;
        },
        onGap: (state) => void gaps.push(state),
      });
      await bus.publish(testEnvelopes(6_000));
      await eventually(() => sequences.length > 0, 'the first message');
      await jsm.streams.purge(names.stream, { keep: 100 });
      release();
      await eventually(() => sequences.at(-1) === 6_000, 'the newest message');
      expect(gaps).toEqual([expect.objectContaining({ firstSequence: 5_901, lastSequence: 6_000 })]);
      expect(sequences.slice(-100)).toEqual(Array.from({ length: 100 }, (_, index) => 5_901 + index));
      expect(sequences.length).toBeLessThan(3_500);
      expect(sequences).toEqual([...sequences].sort((a, b) => a - b));
    });

    it('with a single message deleted has no gap', async () => {
      const bus = await connectBus();
      const start = await endOf(bus);
      await bus.publish(testEnvelopes(5));
      await jsm.streams.deleteMessage(names.stream, 3);
      const sequences: number[] = [];
      let gaps = 0;
      await bus.subscribe({
        from: start,
        onMessage: ({ position }) => void sequences.push(position.sequence),
        onGap: () => void (gaps += 1),
      });
      await eventually(() => sequences.length >= 4, 'the rest');
      expect(sequences).toEqual([1, 2, 4, 5]);
      expect(gaps).toBe(0);
    });

    it('with a foreign message continues and reports it', async () => {
      const lines: string[] = [];
      const bus = await connectBus({ log: logInto(lines) });
      const ids: string[] = [];
      const skipped: number[] = [];
      await bus.subscribe({
        from: 'new',
        onMessage: ({ envelope }) => void ids.push(envelope.id),
        onSkipped: ({ sequence }) => void skipped.push(sequence),
        onGap: () => undefined,
      });
      for (const text of ['not json', 'null', '{"id":1}']) nc.publish(`${names.prefix}.sinebar.events.part.created`, text);
      await nc.flush();
      const envelope = testEnvelope();
      await bus.publish([envelope]);
      await eventually(() => ids.length > 0, 'the event');
      expect(ids).toEqual([envelope.id]);
      expect(skipped).toEqual([1, 2, 3]);
      expect(lines.filter((line) => line.startsWith('error a message in the event stream is not a change event'))).toHaveLength(3);
    });

    it('leaves no consumers behind', async () => {
      const bus = await connectBus();
      const subscription = await bus.subscribe({ from: 'new', onMessage: () => undefined, onGap: () => undefined });
      const count = async () => (await jsm.streams.info(names.stream)).state.consumer_count;
      await eventually(async () => (await count()) === 1, 'the consumer');
      await subscription.stop();
      await eventually(async () => (await count()) === 0, 'its end');
    });

    it('accepts messages and bodies up to the limit of the broker, and nothing after one that is too large', async () => {
      const bus = await connectBus();
      const start = await endOf(bus);
      const messages: StreamMessage[] = [];
      await bus.subscribe({ from: start, onMessage: (message) => void messages.push(message), onGap: () => undefined });
      const large = (kilobytes: number) => ({ ...testEnvelope(), sinebarpath: 'x'.repeat(kilobytes * 1024) });
      const fitting = Array.from({ length: 30 }, () => large(900));
      const error: unknown = await bus.publish([...fitting, large(1_100), testEnvelope()]).catch((failure: unknown) => failure);
      expect(error).toBeInstanceOf(PublishError);
      expect((error as PublishError).storedCount).toBe(30);
      expect((error as PublishError).message).toMatch(/has \d+ bytes; the broker takes 1048576/);
      await eventually(() => messages.length >= 30, 'the large messages');
      expect(idsOf(messages)).toEqual(fitting.map(({ id }) => id));
      expect((await endOf(bus)).sequence).toBe(start.sequence + 30);

      await bus.respond('sinebar.test.large', (body) => Promise.resolve('y'.repeat(Number(body) * 1024)));
      const ask = async (body: unknown) =>
        await bus.request('sinebar.test.large', body, { timeoutMs: 5_000, signal: new AbortController().signal });
      expect(await ask(900)).toHaveLength(900 * 1024);
      await expect(ask(1_100)).rejects.toThrow(/^The answer could not be sent: /);
      await expect(ask('z'.repeat(1_100 * 1024))).rejects.toThrow(RequestFailedError);
    });
  });
});

async function administrator(): Promise<{ nc: NatsConnection; jsm: JetStreamManager }> {
  const nc = await connect(connectionOptions(backing().natsUrl));
  return { nc, jsm: await jetstreamManager(nc) };
}
