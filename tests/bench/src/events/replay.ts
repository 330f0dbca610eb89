import { jetstream } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { formatSequence } from '@sinebar/contracts';
import { median, table } from '../figures.ts';
import { memoryGrowthMiB } from '../process-memory.ts';
import { startGateway, type Product } from '../product.ts';
import { makeBenchStream, type BenchStream } from './bench-stream.ts';
import { ClientFleet } from './clients/client-fleet.ts';
import { ALL_PLANTS, BENCH_STREAM, nowNs, PLANTS, stampedChange } from './plants.ts';

const ROUNDS = 15;
const EVENTS = 100_000;
const BATCH = 500;
const TIMEOUT_MS = 60_000;
/** Index of a resume point after all events of a message. */
const WHOLE_MESSAGE = 999_999_999;

/** Measures a client that resumes 100,000 events back, against a JetStream client that reads them. */
export async function measureReplay(): Promise<string> {
  const stream = await makeBenchStream();
  const fleet = new ClientFleet();
  const alone: number[] = [];
  const replayed: number[] = [];
  try {
    for (let i = 0; i < EVENTS; i += BATCH) {
      await stream.bus.publish(Array.from({ length: BATCH }, (_, k) => stampedChange((i + k) % PLANTS)));
    }
    const gateway = await startGateway();
    let growthMiB = NaN;
    try {
      for (let round = 0; round < ROUNDS; round += 1) {
        alone.push(await secondsAlone(stream));
        const growth = await memoryGrowthMiB(gateway.servicePid(''), async () => {
          replayed.push(await secondsReplayed(gateway, stream, fleet));
        });
        // The first replay allocates memory that later ones reuse.
        growthMiB = round === 0 ? 0 : Math.max(growthMiB, growth);
      }
    } finally {
      await gateway.stop();
    }
    const perSecond = (seconds: number[]) => Math.round(EVENTS / median(seconds));
    return table(
      [`replay of ${EVENTS} events`, 'measured', 'goal'],
      [
        ['JetStream client alone, messages per second', String(perSecond(alone)), ''],
        ['one client of the gateway, events per second', String(perSecond(replayed)), ''],
        [
          'gateway / JetStream client alone',
          median(alone.map((seconds, round) => seconds / (replayed[round] as number))).toFixed(2),
          'at least 0.5',
        ],
        ['memory growth behind the first replay, MiB', growthMiB.toFixed(0), 'flat'],
      ],
    );
  } finally {
    await fleet.stop();
    await stream.remove();
  }
}

/** Reads with the client library's ordered consumer at its best batch size and discards the messages. */
async function secondsAlone({ natsUrl }: BenchStream): Promise<number> {
  const nats = await connect({ servers: natsUrl });
  try {
    const consumer = await jetstream(nats).consumers.get(BENCH_STREAM, { deliver_policy: 'all' });
    const begun = performance.now();
    let count = 0;
    for await (const _message of await consumer.consume({ max_messages: 1000 })) {
      count += 1;
      if (count === EVENTS) break;
    }
    return (performance.now() - begun) / 1000;
  } finally {
    await nats.close();
  }
}

async function secondsReplayed({ url }: Product, { bus }: BenchStream, fleet: ClientFleet): Promise<number> {
  const { epoch, firstSequence } = await bus.streamState();
  const lastSequence = formatSequence({ epoch, sequence: firstSequence - 1, index: WHOLE_MESSAGE });
  await fleet.begin();
  const begunNs = nowNs();
  await fleet.open(url, [{ token: ALL_PLANTS, lastSequence }]);
  const { total, lastAtNs } = await fleet.received(EVENTS, TIMEOUT_MS);
  await fleet.closeClients();
  if (total !== EVENTS) throw new Error(`${total} of ${EVENTS} events were replayed`);
  return (lastAtNs - begunNs) / 1e9;
}
