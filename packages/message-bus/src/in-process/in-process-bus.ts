import { setMaxListeners } from 'node:events';
import { Notifier } from '@sinebar/concurrency';
import { type ChangeEnvelope, eventSubject } from '@sinebar/contracts';
import {
  BusUnavailableError,
  PublishError,
  type Bus,
  type BusStatus,
  type ConsumeOptions,
  type RequestOptions,
  type StreamPosition,
  type StreamState,
  type StreamUsage,
  type SubscribeOptions,
  type Subscription,
} from '../bus.ts';
import { errorText, SILENT_LOG, type BusLog } from '../bus-log.ts';
import { consumeFrom, isExpired, ReaderEnded, subscribeFrom, type MessageReader, type StreamSource } from '../delivery.ts';
import { InProcessRequests } from './in-process-requests.ts';
import type { LoggedMessage, MessageLog } from './message-log.ts';
import { RecentMessages } from './recent-messages.ts';
import { checkPosition, findStart, SubscriptionSet } from '../subscriptions.ts';

export interface InProcessBusOptions {
  /** The log, which only this bus uses while it is open. */
  log: MessageLog;
  /** Minimum time between two trims of the log, which happen after a publication; default 60,000. */
  trimIntervalMs?: number;
  /** Maximum messages that each subscriber holds in memory; default 100. */
  pageSize?: number;
  report?: BusLog;
}

/** A bus for services in one process. Each subscriber reads the log at its own pace, so that a slow one costs no memory. */
export function createInProcessBus(options: InProcessBusOptions): Bus {
  return new InProcessBus(options);
}

class InProcessBus implements Bus {
  private readonly log: MessageLog;
  private readonly report: BusLog;
  private readonly trimIntervalMs: number;
  private readonly source: LogSource;
  private readonly requests: InProcessRequests;
  private readonly subscriptions = new SubscriptionSet();
  private readonly closed = new AbortController();
  private readonly appended = new Notifier();
  private readonly recent = new RecentMessages();
  /** The last append or trim; they must not overlap. */
  private writing: Promise<void> = Promise.resolve();
  private trimmedAtMs = Date.now();

  constructor({ log, trimIntervalMs = 60_000, pageSize = 100, report = SILENT_LOG }: InProcessBusOptions) {
    // Each open request listens to the signal; their number is no sign of a leak.
    setMaxListeners(0, this.closed.signal);
    this.log = log;
    this.report = report;
    this.trimIntervalMs = trimIntervalMs;
    this.source = new LogSource({ log, pageSize, appended: this.appended, recent: this.recent });
    this.requests = new InProcessRequests(report);
  }

  async publish(envelopes: readonly ChangeEnvelope[]): Promise<void> {
    try {
      this.throwIfClosed();
      // Refuses the same event names as the broker.
      for (const { type } of envelopes) eventSubject(type);
      if (envelopes.length === 0) return;
      await this.write(async () => {
        this.recent.note(envelopes, await this.log.append(envelopes));
      });
    } catch (error) {
      this.recent.clear();
      throw new PublishError(`The messages could not be stored: ${errorText(error)}`, 0, { cause: error });
    } finally {
      // Also after a failure: the messages may be stored although the answer was lost.
      this.appended.notify();
    }
    this.trimNowAndThen();
  }

  async subscribe(options: SubscribeOptions): Promise<Subscription> {
    this.throwIfClosed();
    const start = await findStart(options.from, async () => await this.streamState());
    this.throwIfClosed();
    return this.subscriptions.add(subscribeFrom(this.source, start, options, this.report));
  }

  consume(options: ConsumeOptions): Promise<Subscription> {
    return this.register(() => {
      if (options.position !== null) checkPosition(options.position);
      return consumeFrom(this.source, options, this.report);
    });
  }

  async streamState(): Promise<StreamState> {
    this.throwIfClosed();
    try {
      return await this.log.state();
    } catch (error) {
      throw new BusUnavailableError('The event log cannot be read.', error);
    }
  }

  async streamUsage(): Promise<StreamUsage | undefined> {
    this.throwIfClosed();
    return await this.log.usage?.();
  }

  async request(subject: string, body: unknown, options: RequestOptions): Promise<unknown> {
    this.throwIfClosed();
    return await this.requests.request(subject, body, options, this.closed.signal);
  }

  respond(subject: string, handle: (body: unknown) => Promise<unknown>): Promise<Subscription> {
    return this.register(() => this.requests.respond(subject, handle));
  }

  signal(subject: string): void {
    this.requests.signal(subject);
  }

  onSignal(subject: string, listen: () => void): Promise<Subscription> {
    return this.register(() => this.requests.onSignal(subject, listen));
  }

  status(): BusStatus {
    return this.closed.signal.aborted
      ? { connected: false, description: 'The message bus is closed.' }
      : { connected: true, description: 'Messages are exchanged inside this process.' };
  }

  async close(): Promise<void> {
    this.closed.abort(new BusUnavailableError('The message bus is closed.'));
    await this.subscriptions.stopAll();
    await this.writing;
  }

  /** A mistake in the arguments becomes a rejection like any other failure. */
  private register(create: () => Subscription): Promise<Subscription> {
    return new Promise((resolve) => {
      this.throwIfClosed();
      resolve(this.subscriptions.add(create()));
    });
  }

  private write(work: () => Promise<void>): Promise<void> {
    const result = this.writing.then(work);
    this.writing = result.catch(() => undefined);
    return result;
  }

  private trimNowAndThen(): void {
    if (Date.now() - this.trimmedAtMs < this.trimIntervalMs) return;
    this.trimmedAtMs = Date.now();
    this.write(async () => await this.log.trim())
      .then(() => this.appended.notify())
      .catch((error: unknown) => this.report.error({ error: errorText(error) }, 'the event log could not be trimmed'));
  }

  private throwIfClosed(): void {
    this.closed.signal.throwIfAborted();
  }
}

interface LogSourceDependencies {
  log: MessageLog;
  pageSize: number;
  appended: Notifier;
  recent: RecentMessages;
}

class LogSource implements StreamSource {
  private readonly deps: LogSourceDependencies;

  constructor(deps: LogSourceDependencies) {
    this.deps = deps;
  }

  whenReady(): Promise<void> {
    return Promise.resolve();
  }

  async state(): Promise<StreamState> {
    return await this.deps.log.state();
  }

  openReader(position: StreamPosition, _name: string, signal: AbortSignal): Promise<MessageReader> {
    const { log, pageSize, appended, recent } = this.deps;
    let reached = position;
    let page: LoggedMessage[] = [];
    const next: MessageReader['next'] = async () => {
      while (!signal.aborted) {
        const message = page.shift() ?? recent.after(reached.sequence);
        if (message !== undefined) {
          reached = { epoch: reached.epoch, sequence: message.sequence };
          return { position: reached, envelope: message.envelope };
        }
        const { version } = appended;
        if (!recent.endAt(reached.sequence)) {
          const { state, messages } = await log.read(reached.sequence, pageSize);
          if (isExpired(reached, state)) throw new ReaderEnded('messages were removed from the event log');
          page = messages;
        }
        if (page.length === 0) await appended.waitFor(version, signal);
      }
      return undefined;
    };
    return Promise.resolve({ next, close: () => undefined });
  }
}
