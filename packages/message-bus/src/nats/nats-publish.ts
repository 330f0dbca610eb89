import { abortable } from '@sinebar/concurrency';
import { JetStreamApiError, type ApiError, type JetStreamClient, type PubAck } from '@nats-io/jetstream';
import { errors, headers, nuid, type MsgHdrs } from '@nats-io/transport-node';
import { eventSubject, type ChangeEnvelope } from '@sinebar/contracts';
import { PublishError } from '../bus.ts';
import { asError, errorText } from '../bus-log.ts';
import type { NatsLink, Session } from './nats-link.ts';

/** Maximum size of a batch. */
const WINDOW_MESSAGES = 500;
const WINDOW_BYTES = 4 * 1024 * 1024;
const ACK_TIMEOUT_MS = 5_000;
/** Reserve for the headers, which count against the broker's limit as well. */
const HEADER_BYTES = 512;

// Error codes of JetStream.
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
 * Stores the messages in order: as atomic batches, or one by one.
 * With several single messages in flight, one could be lost (a cluster changes its leader) while a later one is stored; sent again, it
 * would follow the later one (docs/decisions/0013-order-of-events.md).
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
      const send = window.length < session.leastBatch ? sendSingly : sendBatch;
      const { acknowledged, failure } = await send(session, streamName, window);
      storedCount += acknowledged;
      if (failure === undefined) continue;
      if (isAnotherStream(failure)) link.streamMissing(session);
      throw failure;
    }
  } catch (error) {
    throw new PublishError(`The messages could not be stored: ${reasonOf(error)}`, storedCount, { cause: error });
  }
}

/** A broker whose disk is full answers nothing. */
function reasonOf(error: unknown): string {
  if (!(error instanceof errors.TimeoutError)) return errorText(error);
  return `the message broker did not confirm them within ${ACK_TIMEOUT_MS / 1000} s. Its log has the reason, for example a full disk`;
}

/** Ends the window before a message that cannot be sent, so that no later one is stored first. @throws when it is the first one */
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
 * Sends the window as one atomic batch: all of it is stored or nothing.
 * A batch is refused when it holds a duplicate (an earlier acknowledgement was lost) or is incomplete (a message was lost or refused). Its
 * messages are then sent one by one, which shows the state of each.
 */
async function sendBatch(session: Session, streamName: string, window: OutgoingMessage[]): Promise<Outcome> {
  const last = window.at(-1) as OutgoingMessage;
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
    // One of the subjects is forbidden: those before it can be stored.
    if (error instanceof errors.PermissionViolationError) return await sendSingly(session, streamName, window);
    const code = codeOf(error);
    if (code === undefined || PASSING.has(code)) return { acknowledged: 0, failure: asError(error) };
    return await sendSingly(session, streamName, window, { onlyDuplicates: code === BATCH_HOLDS_DUPLICATE });
  }
}

function batchHeaders({ id, traceparent }: OutgoingMessage, batch: string, sequence: number): MsgHdrs {
  const fields = contentHeaders(traceparent);
  fields.set('Nats-Msg-Id', id);
  fields.set('Nats-Batch-Id', batch);
  fields.set('Nats-Batch-Sequence', String(sequence));
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

async function store(js: JetStreamClient, streamName: string, { id, subject, payload, traceparent }: OutgoingMessage): Promise<PubAck> {
  const options = { msgID: id, headers: contentHeaders(traceparent), timeout: ACK_TIMEOUT_MS, expect: { streamName } };
  const ack = await js.publish(subject, payload, options);
  // Brokers before 2.11 acknowledge a duplicate so when the message is not stored yet and may still be lost.
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

/** True if the subject has no listener (the stream was removed, or its cluster has no leader), or may have changed its kind. */
function isAnotherStream(error: Error): boolean {
  const { cause = error } = error;
  return (cause instanceof errors.RequestError && cause.isNoResponders()) || codeOf(error) === ID_UNDER_WAY;
}
