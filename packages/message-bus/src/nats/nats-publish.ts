import { abortable } from '@sinebar/concurrency';
import { JetStreamApiError, type ApiError, type JetStreamClient, type PubAck } from '@nats-io/jetstream';
import { errors, headers, nuid, type MsgHdrs } from '@nats-io/transport-node';
import { eventSubject, type ChangeEnvelope } from '@sinebar/contracts';
import { PublishError } from '../bus.js';
import { asError, errorText } from '../bus-log.js';
import type { NatsLink, Session } from './nats-link.js';
import type { OrderGuard } from './nats-stream.js';

/** Most messages that are sent before acknowledgements are awaited. */
const WINDOW_MESSAGES = 500;
const WINDOW_BYTES = 4 * 1024 * 1024;
/** Fewer messages are stored sooner one by one than as a batch, which makes files in a broker without copies. */
const LEAST_BATCH = 20;
const ACK_TIMEOUT_MS = 5_000;
/** Bytes reserved for the headers, which count against the broker's limit as well. */
const HEADER_BYTES = 512;

const ANOTHER_IS_LAST = 10070;
const ID_UNDER_WAY = 10158;
const BATCH_HOLDS_DUPLICATE = 10201;
/** Refusals of a batch that do not concern its messages: already in progress, too many requests or batches at a time. */
const PASSING: ReadonlySet<number> = new Set([ID_UNDER_WAY, 10167, 10210]);

interface OutgoingMessage {
  id: string;
  subject: string;
  payload: Uint8Array;
  /** W3C trace context of the change. */
  traceparent: string | undefined;
}

/**
 * Stores the messages in order, many in flight at a time, window by window.
 * Without guards a message could be lost (a cluster changes its leader) while a later one is stored, and its retry would follow that one
 * (docs/decisions/0013-order-of-events.md).
 * @throws PublishError
 */
export async function publishInOrder(
  link: Pick<NatsLink, 'streamSession' | 'streamMissing'>,
  streamName: string,
  prefix: string,
  envelopes: readonly ChangeEnvelope[],
): Promise<void> {
  let storedCount = 0;
  try {
    while (storedCount < envelopes.length) {
      const session = link.streamSession();
      const window = nextWindow(envelopes, storedCount, prefix, session.nc.info?.max_payload ?? Number.POSITIVE_INFINITY);
      const { acknowledged, failure } = await SEND[session.guard](session, streamName, window);
      storedCount += acknowledged;
      if (failure === undefined) continue;
      if (isAnotherStream(failure)) link.streamMissing(session);
      throw failure;
    }
  } catch (error) {
    throw new PublishError(`The messages could not be stored: ${errorText(error)}`, storedCount, { cause: error });
  }
}

/**
 * Returns the next window. A message that cannot be sent ends it, so that no later one is stored first. @throws when it is the first one.
 */
function nextWindow(envelopes: readonly ChangeEnvelope[], start: number, prefix: string, limitBytes: number): OutgoingMessage[] {
  const window: OutgoingMessage[] = [];
  let bytes = 0;
  for (const envelope of envelopes.slice(start, start + WINDOW_MESSAGES)) {
    try {
      const message = encode(envelope, prefix, limitBytes);
      bytes += message.payload.length;
      if (window.length > 0 && bytes > WINDOW_BYTES) break;
      window.push(message);
    } catch (error) {
      if (window.length === 0) throw error;
      break;
    }
  }
  return window;
}

function encode(envelope: ChangeEnvelope, prefix: string, limitBytes: number): OutgoingMessage {
  const { id, type, traceparent } = envelope;
  const payload = Buffer.from(JSON.stringify(envelope));
  if (payload.length + HEADER_BYTES > limitBytes) {
    throw new Error(`message ${id} has ${payload.length} bytes; the broker takes ${limitBytes} with headers`);
  }
  return { id, subject: prefix + eventSubject(type), payload, traceparent };
}

type Outcome = { acknowledged: number; failure?: Error };

/**
 * Sends each message but the first with the condition that the previous one is the last of the stream.
 * After a gap, or a message of another publisher, the broker refuses the rest, and the next window continues there.
 * Only for a stream without copies: with copies the broker remembers the id of a refused message and would take its retry for a duplicate.
 */
