import { millis } from '@nats-io/transport-node';
import { EVENT_STREAM, type ChangeEnvelope } from '@sinebar/contracts';
import {
  BusUnavailableError,
  PublishError,
  type Bus,
  type BusStatus,
  type ConsumeOptions,
  type RequestOptions,
  type StreamState,
  type StreamUsage,
  type SubscribeOptions,
  type Subscription,
} from '../bus.ts';
import { errorText, SILENT_LOG, type BusLog } from '../bus-log.ts';
import { consumeFrom, subscribeFrom } from '../delivery.ts';
import { NatsLink } from './nats-link.ts';
import { publishInOrder } from './nats-publish.ts';
import { NatsRequests } from './nats-requests.ts';
import { connectionOptions, type NatsCredentials } from './nats-servers.ts';
import { NatsSource } from './nats-source.ts';
import { DuplicateWatch, storedAmong } from './nats-stored-ids.ts';
import { streamConfiguration, type StreamSettings } from './nats-stream.ts';
import { checkSubject } from '../subjects.ts';
import { checkPosition, findStart, SubscriptionSet } from '../subscriptions.ts';

export interface NatsBusOptions {
  /** One or more urls, `nats://` or `tls://`, in a list or separated by commas; they may contain credentials, the same in all. */
  servers: string | readonly string[];
  credentials?: NatsCredentials;
  /** Name of the connection in the broker's monitoring. */
  name: string;
  stream?: StreamSettings;
  /** True if the `stream` settings of this service apply; one service should own the stream, any creates it. Default true. */
  ownsStream?: boolean;
  log?: BusLog;
  /** Default {@link EVENT_STREAM}. */
  streamName?: string;
  /** Prefix of every subject of the stream, of requests and of signals, without its final dot; default none. */
  subjectPrefix?: string;
  /** Time after which `connectNatsBus` returns a bus that is not connected yet; default 2,000. */
  initialWaitMs?: number;
}

/**
 * Connects to NATS with JetStream, 2.10 or newer, and creates or checks the event stream.
 * When the broker cannot be reached within `initialWaitMs`, the returned bus reports so in `status()` and retries by itself.
 * @throws TypeError when an option is malformed. @throws UnsupportedBrokerError when the broker that answered first is too old
 */
export async function connectNatsBus(options: NatsBusOptions): Promise<Bus> {
  const { name, log = SILENT_LOG, streamName = EVENT_STREAM, subjectPrefix = '', ownsStream = true, initialWaitMs = 2_000 } = options;
  if (subjectPrefix !== '') checkSubject(subjectPrefix);
  if (!/^[A-Za-z0-9_-]+$/.test(streamName)) throw new TypeError(`not a stream name: "${streamName}"`);
  const prefix = subjectPrefix === '' ? '' : `${subjectPrefix}.`;
  const stream = streamConfiguration(streamName, prefix, options.stream ?? {});
  const link: NatsLink = new NatsLink({
    connection: connectionOptions(options.servers, options.credentials),
    name,
    stream,
    ownsStream,
    log,
    onConnection: (nc) => requests.attachAll(nc),
  });
  const requests = new NatsRequests(link, prefix, log);
  link.start();
  await link.settled(AbortSignal.timeout(initialWaitMs));
  if (link.refusal !== undefined) {
    await link.close();
    throw link.refusal;
  }
  return new NatsBus({ link, requests, streamName, prefix, watch: new DuplicateWatch(millis(stream.duplicate_window)), log });
}

interface NatsBusDependencies {
  link: NatsLink;
  requests: NatsRequests;
  streamName: string;
  prefix: string;
  watch: DuplicateWatch;
  log: BusLog;
}

class NatsBus implements Bus {
  private readonly deps: NatsBusDependencies;
  private readonly source: NatsSource;
  private readonly subscriptions = new SubscriptionSet();
  private closing: Promise<void> | undefined;

  constructor(deps: NatsBusDependencies) {
    this.deps = deps;
    this.source = new NatsSource(deps.link, deps.streamName);
  }

  async publish(envelopes: readonly ChangeEnvelope[]): Promise<void> {
    const { link, streamName, prefix } = this.deps;
    try {
      this.throwIfClosing();
    } catch (error) {
      throw new PublishError('The message bus is closed.', 0, { cause: error });
    }
    const missing = await this.missing(envelopes);
    try {
      await publishInOrder(link, streamName, prefix, missing);
      this.deps.watch.noteStored(envelopes.length);
    } catch (error) {
      const first = error instanceof PublishError ? missing[error.storedCount] : missing[0];
      const storedCount = first === undefined ? 0 : envelopes.indexOf(first);
      this.deps.watch.noteStored(storedCount);
      throw new PublishError(errorText(error), storedCount, { cause: error instanceof PublishError ? error.cause : error });
    }
  }

  /** Returns the messages without those that an earlier attempt stored before the duplicate window. */
  private async missing(envelopes: readonly ChangeEnvelope[]): Promise<readonly ChangeEnvelope[]> {
    const { link, streamName, watch } = this.deps;
    if (!watch.needsLook(envelopes)) return envelopes;
    try {
      const stored = await storedAmong(link.streamSession(), streamName, envelopes);
      return envelopes.filter(({ id }) => !stored.has(id));
    } catch (error) {
      throw new PublishError(`It could not be found out which messages are stored: ${errorText(error)}`, 0, { cause: error });
    }
  }

  async subscribe(options: SubscribeOptions): Promise<Subscription> {
    this.throwIfClosing();
    const start = await findStart(options.from, async () => await this.source.state());
    return this.add(subscribeFrom(this.source, start, options, this.deps.log));
  }

  async consume(options: ConsumeOptions): Promise<Subscription> {
    this.throwIfClosing();
    if (options.position !== null) checkPosition(options.position);
    return await this.add(consumeFrom(this.source, options, this.deps.log));
  }

  async streamState(): Promise<StreamState> {
    this.throwIfClosing();
    return await this.source.state();
  }

  async streamUsage(): Promise<StreamUsage | undefined> {
    this.throwIfClosing();
    return await this.source.usage();
  }

  async request(subject: string, body: unknown, options: RequestOptions): Promise<unknown> {
    this.throwIfClosing();
    return await this.deps.requests.request(subject, body, options);
  }

  async respond(subject: string, handle: (body: unknown) => Promise<unknown>): Promise<Subscription> {
    this.throwIfClosing();
    return await this.add(await this.deps.requests.respond(subject, handle));
  }

  signal(subject: string): void {
    this.deps.requests.signal(subject);
  }

  async onSignal(subject: string, listen: () => void): Promise<Subscription> {
    this.throwIfClosing();
    return await this.add(await this.deps.requests.onSignal(subject, listen));
  }

  status(): BusStatus {
    return this.deps.link.status();
  }

  close(): Promise<void> {
    this.closing ??= (async () => {
      await this.subscriptions.stopAll();
      await this.deps.link.close();
    })();
    return this.closing;
  }

  /** Stops the subscription if `close` began meanwhile: it is not in the set that `close` stops. */
  private async add(subscription: Subscription): Promise<Subscription> {
    if (this.closing === undefined) return this.subscriptions.add(subscription);
    await subscription.stop();
    throw new BusUnavailableError('The message bus is closed.');
  }

  private throwIfClosing(): void {
    if (this.closing !== undefined) throw new BusUnavailableError('The message bus is closed.');
  }
}
