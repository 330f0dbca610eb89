import { abortable } from '@sinebar/concurrency';
import type { ConsumerConfig } from '@nats-io/jetstream';
import { createInbox, nanos, nuid, type Msg, type Subscription as CoreSubscription } from '@nats-io/transport-node';
import type { ChangeEnvelope } from '@sinebar/contracts';
import type { StreamPosition } from '../bus.ts';
import { ReaderEnded, type MessageReader } from '../delivery.ts';
import type { Session } from './nats-link.ts';
import { readStreamState } from './nats-stream.ts';

/** Maximum messages of one request to the broker; the next request is sent when fewer than REFILL_AT are left. */
const BATCH = 2000;
const REFILL_AT = 1000;
const MAX_BATCH_BYTES = 8 * 1024 * 1024;
const REQUEST_EXPIRES_MS = 30_000;
const HEARTBEAT_MS = 1_000;
/**
 * Number of consecutive missed heartbeats after which the server of the consumer counts as lost, and the request with it.
 * A timer counts them, and it is late when this process was busy.
 */
const MISSED_HEARTBEATS = 3;
/** Time without a reader after which the broker removes a consumer, for example after a crash of this process. */
const INACTIVE_MS = 120_000;

/**
 * Opens an ordered reader after `position`: a consumer without acknowledgements, whose messages are counted here.
 * The ordered consumer of the client library continues silently in a stream that was created again, and requests more messages on every
 * missed heartbeat while a handler is slow. This one ends on every irregularity, so that its caller reads the state of the stream again.
 * It holds about one batch in memory.
 * @throws ReaderEnded when the stream is no longer the one of `position`; errors of the broker
 */
export async function openNatsReader(
  session: Session,
  stream: string,
  position: StreamPosition,
  name: string,
  signal: AbortSignal,
): Promise<MessageReader> {
  const config: Partial<ConsumerConfig> = {
    name: `${name.replace(/[^A-Za-z0-9_-]/g, '_')}_${nuid.next()}`,
    deliver_policy: 'by_start_sequence',
    opt_start_seq: position.sequence + 1,
    ack_policy: 'none',
    inactive_threshold: nanos(INACTIVE_MS),
    mem_storage: true,
    num_replicas: 1,
  };
  const { name: consumer } = await abortable(session.jsm.consumers.add(stream, config), session.lost);
  const reader = new NatsReader(session, stream, consumer, position.epoch, signal);
  try {
    // A stream that is created again loses its consumers: read in this order, consumer and epoch belong together.
    const { epoch } = await abortable(readStreamState(session.jsm, stream), session.lost);
    if (epoch !== position.epoch) throw new ReaderEnded('the event stream was made anew');
    reader.start();
    return reader;
  } catch (error) {
    reader.close();
    throw error;
  }
}

interface ReadMessage {
  position: StreamPosition;
  envelope: ChangeEnvelope | undefined;
}

class NatsReader implements MessageReader {
  private readonly session: Session;
  private readonly stream: string;
  private readonly consumer: string;
  private readonly epoch: string;
  private readonly signal: AbortSignal;
  private readonly inbox = createInbox();
  private queue: { message: Msg; streamSequence: number }[] = [];
  private subscription: CoreSubscription | undefined;
  private watchdog: NodeJS.Timeout | undefined;
  private wake: (() => void) | undefined;
  private ended: Error | undefined;
  private requests = 0;
  /** Messages that the current request may still return; 0 without a request. */
  private outstanding = 0;
  private limitBytes = true;
  private delivered = 0;
  private missedHeartbeats = 0;

  constructor(session: Session, stream: string, consumer: string, epoch: string, signal: AbortSignal) {
    this.session = session;
    this.stream = stream;
    this.consumer = consumer;
    this.epoch = epoch;
    this.signal = signal;
  }

  start(): void {
    const { nc, lost } = this.session;
    lost.addEventListener('abort', this.onLost);
    this.signal.addEventListener('abort', this.onStop);
    this.subscription = nc.subscribe(`${this.inbox}.*`, {
      callback: (error, message) => {
        if (error) this.end(error);
        else this.receive(message);
      },
    });
    this.watchdog = setInterval(() => {
      this.missedHeartbeats += 1;
      // The heartbeat that is due now may be in transit.
      if (this.outstanding > 0 && this.missedHeartbeats > MISSED_HEARTBEATS) this.end(new ReaderEnded('the broker is silent'));
    }, HEARTBEAT_MS);
    this.requestMore();
    if (lost.aborted) this.onLost();
  }

  next(): ReadMessage | undefined | Promise<ReadMessage | undefined> {
    if (this.signal.aborted) return undefined;
    const next = this.queue.shift();
    if (next !== undefined) {
      this.requestMore();
      return { position: { epoch: this.epoch, sequence: next.streamSequence }, envelope: readEnvelope(next.message) };
    }
    // After the queue: everything received before the end is in order and complete.
    if (this.ended !== undefined) throw this.ended;
    return new Promise<void>((resolve) => (this.wake = resolve)).then(() => {
      this.wake = undefined;
      return this.next();
    });
  }