async function sendChain({ js, lost }: Session, streamName: string, window: OutgoingMessage[]): Promise<Outcome> {
  const outcomes: (true | Error | undefined)[] = window.map(() => undefined);
  const acks = window.map(async (message, index) => {
    try {
      await store(js, streamName, message, window[index - 1]?.id);
      outcomes[index] = true;
    } catch (error) {
      outcomes[index] = asError(error);
    }
  });
  let interruption: Error | undefined;
  try {
    await abortable(Promise.all(acks), lost);
  } catch (error) {
    interruption = asError(error);
  }
  const firstMissing = outcomes.findIndex((outcome) => outcome !== true);
  if (firstMissing === -1) return { acknowledged: window.length };
  const outcome = outcomes[firstMissing];
  if (firstMissing > 0 && codeOf(outcome) === ANOTHER_IS_LAST) return { acknowledged: firstMissing };
  return { acknowledged: firstMissing, failure: interruption ?? (outcome instanceof Error ? outcome : new Error('no acknowledgement')) };
}

function sendChainOrBatch(session: Session, streamName: string, window: OutgoingMessage[]): Promise<Outcome> {
  return (window.length < LEAST_BATCH ? sendChain : sendBatch)(session, streamName, window);
}

/**
 * Sends the window as one atomic batch.
 * A batch fails with duplicates of an earlier attempt, or with a refused or lost message. Its messages are then sent one by one, which
 * shows which are stored and which fail.
 */
async function sendBatch(session: Session, streamName: string, window: OutgoingMessage[]): Promise<Outcome> {
  const last = window.at(-1);
  if (window.length === 1 || last === undefined) return await sendSingly(session, streamName, window);
  const { nc, lost } = session;
  const batch = nuid.next();
  try {
    window.slice(0, -1).forEach((message, index) => {
      nc.publish(message.subject, message.payload, { headers: batchHeaders(message, batch, index + 1) });
    });
    const fields = batchHeaders(last, batch, window.length);
    fields.set('Nats-Batch-Commit', '1');
    const reply = await abortable(nc.request(last.subject, last.payload, { headers: fields, timeout: ACK_TIMEOUT_MS }), lost);
    const answer = reply.json<{ count?: number; error?: ApiError }>();
    if (answer.error) throw new JetStreamApiError(answer.error);
    if (answer.count === window.length) return { acknowledged: window.length };
    return { acknowledged: 0, failure: new Error('the broker did not take the messages for one batch') };
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined || PASSING.has(code)) return { acknowledged: 0, failure: asError(error) };
    return await sendSingly(session, streamName, window, { onlyDuplicates: code === BATCH_HOLDS_DUPLICATE });
  }
}

function batchHeaders({ id, traceparent }: OutgoingMessage, batch: string, place: number): MsgHdrs {
  const fields = contentHeaders(traceparent);
  fields.set('Nats-Msg-Id', id);
  fields.set('Nats-Batch-Id', batch);
  fields.set('Nats-Batch-Sequence', String(place));
  return fields;
}

/** @param onlyDuplicates end after the first message that the stream did not have yet */
async function sendSingly(
  { js, lost }: Session,
  streamName: string,
  window: OutgoingMessage[],
  { onlyDuplicates = false } = {},
): Promise<Outcome> {
  let acknowledged = 0;
  try {
    for (const message of window) {
      const { duplicate } = await abortable(store(js, streamName, message), lost);
      acknowledged += 1;
      if (onlyDuplicates && !duplicate) break;
    }
    return { acknowledged };
  } catch (error) {
    return { acknowledged, failure: asError(error) };
  }
}

async function store(
  js: JetStreamClient,
  streamName: string,
  { id, subject, payload, traceparent }: OutgoingMessage,
  lastMsgID?: string,
): Promise<PubAck> {
  const expect = { streamName, ...(lastMsgID !== undefined && { lastMsgID }) };
  const ack = await js.publish(subject, payload, { msgID: id, headers: contentHeaders(traceparent), timeout: ACK_TIMEOUT_MS, expect });
  // Brokers before 2.11 so acknowledge a duplicate of a message that they have not stored yet and may lose.
  if (ack.seq === 0) throw new Error(`message ${id} is under way in the broker, but not stored`);
  return ack;
}

function contentHeaders(traceparent: string | undefined): MsgHdrs {
  const fields = headers();
  fields.set('Content-Type', 'application/cloudevents+json');
  if (traceparent !== undefined) fields.set('traceparent', traceparent);
  return fields;
}

function codeOf(error: unknown): number | undefined {
  return error instanceof JetStreamApiError ? error.code : undefined;
}

const SEND: Record<OrderGuard, (session: Session, streamName: string, window: OutgoingMessage[]) => Promise<Outcome>> = {
  chain: sendChain,
  chainOrBatch: sendChainOrBatch,
  batch: sendBatch,
  single: sendSingly,
};

/** Whether nobody listens to the subject (the stream is missing, or its cluster has no leader), or the stream expects other messages. */
function isAnotherStream(error: Error): boolean {
  const { cause = error } = error;
  return (cause instanceof errors.RequestError && cause.isNoResponders()) || codeOf(error) === ID_UNDER_WAY;
}
