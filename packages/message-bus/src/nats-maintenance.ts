import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { EVENT_STREAM } from '@sinebar/contracts';
import { BusUnavailableError, type StreamState } from './bus.js';

import { connectionOptions } from './nats-servers.js';
import { isStreamNotFound, readStreamState } from './nats-stream.js';

export interface StreamReport extends StreamState {
  /** Messages kept, and their bytes. */
  messages: number;
  bytes: number;
  /** How far each reader that is connected now (gateways, followers) is behind the end, messages. */
  readersBehind: number[];
}

const TIMEOUT_MS = 5_000;

/** What the broker says about the event stream, which it does not touch; `undefined` when there is none. @throws BusUnavailableError */
export function inspectNatsStream(servers: string, streamName = EVENT_STREAM): Promise<StreamReport | undefined> {
  return withManager(servers, async (jsm) => {
    try {
      const { state } = await jsm.streams.info(streamName);
      const readersBehind: number[] = [];
      for await (const { num_pending } of jsm.consumers.list(streamName)) readersBehind.push(num_pending);
      return { ...(await readStreamState(jsm, streamName)), messages: state.messages, bytes: state.bytes, readersBehind };
    } catch (error) {
      if (isStreamNotFound(error)) return undefined;
      throw error;
    }
  });
}

/** Removes the event stream with all messages: the services make another one, of another epoch. @throws BusUnavailableError */
export function removeNatsStream(servers: string, streamName = EVENT_STREAM): Promise<void> {
  return withManager(servers, async (jsm) => {
    await jsm.streams.delete(streamName);
  });
}

async function withManager<T>(servers: string, work: (jsm: JetStreamManager) => Promise<T>): Promise<T> {
  const nc = await connect({ ...connectionOptions(servers), name: 'sinebar maintenance', timeout: TIMEOUT_MS, reconnect: false }).catch(
    (error: unknown) => {
      throw new BusUnavailableError('The message broker cannot be reached.', error);
    },
  );
  try {
    return await work(await jetstreamManager(nc, { timeout: TIMEOUT_MS }));
  } finally {
    await nc.close();
  }
}
