import { afterEach, expect, it } from '@jest/globals';
import { connectNatsBus, PublishError, type Bus, type StreamMessage } from '@sinebar/message-bus';
import { testEnvelope } from '@sinebar/testing/bus-contract';
import { describeUnless, eventually } from '@sinebar/testing';
import type { ChangeEnvelope } from '@sinebar/contracts';
import { setTimeout as sleep } from 'node:timers/promises';
import { size } from '@sinebar/testing/size';
import { startNatsCluster, type NatsCluster } from './nats-cluster.ts';
import { findInstalled, NATS_SERVER } from './programs.ts';
import { defaultRunsFolder, openRunFolder, type RunFolder } from './run-folder.ts';

const ROUNDS = size({ short: 1, long: 50 });
const program =
  process.env['NATS_SERVER_BIN'] ?? (await findInstalled(NATS_SERVER, { environment: process.env, onProgress: () => undefined }));

/**
 * Longest time until a reader follows the stream again: servers elect the next leader of JetStream, which makes the consumer, after 4 to
 * 9 s without the last one. A request for it that got no answer is repeated after 2 s and a pause of at most 1 s.
 */
const RECOVERY_MS = 20_000;
const STREAM = 'SINEBAR_EVENTS';
const SERVICES = ['/inspection', '/raw-data'] as const;

describeUnless(program === undefined ? 'no nats-server that is 2.10 or newer' : undefined, 'the events in a cluster of NATS', () => {
  let folder: RunFolder;
  let cluster: NatsCluster;
  const open: Bus[] = [];

  afterEach(async () => {
    for (const bus of open.splice(0)) await bus.close();
    await cluster.stop();
    folder.remove();
  });

  async function connectBus(name: string, replicas: number, ownsStream: boolean): Promise<Bus> {
    const stream = { replicas, maxBytes: 256 * 1024 ** 2 };
    const bus = await connectNatsBus({ servers: cluster.url, name, ownsStream, initialWaitMs: 100, stream });
    open.push(bus);
    return bus;
  }

  it.each([3, 1])(
    `keep their order and are stored once, with %i copies, while the leader is killed ${ROUNDS} times during publishing [D7.4]`,
    async (replicas) => {
      folder = await openRunFolder(defaultRunsFolder());
      cluster = await startNatsCluster(folder, program as string);
      const reader = await connectBus('reader', replicas, true);
      await eventually(() => reader.status().connected, { timeoutMs: 60_000 });
      const received = new Map<string, string[]>(SERVICES.map((service) => [service, []]));
      let gaps = 0;
      const { epoch, lastSequence } = await reader.streamState();
      await reader.subscribe({
        from: { epoch, sequence: lastSequence },
        onMessage: ({ envelope }: StreamMessage) => void received.get(envelope.source)?.push(envelope.id),
        onGap: () => void (gaps += 1),
      });

      const publishers = await Promise.all(
        SERVICES.map(async (source) => {
          const publisher = new Publisher(await connectBus(source, replicas, false), source);
          void publisher.run();
          return publisher;
        }),
      );
      const failed = () => publishers.reduce((sum, { failures }) => sum + failures, 0);
      for (let round = 0; round < ROUNDS; round += 1) {
        const before = publishers.map(({ stored }) => stored);
        await eventually(() => publishers.every(({ stored }, i) => stored > (before[i] as number) + 200), { timeoutMs: 120_000 });
        // The failure happens at a random place of a publishing window.
        await sleep(Math.random() * 50);
        let leader: number | undefined;
        await eventually(async () => (leader = await cluster.findLeader(STREAM)) !== undefined, { timeoutMs: 60_000 });
        const failuresBefore = failed();
        await cluster.kill(leader as number);
        await eventually(() => failed() > failuresBefore, { timeoutMs: 60_000, describe: 'a publisher notices the loss' });
        await cluster.start(leader as number);
      }
      await Promise.all(publishers.map((publisher) => publisher.finish()));
      for (const { source, sent } of publishers) {
        await eventually(() => (received.get(source)?.length ?? 0) >= sent.length, { timeoutMs: 60_000 });
        expect(received.get(source)).toEqual(sent);
      }
      expect(gaps).toBe(0);
      expect(failed()).toBeGreaterThan(0);
    },
    120_000 + ROUNDS * 60_000,
  );

  it('reach their readers soon after the loss of any server, also of the one that serves their consumer', async () => {
    folder = await openRunFolder(defaultRunsFolder());
    cluster = await startNatsCluster(folder, program as string);
    const bus = await connectBus('reader', 3, true);
    await eventually(() => bus.status().connected, { timeoutMs: 60_000 });
    const received = new Set<string>();
    const { epoch, lastSequence } = await bus.streamState();
    await bus.subscribe({
      from: { epoch, sequence: lastSequence },
      onMessage: ({ envelope }: StreamMessage) => void received.add(envelope.id),
      onGap: () => undefined,
    });
    const store = async () => {
      const envelope = testEnvelope();
      await eventually(() => bus.publish([envelope]), { timeoutMs: 60_000 });
      return envelope.id;
    };
    for (let server = 0; server < 3; server += 1) {
      const before = await store();
      await eventually(() => received.has(before), { timeoutMs: 30_000 });
      await cluster.kill(server);
      const id = await store();
      await eventually(() => received.has(id), {
        timeoutMs: RECOVERY_MS,
        describe: `the event reaches the reader without server ${server}`,
      });
      await cluster.start(server);
      // Three copies do not survive two failures: the returned server must catch up first.
      await eventually(() => cluster.isComplete(STREAM), { timeoutMs: 60_000 });
    }
  }, 300_000);
});

/** Publishes like an outbox relay: batches in order, and after a failure from the oldest message without a known acknowledgement. */
class Publisher {
  readonly source: string;
  /** Ids in the order of creation. */
  readonly sent: string[] = [];
  stored = 0;
  failures = 0;
  private readonly bus: Bus;
  private readonly waiting: ChangeEnvelope[] = [];
  private finishing = false;
  private readonly end = Promise.withResolvers<void>();

  constructor(bus: Bus, source: string) {
    this.bus = bus;
    this.source = source;
  }

  async run(): Promise<void> {
    while (!this.finishing || this.waiting.length > 0) {
      // Windows vary in size, down to single messages.
      if (!this.finishing && this.waiting.length < 300) this.make(1 + Math.floor(Math.random() ** 3 * 700));
      const batch = this.waiting.slice(0, 500);
      try {
        await this.bus.publish(batch);
        this.drop(batch.length);
        await sleep(5);
      } catch (error) {
        if (!(error instanceof PublishError)) throw error;
        this.failures += 1;
        this.drop(error.storedCount);
        await sleep(50);
      }
    }
    this.end.resolve();
  }

  async finish(): Promise<void> {
    this.finishing = true;
    await this.end.promise;
  }

  private make(count: number): void {
    for (let i = 0; i < count; i += 1) {
      const envelope: ChangeEnvelope = { ...testEnvelope(), source: this.source };
      this.waiting.push(envelope);
      this.sent.push(envelope.id);
    }
  }

  private drop(count: number): void {
    this.waiting.splice(0, count);
    this.stored += count;
  }
}