  close(): void {
    clearInterval(this.watchdog);
    this.session.lost.removeEventListener('abort', this.onLost);
    this.signal.removeEventListener('abort', this.onStop);
    this.queue = [];
    this.ended ??= new ReaderEnded('closed');
    const { nc, jsm, lost } = this.session;
    if (lost.aborted || nc.isClosed()) return;
    this.subscription?.unsubscribe();
    // Optional: the broker removes an unused consumer after a while.
    jsm.consumers.delete(this.stream, this.consumer).catch(() => undefined);
  }

  private readonly onLost = () => this.end(new ReaderEnded('the connection was lost'));
  private readonly onStop = () => this.wake?.();

  private receive(message: Msg): void {
    if (this.ended !== undefined) return;
    this.missedHeartbeats = 0;
    const { reply = '' } = message;
    // Status messages of the broker need no acknowledgement.
    if (reply === '') {
      this.receiveStatus(message);
      return;
    }
    this.delivered += 1;
    const { streamSequence, consumerSequence } = deliveryOf(reply);
    if (consumerSequence !== this.delivered) {
      this.end(new ReaderEnded('a message was lost on the way'));
      return;
    }
    this.queue.push({ message, streamSequence });
    this.outstanding = Math.max(0, this.outstanding - 1);
    this.requestMore();
    this.wake?.();
  }

  private receiveStatus(message: Msg): void {
    // The end of an earlier request does not concern the current one.
    if (message.subject !== `${this.inbox}.${this.requests}`) return;
    const code = message.headers?.code ?? 0;
    const description = message.headers?.description.toLowerCase() ?? '';
    if (code === 100) return;
    if (code === 404 || code === 408) {
      this.outstanding = 0;
      this.requestMore();
    } else if (code === 409 && description.includes('message size exceeds maxbytes')) {
      // The limit was reached, or the next message alone exceeds it.
      if (this.outstanding === BATCH) this.limitBytes = false;
      this.outstanding = 0;
      this.requestMore();
    } else {
      this.end(new ReaderEnded(`the broker ended the delivery: ${code} ${description}`));
    }
  }

  /** Sends one request at a time, only when there is room: memory stays constant with a slow handler. */
  private requestMore(): void {
    if (this.outstanding > 0 || this.queue.length >= REFILL_AT || this.ended !== undefined) return;
    this.requests += 1;
    this.outstanding = BATCH;
    this.missedHeartbeats = 0;
    const request = {
      batch: BATCH,
      ...(this.limitBytes ? { max_bytes: MAX_BATCH_BYTES } : {}),
      expires: nanos(REQUEST_EXPIRES_MS),
      idle_heartbeat: nanos(HEARTBEAT_MS),
    };
    const subject = `${this.session.js.apiPrefix}.CONSUMER.MSG.NEXT.${this.stream}.${this.consumer}`;
    try {
      this.session.nc.publish(subject, JSON.stringify(request), { reply: `${this.inbox}.${this.requests}` });
    } catch (error) {
      this.end(new ReaderEnded('the connection is closed', { cause: error }));
    }
  }

  private end(error: Error): void {
    this.ended ??= error;
    this.wake?.();
  }
}

/**
 * Reads the reply subject of a message from a consumer, which has one of two forms:
 * `$JS.ACK.<stream>.<consumer>.<deliveries>.<stream sequence>.<consumer sequence>.<time>.<pending>`,
 * or with `<domain>.<account>` before the stream.
 */
function deliveryOf(reply: string): { streamSequence: number; consumerSequence: number } {
  // Counted from the end, where both forms are alike, and without a split: this runs for every message.
  const pending = reply.lastIndexOf('.');
  const time = reply.lastIndexOf('.', pending - 1);
  const consumer = reply.lastIndexOf('.', time - 1);
  const stream = reply.lastIndexOf('.', consumer - 1);
  return { streamSequence: Number(reply.slice(stream + 1, consumer)), consumerSequence: Number(reply.slice(consumer + 1, time)) };
}

/** The client library passes on the Buffer of the socket, whose own method is the fastest for short texts. */
function utf8(bytes: Uint8Array): string {
  return (bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)).toString();
}

/** @returns `undefined` for a message that is no change event */
function readEnvelope(message: Msg): ChangeEnvelope | undefined {
  try {
    const body: unknown = JSON.parse(utf8(message.data));
    return typeof body === 'object' && body !== null && 'id' in body && 'type' in body && 'data' in body
      ? (body as ChangeEnvelope)
      : undefined;
  } catch {
    return undefined;
  }
}
