import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import type { ChangeEnvelope } from '@sinebar/contracts';
import { describeUnless, eventually, freePort, startProcess, type RunningProcess } from '@sinebar/testing';
import { type Bus, type StreamMessage, type StreamState, BusUnavailableError, PublishError, RequestTimedOutError } from '../bus.ts';
import { logInto } from '../bus-log.fixture.ts';
import { endOf, Gate, idsOf, testEnvelope, testEnvelopes } from '@sinebar/testing/bus-contract';
import { connectNatsBus, type NatsBusOptions } from './nats-bus.ts';
import { isSupported, UnsupportedBrokerError } from './nats-link.ts';
import { findNatsServer } from './nats-server.fixture.ts';

const run = promisify(execFile);
const found = findNatsServer(isSupported, [process.env['NATS_SERVER_BIN'], 'nats-server']);
const tooOld = findNatsServer((version) => !isSupported(version), ['nats-server', '/usr/sbin/nats-server']);
const binary = 'path' in found ? found.path : '';
const oldBinary = 'path' in tooOld ? tooOld.path : '';

/** A broker for this test only, whose port and folder stay the same over restarts. */
class TestBroker {
  port = 0;
  folder = '';
  private running: RunningProcess | undefined;

  async prepare(): Promise<void> {
    this.port = await freePort();
    this.folder = await mkdtemp(join(tmpdir(), 'sinebar-nats-'));
  }

  async start({ path = binary, authorization = '', store = 'data' } = {}): Promise<void> {
    const file = join(this.folder, 'nats.conf');
    const syncInterval = path === binary ? 'sync_interval: always' : '';
    const jetStream = `jetstream { store_dir: ${JSON.stringify(join(this.folder, store))}, ${syncInterval} }`;
    await writeFile(file, `listen: "127.0.0.1:${this.port}"\n${jetStream}\n${authorization}\n`);
    this.running = await startProcess(path, ['-c', file], { ready: /Server is ready/ });
  }

  async kill(): Promise<void> {
    await this.running?.kill9();
    this.running = undefined;
  }

  /** The signal alone is not enough: on a busy machine the threads of the broker run on for a while. */
  async freeze(): Promise<void> {
    const { pid } = this.running as RunningProcess;
    process.kill(pid, 'SIGSTOP');
    await eventually(async () => /^T/.test((await run('ps', ['-o', 'state=', '-p', String(pid)])).stdout), 'the stopped broker');
  }

  thaw(): void {
    if (this.running) process.kill(this.running.pid, 'SIGCONT');
  }

  async remove(): Promise<void> {
    await this.kill();
    await rm(this.folder, { recursive: true, force: true });
  }
}

