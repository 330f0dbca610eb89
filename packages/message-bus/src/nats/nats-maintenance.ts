import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { EVENT_STREAM } from '@sinebar/contracts';
import { BusUnavailableError, type StreamState } from '../bus.ts';

import { connectionOptions, type NatsCredentials } from './nats-servers.ts';
import { isStreamNotFound, readStreamState } from './nats-stream.ts';

export interface StreamReport extends StreamState {
  /** Number and bytes of stored messages. */
  messages: number;
  bytes: number;
  /** Lag of each connected reader (gateways, followers), messages. */
  readersBehind: number[];
}

/** Location of an event stream; the name defaults to that of the product. */
export interface NatsStreamAddress {
  servers: string;
  credentials?: NatsCredentials;
  name?: string;
}

const TIMEOUT_MS = 5_000;
/** Key in the metadata of a stream. */
const INSTALLATION = 'sinebar.installation';

/** Reads the state of the event stream without changing it; `undefined` when there is none. @throws BusUnavailableError */
export function inspectNatsStream(address: NatsStreamAddress): Promise<StreamReport | undefined> {
  const { name: streamName = EVENT_STREAM } = address;
  return withManager(address, async (jsm) => {
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

/**
 * Notes in the event stream to which installation it belongs, if it belongs to none yet.
 * @returns the installation of the stream; `undefined` when there is no stream. @throws BusUnavailableError
 */
export function claimNatsStream(address: NatsStreamAddress, installation: string): Promise<string | undefined> {
  const { name: streamName = EVENT_STREAM } = address;
  return withManager(address, async (jsm) => {
    try {
      const { config } = await jsm.streams.info(streamName);
      const owner = config.metadata?.[INSTALLATION];
      if (owner !== undefined) return owner;
      await jsm.streams.update(streamName, { metadata: { ...config.metadata, [INSTALLATION]: installation } });
      return installation;
    } catch (error) {
      if (isStreamNotFound(error)) return undefined;
      throw error;
    }
  });
}

/** Removes the event stream with all messages; the services create another one with another epoch. @throws BusUnavailableError */
export function removeNatsStream(address: NatsStreamAddress): Promise<void> {
  return withManager(address, async (jsm) => {
    await jsm.streams.delete(address.name ?? EVENT_STREAM);
  });
}

async function withManager<T>({ servers, credentials }: NatsStreamAddress, work: (jsm: JetStreamManager) => Promise<T>): Promise<T> {
  const nc = await connect({
    ...connectionOptions(servers, credentials),
    name: 'sinebar maintenance',
    timeout: TIMEOUT_MS,
    reconnect: false,
  }).catch((error: unknown) => {
    throw new BusUnavailableError('The message broker cannot be reached.', error);
  });
  try {
    return await work(await jetstreamManager(nc, { timeout: TIMEOUT_MS, checkAPI: false }));
  } finally {
    await nc.close();
  }
}
