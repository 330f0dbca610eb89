import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { connectNatsBus, type Bus } from '@sinebar/message-bus';
import { eventSubject, type ChangeEnvelope } from '@sinebar/contracts';
import { BENCH_STREAM, BENCH_SUBJECT_PREFIX } from './plants.ts';

export interface BenchStream {
  natsUrl: string;
  bus: Bus;
  /** Stores one message, as a program without an outbox would. */
  publish: (change: ChangeEnvelope) => Promise<unknown>;
  remove: () => Promise<void>;
}

/** Creates an empty event stream for one measurement, on the server named by NATS_URL. */
export async function makeBenchStream(): Promise<BenchStream> {
  const natsUrl = process.env['NATS_URL'];
  if (natsUrl === undefined) throw new Error('NATS_URL is not set');
  const bus = await connectNatsBus({ servers: natsUrl, name: 'bench', streamName: BENCH_STREAM, subjectPrefix: BENCH_SUBJECT_PREFIX });
  const { connected, description } = bus.status();
  if (!connected) throw new Error(description);
  const nats = await connect({ servers: natsUrl });
  const publisher = jetstream(nats);
  return {
    natsUrl,
    bus,
    publish: (change) =>
      publisher.publish(`${BENCH_SUBJECT_PREFIX}.${eventSubject(change.type)}`, JSON.stringify(change), { msgID: change.id }),
    remove: async () => {
      await bus.close();
      await (await jetstreamManager(nats)).streams.delete(BENCH_STREAM);
      await nats.close();
    },
  };
}