describe('NATS with outages', () => {
  const broker = new TestBroker();
  const open: Bus[] = [];
  const lines: string[] = [];

  beforeEach(async () => {
    lines.length = 0;
    await broker.prepare();
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map(async (bus) => await bus.close()));
    await broker.remove();
  });

  async function connectBus(changes: Partial<NatsBusOptions> = {}): Promise<Bus> {
    const bus = await connectNatsBus({
      servers: `nats://127.0.0.1:${broker.port}`,
      name: 'outage test',
      log: logInto(lines),
      stream: { maxBytes: 64 * 1024 ** 2 },
      ...changes,
    });
    open.push(bus);
    return bus;
  }

  const requestOptions = (timeoutMs: number) => ({ timeoutMs, signal: new AbortController().signal });

  describeUnless(
    'missing' in found ? `no NATS_SERVER_BIN that is 2.10 or newer; ${found.missing}` : undefined,
    'of a broker that is new enough',
    () => {
      it('killed and restarted while events are sent: no gap, no duplicate, the same order', async () => {
        await broker.start();
        const [bus, publisher] = [await connectBus(), await connectBus()];
        const start = await endOf(bus);
        const received: StreamMessage[] = [];
        const consumed: string[] = [];
        const gaps: StreamState[] = [];
        await bus.subscribe({
          from: start,
          onMessage: async (message) => {
            if (received.length % 50 === 0) await sleep(5);
            received.push(message);
          },
          onGap: (state) => void gaps.push(state),
        });
        await bus.consume({
          name: 'follower',
          position: start,
          onGap: (state) => Promise.resolve(void gaps.push(state)),
          handle: async ({ envelope }) => {
            if (consumed.length % 70 === 0) await sleep(3);
            consumed.push(envelope.id);
          },
        });

        const envelopes = testEnvelopes(4_000);
        let failures = 0;
        const publishing = publishLikeARelay(publisher, envelopes, () => (failures += 1));
        for (const reached of [500, 1_500, 2_500]) {
          await eventually(() => received.length >= reached, { describe: `${reached} messages`, timeoutMs: 20_000 });
          await broker.kill();
          await eventually(() => !bus.status().connected && !publisher.status().connected, 'the loss');
          await broker.start();
        }
        await publishing;
        // The last message shows that no duplicate of the others follows.
        const last = testEnvelope();
        await publishLikeARelay(publisher, [last], () => undefined);
        await eventually(() => idsOf(received).at(-1) === last.id && consumed.at(-1) === last.id, {
          describe: 'all messages',
          timeoutMs: 20_000,
        });
        const ids = [...envelopes, last].map(({ id }) => id);
        expect(failures).toBeGreaterThan(0);
        expect(gaps).toEqual([]);
        expect(idsOf(received)).toEqual(ids);
        expect(consumed).toEqual(ids);
        expect((await endOf(bus)).epoch).toBe(start.epoch);
      });

      it('while it is unavailable, calls fail soon and registered readers work afterwards', async () => {
        await broker.start();
        const bus = await connectBus();
        await bus.publish(testEnvelopes(3));
        const before = await bus.streamState();
        const ids: string[] = [];
        await bus.subscribe({ from: 'new', onMessage: ({ envelope }) => void ids.push(envelope.id), onGap: () => undefined });
        await bus.respond('sinebar.test.before', () => Promise.resolve('before'));
        let signals = 0;
        await bus.onSignal('sinebar.test.wake', () => void (signals += 1));
        await broker.kill();
        await eventually(() => !bus.status().connected, 'the loss');

        const began = performance.now();
        const envelopes = testEnvelopes(4);
        const error: unknown = await bus.publish(envelopes).catch((failure: unknown) => failure);
        expect(error).toBeInstanceOf(PublishError);
        expect(error).toMatchObject({ storedCount: 0 });
        expect((error as PublishError).cause).toBeInstanceOf(BusUnavailableError);
        await expect(bus.streamState()).rejects.toThrow(BusUnavailableError);
        await expect(bus.request('sinebar.test.before', {}, requestOptions(5_000))).rejects.toThrow(BusUnavailableError);
        await expect(bus.subscribe({ from: 'new', onMessage: () => undefined, onGap: () => undefined })).rejects.toThrow(
          BusUnavailableError,
        );
        bus.signal('sinebar.test.wake');
        await bus.respond('sinebar.test.during', () => Promise.resolve('during'));
        // Below every time-out of the bus.
        expect(performance.now() - began).toBeLessThan(4_000);
        expect(bus.status().description).toMatch(/cannot be reached/);

        await broker.start();
        await eventually(() => bus.status().connected, 'the connection');
        await bus.publish(envelopes);
        expect(await bus.streamState()).toEqual({ ...before, lastSequence: before.lastSequence + 4 });
        await eventually(() => ids.length >= 4, 'the messages');
        expect(ids).toEqual(envelopes.map(({ id }) => id));
        expect(await bus.request('sinebar.test.before', {}, requestOptions(5_000))).toBe('before');
        expect(await bus.request('sinebar.test.during', {}, requestOptions(5_000))).toBe('during');
        const signalsBefore = signals;
        bus.signal('sinebar.test.wake');
        await eventually(() => signals === signalsBefore + 1, 'the signal');
      });

      it('unavailable when a service starts: everything registered starts later by itself', async () => {
        const began = performance.now();
        const bus = await connectBus({ initialWaitMs: 200 });
        expect(performance.now() - began).toBeLessThan(4_000);
        expect(bus.status()).toEqual({ connected: false, description: expect.stringMatching(/^The message broker cannot be reached\./) });
        await expect(bus.publish([testEnvelope()])).rejects.toThrow(PublishError);
        await expect(bus.streamState()).rejects.toThrow(BusUnavailableError);
        const gaps: StreamState[] = [];
        const ids: string[] = [];
        await bus.respond('sinebar.test.early', (body) => Promise.resolve(body));
        let signals = 0;
        await bus.onSignal('sinebar.test.early', () => void (signals += 1));
        await bus.consume({
          name: 'early',
          position: null,
          onGap: (state) => Promise.resolve(void gaps.push(state)),
          handle: ({ envelope }) => Promise.resolve(void ids.push(envelope.id)),
        });
        await eventually(() => lines.some((line) => line.includes('the message broker is unreachable')), 'a failed attempt');
        await broker.start();
        await eventually(() => bus.status().connected, 'the connection');
        await eventually(() => gaps.length === 1, 'the first gap');
        const envelope = testEnvelope();
        await bus.publish([envelope]);
        await eventually(() => ids.length === 1, 'the message');
        expect(ids).toEqual([envelope.id]);
        expect(await bus.request('sinebar.test.early', 7, requestOptions(5_000))).toBe(7);
        bus.signal('sinebar.test.early');
        await eventually(() => signals > 0, 'the signal');
      });

      it('never available: closing ends at once', async () => {
        const bus = await connectBus({ initialWaitMs: 50 });
        await bus.consume({ name: 'never', position: null, onGap: () => Promise.resolve(), handle: () => Promise.resolve() });
        const began = performance.now();
        await bus.close();
        expect(performance.now() - began).toBeLessThan(4_000);
      });

      it('killed while a request waits: it ends with an error before its time-out', async () => {
        await broker.start();
        const [bus, other] = [await connectBus(), await connectBus()];
        const gate = new Gate();
        let calls = 0;
        await other.respond('sinebar.test.slow', async () => {
          calls += 1;
          await gate.pass();
        });
        const began = performance.now();
        const outcome = expect(bus.request('sinebar.test.slow', {}, requestOptions(20_000))).rejects.toThrow(BusUnavailableError);
        await eventually(() => calls === 1, 'the responder');
        await broker.kill();
        await outcome;
        expect(performance.now() - began).toBeLessThan(20_000);
        gate.open();
      });

      it('frozen: publishing and requests end within their time, and everything works when it resumes', async () => {
        await broker.start();
        const bus = await connectBus();
        await bus.respond('sinebar.test.echo', (body) => Promise.resolve(body));
        const start = await endOf(bus);
        const ids: string[] = [];
        await bus.subscribe({ from: start, onMessage: ({ envelope }) => void ids.push(envelope.id), onGap: () => undefined });
        await broker.freeze();
        const envelopes = testEnvelopes(10);
        const began = performance.now();
        const publishing: Promise<unknown> = bus.publish(envelopes).catch((failure: unknown) => failure);
        await expect(bus.request('sinebar.test.echo', {}, requestOptions(300))).rejects.toThrow(RequestTimedOutError);
        expect(performance.now() - began).toBeLessThan(4_000);
        expect(await publishing).toMatchObject({ name: 'PublishError', storedCount: 0 });
        expect(performance.now() - began).toBeLessThan(15_000);
        broker.thaw();
        await publishLikeARelay(bus, envelopes, () => undefined);
        // The last message shows that no duplicate of the others follows.
        const last = testEnvelope();
        await bus.publish([last]);
        await eventually(() => ids.at(-1) === last.id, 'the messages');
        expect(ids).toEqual([...envelopes, last].map(({ id }) => id));
        expect(await bus.request('sinebar.test.echo', 1, requestOptions(5_000))).toBe(1);
      });

      it('replaced by one with an empty disk: subscribers and consumers get a gap, publishing continues', async () => {
        await broker.start();
        const bus = await connectBus();
        const start = await endOf(bus);
        const gaps: StreamState[] = [];
        const ids: string[] = [];
        const consumerGaps: StreamState[] = [];
        await bus.subscribe({
          from: start,
          onMessage: ({ envelope }) => void ids.push(envelope.id),
          onGap: (state) => void gaps.push(state),
        });
        await bus.consume({
          name: 'follower',
          position: start,
          onGap: (state) => Promise.resolve(void consumerGaps.push(state)),
          handle: () => Promise.resolve(),
        });
        await bus.publish(testEnvelopes(5));
        await eventually(() => ids.length === 5, 'the first messages');
        await broker.kill();
        await broker.start({ store: 'empty' });
        await eventually(() => gaps.length > 0 && consumerGaps.length > 0, 'the gaps');
        await publishLikeARelay(bus, testEnvelopes(2), () => undefined);
        await eventually(() => ids.length === 7, 'the next messages');
        expect(gaps).toHaveLength(1);
        expect(gaps[0]?.epoch).not.toBe(start.epoch);
        expect(await bus.streamState()).toMatchObject({ epoch: gaps[0]?.epoch, lastSequence: 2 });
      });

      it('purged while a subscriber was disconnected: it gets a gap when it reconnects', async () => {
        await broker.start();
        const bus = await connectBus();
        const start = await endOf(bus);
        await bus.publish(testEnvelopes(20));
        const gate = new Gate();
        const gaps: StreamState[] = [];
        let handled = 0;
        await bus.subscribe({
          from: { epoch: start.epoch, sequence: start.sequence + 20 },
          onMessage: async () => {
            handled += 1;
            await gate.pass();
          },
          onGap: (state) => void gaps.push(state),
        });
        await bus.publish(testEnvelopes(1));
        await eventually(() => handled === 1, 'the first message');
        await broker.kill();
        await eventually(() => !bus.status().connected, 'the loss');
        await broker.start();
        const nc = await connect({ servers: `127.0.0.1:${broker.port}` });
        await eventually(() => bus.status().connected, 'the connection');
        await publishLikeARelay(bus, testEnvelopes(10), () => undefined);
        await (await jetstreamManager(nc)).streams.purge('SINEBAR_EVENTS');
        await nc.close();
        gate.open();
        await eventually(() => gaps.length > 0, 'the gap');
        expect(gaps).toEqual([{ epoch: start.epoch, firstSequence: start.sequence + 32, lastSequence: start.sequence + 31 }]);
      });

      it('with credentials reads them from the URL and never logs them', async () => {
        const authorization = 'authorization { user: "sinebar", password: "very-secret" }';
        await broker.start({ authorization });
        const address = `127.0.0.1:${broker.port}`;
        const bus = await connectBus({ servers: `nats://sinebar:very-secret@${address}` });
        expect(bus.status().connected).toBe(true);
        const refused = await connectBus({ servers: `nats://sinebar:wrong-secret@${address}`, initialWaitMs: 600 });
        expect(refused.status()).toEqual({ connected: false, description: expect.stringMatching(/the broker refused the credentials/) });
        await expect(refused.streamState()).rejects.toThrow(BusUnavailableError);
        await broker.kill();
        await broker.start({ authorization: authorization.replace('very-secret', 'wrong-secret') });
        await eventually(() => refused.status().connected, 'the one that was refused');
        await eventually(() => /the broker refused the credentials/.test(bus.status().description), 'the refusal');
        expect(bus.status().connected).toBe(false);
        await broker.kill();
        await broker.start({ authorization });
        await eventually(() => bus.status().connected, 'the other one again');
        expect(lines.length).toBeGreaterThan(0);
        expect([...lines, bus.status().description, refused.status().description].join('\n')).not.toMatch(/secret/);
      });

      it('without JetStream is connected but not ready', async () => {
        const file = join(broker.folder, 'plain.conf');
        await writeFile(file, `listen: "127.0.0.1:${broker.port}"\n`);
        const plain = await startProcess(binary, ['-c', file], { ready: /Server is ready/ });
        try {
          const bus = await connectBus({ initialWaitMs: 500 });
          expect(bus.status()).toEqual({ connected: false, description: expect.stringMatching(/jetstream is not enabled/i) });
          await expect(bus.publish([testEnvelope()])).rejects.toThrow(PublishError);
          await expect(bus.streamState()).rejects.toThrow(BusUnavailableError);
        } finally {
          await plain.stop();
        }
      });
    },
  );

  describeUnless('missing' in tooOld ? `no nats-server below 2.10; ${tooOld.missing}` : undefined, 'of a broker that is too old', () => {
    it('is refused with a message', async () => {
      await broker.start({ path: oldBinary });
      const error: unknown = await connectBus().catch((failure: unknown) => failure);
      expect(error).toBeInstanceOf(UnsupportedBrokerError);
      expect((error as Error).message).toMatch(/^The message broker is nats-server 2\.\d+\.\d+; 2\.10\.0 or newer is needed\.$/);
    });

    it('is also refused later, and accepted after its replacement by a newer one', async () => {
      const bus = await connectBus({ initialWaitMs: 50 });
      await broker.start({ path: oldBinary, store: 'old' });
      await eventually(() => /is needed/.test(bus.status().description), 'the refusal');
      expect(bus.status().connected).toBe(false);
      await expect(bus.streamState()).rejects.toThrow(/2\.10\.0 or newer is needed/);
      await expect(bus.request('sinebar.test.any', {}, requestOptions(1_000))).rejects.toThrow(BusUnavailableError);
      await broker.kill();
      if (binary === '') return;
      await broker.start();
      await eventually(() => bus.status().connected, 'the newer broker');
      await bus.publish([testEnvelope()]);
    });
  });
});

/** Repeats from the oldest message that is not known to be stored, as the outbox relay does. */
async function publishLikeARelay(bus: Bus, envelopes: readonly ChangeEnvelope[], onFailure: () => void): Promise<void> {
  const deadline = Date.now() + 30_000;
  let stored = 0;
  while (stored < envelopes.length) {
    const batch = envelopes.slice(stored, stored + 100);
    try {
      await bus.publish(batch);
      stored += batch.length;
    } catch (error) {
      if (!(error instanceof PublishError)) throw error;
      if (Date.now() > deadline) throw error;
      stored += error.storedCount;
      onFailure();
      await sleep(50);
    }
  }
}
