import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Bus, PublishError, StreamMessage, StreamState, SubscribeOptions } from '@sinebar/message-bus';
import { eventually } from '../eventually.ts';
import { describeRequests, type BusUnderTest } from './request-contract.ts';
import { endOf, Gate, idsOf, testEnvelope, testEnvelopes } from './test-envelopes.ts';

/** Tests the contract of `Bus` for each implementation. `open` is called before each test and returns a bus with an empty stream. */
export function describeBus(name: string, open: () => Promise<BusUnderTest>): void {
  describe(`${name} as bus`, () => {
    let opened: BusUnderTest;
    let bus: Bus;
    let other: Bus;

    beforeEach(async () => {
      opened = await open();
      ({ bus, other } = opened);
    });
    afterEach(async () => await opened.close());

    /** Subscribes and collects messages; a gap fails the test unless `options` handles it. */
    async function gather(from: SubscribeOptions['from'], options: Partial<SubscribeOptions> = {}) {
      const messages: StreamMessage[] = [];
      const ends: Error[] = [];
      const subscription = await bus.subscribe({
        from,
        onMessage: (message) => void messages.push(message),
        onGap: (state) => {
          throw new Error(`unexpected gap: ${JSON.stringify(state)}`);
        },
        onEnd: (error) => void ends.push(error),
        ...options,
      });
      return { messages, ends, subscription };
    }

    /** Publishes an event and waits for it: earlier events, and what a call caused meanwhile, have arrived by then. */
    async function passMarker() {
      const marker = testEnvelope('marker');
      const { messages, subscription } = await gather('new');
      await bus.publish([marker]);
      await eventually(() => idsOf(messages).includes(marker.id), 'the marker');
      await subscription.stop();
    }

    const request = async (subject: string, body: unknown, options: { timeoutMs?: number; signal?: AbortSignal } = {}) =>
      await bus.request(subject, body, { timeoutMs: 5_000, signal: new AbortController().signal, ...options });

    it('is connected', () => {
      expect(bus.status()).toEqual({ connected: true, description: expect.stringMatching(/\.$/) });
    });

    describe('publishing', () => {
      it('stores messages in order', async () => {
        const before = await bus.streamState();
        await bus.publish([]);
        await bus.publish(testEnvelopes(3));
        await bus.publish(testEnvelopes(2));
        expect(await bus.streamState()).toEqual({ ...before, lastSequence: before.lastSequence + 5 });
      });

      it('drops a repeated id, within a call and between calls', async () => {
        const start = await endOf(bus);
        const [first, second] = [testEnvelope(1), testEnvelope(2)];
        await bus.publish([first, first]);
        await other.publish([first, second]);
        await bus.publish([second]);
        const { messages } = await gather(start);
        const last = testEnvelope(3);
        await bus.publish([last]);
        await eventually(() => messages.length >= 3, 'all messages');
        expect(idsOf(messages)).toEqual([first.id, second.id, last.id]);
      });

      it('refuses a message that is no event, stores those before it and none after it', async () => {
        const start = await endOf(bus);
        const wrong = { ...testEnvelope(), type: 'PartPainted' as 'PartCreated' };
        const error: unknown = await bus.publish([wrong, testEnvelope()]).catch((failure: unknown) => failure);
        expect(error).toMatchObject({ name: 'PublishError', storedCount: 0 });
        expect(await endOf(bus)).toEqual(start);
        const partly: unknown = await bus.publish([testEnvelope(), wrong, testEnvelope()]).catch((failure: unknown) => failure);
        expect(partly).toMatchObject({ name: 'PublishError' });
        expect((await endOf(bus)).sequence).toBe(start.sequence + (partly as PublishError).storedCount);
      });
    });

    describe('a subscription', () => {
      it('gets 5,000 messages in order, each once, unchanged', async () => {
        const start = await endOf(bus);
        const { messages } = await gather(start);
        const envelopes = testEnvelopes(5_000);
        for (let index = 0; index < envelopes.length; index += 700) await bus.publish(envelopes.slice(index, index + 700));
        await eventually(() => messages.length >= 5_000, { describe: '5,000 messages', timeoutMs: 20_000 });
        expect(messages.map(({ envelope }) => envelope)).toEqual(envelopes);
        expect(messages.map(({ position }) => position.sequence)).toEqual(envelopes.map((_, index) => start.sequence + 1 + index));
        expect(new Set(messages.map(({ position }) => position.epoch))).toEqual(new Set([start.epoch]));
      });

      it('begins with the next message when asked for new ones', async () => {
        await bus.publish(testEnvelopes(3));
        const { messages } = await gather('new');
        const envelope = testEnvelope();
        await other.publish([envelope]);
        await eventually(() => messages.length > 0, 'the new message');
        expect(idsOf(messages)).toEqual([envelope.id]);
      });

      it('starts after a position in the middle', async () => {
        const { epoch, sequence } = await endOf(bus);
        const envelopes = testEnvelopes(10);
        await bus.publish(envelopes);
        const { messages } = await gather({ epoch, sequence: sequence + 4 });
        await eventually(() => messages.length >= 6, 'the rest');
        expect(idsOf(messages)).toEqual(envelopes.slice(4).map(({ id }) => id));
      });

      it('never runs two handlers at a time, however long they take', async () => {
        const start = await endOf(bus);
        let running = 0;
        let mostRunning = 0;
        const seen: string[] = [];
        await gather(start, {
          onMessage: async ({ envelope }) => {
            running += 1;
            mostRunning = Math.max(mostRunning, running);
            // Later messages are faster, so that overlapping calls would change the order.
            await pause(Math.max(0, 30 - seen.length));
            seen.push(envelope.id);
            running -= 1;
          },
        });
        const envelopes = testEnvelopes(60);
        await bus.publish(envelopes);
        await eventually(() => seen.length >= 60, 'all handlers');
        expect(mostRunning).toBe(1);
        expect(seen).toEqual(envelopes.map(({ id }) => id));
      });

      it('does not hold up publishers or other subscribers while its handler waits', async () => {
        const gate = new Gate();
        await gather('new', { onMessage: async () => await gate.pass() });
        const { messages } = await gather('new');
        await bus.publish(testEnvelopes(1_000));
        await eventually(() => messages.length >= 1_000, 'the fast subscriber');
        gate.open();
      });

      it('gives each subscriber its own objects', async () => {
        const start = await endOf(bus);
        await bus.publish([testEnvelope('original')]);
        let changed = false;
        await gather(start, {
          onMessage: ({ envelope }) => {
            envelope.sinebarpath = 'changed';
            changed = true;
          },
        });
        await eventually(() => changed, 'the change');
        const { messages } = await gather(start);
        await eventually(() => messages.length > 0, 'the message');
        expect(messages[0]?.envelope.sinebarpath).toBe('poriginal/');
      });

      it('ends when a handler fails, and says so once', async () => {
        const start = await endOf(bus);
        const failure = new Error('the disk is full');
        const seen: string[] = [];
        const { ends, subscription } = await gather(start, {
          onMessage: ({ envelope }) => {
            seen.push(envelope.id);
            if (seen.length === 2) throw failure;
          },
        });
        const { messages } = await gather(start);
        await bus.publish(testEnvelopes(5));
        await eventually(() => ends.length > 0, 'the end');
        await eventually(() => messages.length >= 5, 'the other subscription');
        expect(ends).toEqual([failure]);
        expect(seen).toHaveLength(2);
        await subscription.stop();
        expect(ends).toHaveLength(1);
      });

      it('delivers nothing after stop, which waits for the running handler', async () => {
        const gate = new Gate();
        let begun = 0;
        let finished = 0;
        const { ends, subscription } = await gather('new', {
          onMessage: async () => {
            begun += 1;
            await gate.pass();
            finished += 1;
          },
        });
        await bus.publish(testEnvelopes(3));
        await eventually(() => begun === 1, 'the first handler');
        let stopped = false;
        const stopping = subscription.stop().then(() => (stopped = true));
        await passMarker();
        expect(stopped).toBe(false);
        gate.open();
        await stopping;
        expect(finished).toBe(1);
        await bus.publish(testEnvelopes(3));
        await passMarker();
        expect(begun).toBe(1);
        expect(ends).toEqual([]);
        await subscription.stop();
      });

      it('reports a gap for another epoch and continues with the oldest message', async () => {
        const envelopes = testEnvelopes(4);
        await bus.publish(envelopes);
        const gaps: StreamState[] = [];
        const { messages } = await gather({ epoch: 'another', sequence: 2 }, { onGap: (state) => void gaps.push(state) });
        await eventually(() => messages.length >= 4, 'all messages');
        expect(gaps).toEqual([await bus.streamState()]);
        expect(idsOf(messages)).toEqual(envelopes.map(({ id }) => id));
      });

      it('reports a gap when messages behind its start were removed, and only then', async () => {
        const { epoch, sequence } = await endOf(bus);
        const envelopes = testEnvelopes(10);
        await bus.publish(envelopes);
        await opened.trimTo(4);
        const gaps: StreamState[] = [];
        const late = await gather({ epoch, sequence: sequence + 5 }, { onGap: (state) => void gaps.push(state) });
        await eventually(() => late.messages.length >= 4, 'the kept messages');
        expect(gaps).toEqual([{ epoch, firstSequence: sequence + 7, lastSequence: sequence + 10 }]);
        expect(idsOf(late.messages)).toEqual(envelopes.slice(6).map(({ id }) => id));
        const justInTime = await gather({ epoch, sequence: sequence + 6 });
        await eventually(() => justInTime.messages.length >= 4, 'the kept messages');
        expect(justInTime.ends).toEqual([]);
      });

      it('reports a gap when everything was removed, but none at the end of the stream', async () => {
        const { epoch, sequence } = await endOf(bus);
        await bus.publish(testEnvelopes(3));
        await opened.trimTo(0);
        const gaps: StreamState[] = [];
        const late = await gather({ epoch, sequence }, { onGap: (state) => void gaps.push(state) });
        const atEnd = await gather({ epoch, sequence: sequence + 3 });
        await eventually(() => gaps.length > 0, 'the gap');
        expect(gaps).toEqual([{ epoch, firstSequence: sequence + 4, lastSequence: sequence + 3 }]);
        const envelope = testEnvelope();
        await bus.publish([envelope]);
        await eventually(() => late.messages.length > 0 && atEnd.messages.length > 0, 'the next message');
        expect(idsOf(late.messages)).toEqual([envelope.id]);
        expect(idsOf(atEnd.messages)).toEqual([envelope.id]);
      });

      it('reports a gap for a position that the stream has not reached', async () => {
        const { epoch, sequence } = await endOf(bus);
        const gaps: StreamState[] = [];
        await gather({ epoch, sequence: sequence + 100 }, { onGap: (state) => void gaps.push(state) });
        await eventually(() => gaps.length > 0, 'the gap');
        expect(gaps[0]?.lastSequence).toBe(sequence);
      });

      it('ends when its gap handler fails', async () => {
        const { ends } = await gather({ epoch: 'another', sequence: 1 });
        await eventually(() => ends.length > 0, 'the end');
        expect(ends[0]?.message).toMatch(/^unexpected gap/);
      });

      it('refuses a sequence that is none', async () => {
        await expect(gather({ epoch: 'x', sequence: -1 })).rejects.toMatchObject({ name: 'TypeError' });
        await expect(gather({ epoch: 'x', sequence: Number.NaN })).rejects.toMatchObject({ name: 'TypeError' });
      });
    });

    describe('a consumer', () => {
      it('closes a gap first when it never ran, then gets what came since the gap was noticed', async () => {
        await bus.publish(testEnvelopes(3));
        const before = await bus.streamState();
        const during = testEnvelopes(2);
        const gaps: StreamState[] = [];
        const ids: string[] = [];
        await bus.consume({
          name: 'first run',
          position: null,
          onGap: async (state) => {
            gaps.push(state);
            await other.publish(during);
          },
          handle: async ({ envelope }) => void (await Promise.resolve(ids.push(envelope.id))),
        });
        await eventually(() => ids.length >= 2, 'the messages of the meantime');
        expect(gaps).toEqual([before]);
        expect(ids).toEqual(during.map(({ id }) => id));
      });

      it('continues after its position without a gap', async () => {
        const { epoch, sequence } = await endOf(bus);
        const envelopes = testEnvelopes(5);
        await bus.publish(envelopes);
        const ids: string[] = [];
        let gaps = 0;
        await bus.consume({
          name: 'follower',
          position: { epoch, sequence: sequence + 2 },
          onGap: () => Promise.resolve(void (gaps += 1)),
          handle: ({ envelope }) => Promise.resolve(void ids.push(envelope.id)),
        });
        await eventually(() => ids.length >= 3, 'the rest');
        expect(ids).toEqual(envelopes.slice(2).map(({ id }) => id));
        expect(gaps).toBe(0);
      });

      it('closes a gap when its position was removed', async () => {
        const { epoch, sequence } = await endOf(bus);
        await bus.publish(testEnvelopes(5));
        await opened.trimTo(2);
        const gaps: StreamState[] = [];
        const ids: string[] = [];
        await bus.consume({
          name: 'late',
          position: { epoch, sequence: sequence + 1 },
          onGap: (state) => Promise.resolve(void gaps.push(state)),
          handle: ({ envelope }) => Promise.resolve(void ids.push(envelope.id)),
        });
        await eventually(() => gaps.length > 0, 'the gap');
        const envelope = testEnvelope();
        await bus.publish([envelope]);
        await eventually(() => ids.length > 0, 'the next message');
        expect(gaps).toEqual([{ epoch, firstSequence: sequence + 4, lastSequence: sequence + 5 }]);
        expect(ids).toEqual([envelope.id]);
      });

      it('repeats a message until it is handled, with growing delays, and skips none', async () => {
        const start = await endOf(bus);
        const calls: { id: string; atMs: number }[] = [];
        const handled: string[] = [];
        const envelopes = testEnvelopes(3);
        await bus.consume({
          name: 'unlucky',
          position: start,
          onGap: () => Promise.reject(new Error('no gap here')),
          handle: ({ envelope }) => {
            calls.push({ id: envelope.id, atMs: performance.now() });
            if (envelope.id === envelopes[1]?.id && calls.length < 4) return Promise.reject(new Error('try again'));
            handled.push(envelope.id);
            return Promise.resolve();
          },
        });
        await bus.publish(envelopes);
        await eventually(() => handled.length >= 3, 'all messages');
        const [first, second, third] = envelopes.map(({ id }) => id);
        expect(calls.map(({ id }) => id)).toEqual([first, second, second, second, third]);
        expect(handled).toEqual([first, second, third]);
        const [, one, two, three] = calls.map(({ atMs }) => atMs) as [number, number, number, number];
        expect(two - one).toBeGreaterThanOrEqual(95);
        expect(three - two).toBeGreaterThanOrEqual(190);
      });

      it('repeats a failed gap, each time with the state of then', async () => {
        const gaps: number[] = [];
        const ids: string[] = [];
        const [missed, next] = [testEnvelope(), testEnvelope()];
        await bus.consume({
          name: 'gap',
          position: null,
          onGap: async ({ lastSequence }) => {
            gaps.push(lastSequence);
            if (gaps.length > 1) return;
            await bus.publish([missed]);
            throw new Error('not yet');
          },
          handle: ({ envelope }) => Promise.resolve(void ids.push(envelope.id)),
        });
        await eventually(() => gaps.length > 1, 'the second attempt');
        await bus.publish([next]);
        await eventually(() => ids.length > 0, 'the next message');
        expect(gaps[1]).toBe((gaps[0] as number) + 1);
        expect(ids).toEqual([next.id]);
      });

      it('can be stopped while it waits to try again', async () => {
        const start = await endOf(bus);
        let calls = 0;
        const subscription = await bus.consume({
          name: 'hopeless',
          position: start,
          onGap: () => Promise.reject(new Error('no gap here')),
          handle: () => {
            calls += 1;
            return Promise.reject(new Error('never'));
          },
        });
        await bus.publish(testEnvelopes(2));
        await eventually(() => calls >= 3, 'some attempts');
        const began = performance.now();
        await subscription.stop();
        expect(performance.now() - began).toBeLessThan(100);
        const callsAtStop = calls;
        // Longer than the delay before the next attempt: nothing else shows that it was left out.
        await pause(1_000);
        expect(calls).toBe(callsAtStop);
      });
    });

    describeRequests(() => opened);

    describe('closing', () => {
      it('waits for running handlers of subscriptions, consumers and responders', async () => {
        const gate = new Gate();
        const begun: string[] = [];
        const finished: string[] = [];
        const slow = async (who: string) => {
          begun.push(who);
          await gate.pass();
          finished.push(who);
        };
        const start = await endOf(bus);
        await gather(start, { onMessage: async () => await slow('subscription') });
        await bus.consume({ name: 'c', position: start, onGap: () => Promise.resolve(), handle: async () => await slow('consumer') });
        await bus.respond('sinebar.test.closing', async () => await slow('responder'));
        const pending = other
          .request('sinebar.test.closing', {}, { timeoutMs: 5_000, signal: new AbortController().signal })
          .catch(() => undefined);
        await bus.publish(testEnvelopes(2));
        await eventually(() => begun.length === 3, 'all handlers');
        let closed = false;
        const closing = bus.close().then(() => (closed = true));
        // A closing bus passes no marker; one that does not wait for its handlers is closed by now.
        await pause(50);
        expect(closed).toBe(false);
        gate.open();
        await closing;
        await pending;
        expect(finished.sort()).toEqual(['consumer', 'responder', 'subscription']);
        expect(begun).toHaveLength(3);
      });

      it('makes everything else fail, and can be repeated', async () => {
        await bus.close();
        await bus.close();
        expect(bus.status().connected).toBe(false);
        await expect(bus.publish([testEnvelope()])).rejects.toMatchObject({ name: 'PublishError' });
        await expect(bus.streamState()).rejects.toMatchObject({ name: 'BusUnavailableError' });
        await expect(gather('new')).rejects.toMatchObject({ name: 'BusUnavailableError' });
        const consumer = { name: 'c', position: null, onGap: () => Promise.resolve(), handle: () => Promise.resolve() };
        await expect(bus.consume(consumer)).rejects.toMatchObject({ name: 'BusUnavailableError' });
        await expect(request('sinebar.test.closed', {})).rejects.toMatchObject({ name: 'BusUnavailableError' });
        await expect(bus.respond('sinebar.test.closed', () => Promise.resolve())).rejects.toMatchObject({ name: 'BusUnavailableError' });
        await expect(bus.onSignal('sinebar.test.closed', () => undefined)).rejects.toMatchObject({ name: 'BusUnavailableError' });
      });
    });
  });
}
