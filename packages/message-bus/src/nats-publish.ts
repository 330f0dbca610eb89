import { errors, headers } from '@nats-io/transport-node';
import { eventSubject, type ChangeEnvelope } from '@sinebar/contracts';
import { PublishError } from './bus.js';
import { asError, errorText } from './bus-log.js';
import type { NatsLink, Session } from './nats-link.js';
import { within } from './waiting.js';

/** How much is under way before the acknowledgements are waited for. */
const WINDOW_MESSAGES = 500;
const WINDOW_BYTES = 4 * 1024 * 1024;
const ACK_TIMEOUT_MS = 5_000;
/** Room for the headers, which count against the broker's limit as well. */
const HEADER_BYTES = 512;

interface OutgoingMessage {
  id: string;
  subject: string;
  payload: Uint8Array;
}

/**
 * Stores the messages in order, many under way at a time. A window is written within one turn of the event loop: a connection that breaks then cuts off
 * its end but leaves no hole.
 * @throws PublishError
 */
export async function publishInOrder(
  link: NatsLink,
  streamName: string,
  prefix: string,
  envelopes: readonly ChangeEnvelope[],
): Promise<void> {
  let storedCount = 0;
  try {
    while (storedCount < envelopes.length) {
      const session = link.streamSession();
      const window = nextWindow(envelopes, storedCount, prefix, session.nc.info?.max_payload ?? Number.POSITIVE_INFINITY);
      const { acknowledged, failure } = await publishWindow(session, streamName, window);
      storedCount += acknowledged;
      if (failure === undefined) continue;
      if (isWithoutStream(failure)) link.streamMissing(session);
      throw failure;
    }
  } catch (error) {
    throw new PublishError(`The messages could not be stored: ${errorText(error)}`, storedCount, { cause: error });
  }
}

/** A message that cannot be sent ends the window before it, so that none behind it is stored first. @throws when it is the first one. */
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
  const { id, type } = envelope;
  const payload = Buffer.from(JSON.stringify(envelope));
  if (payload.length + HEADER_BYTES > limitBytes) {
    throw new Error(`message ${id} has ${payload.length} bytes; the broker takes ${limitBytes} with headers`);
  }
  return { id, subject: prefix + eventSubject(type), payload };
}

async function publishWindow(
  { js, lost }: Session,
  streamName: string,
  window: OutgoingMessage[],
): Promise<{ acknowledged: number; failure?: Error }> {
  const outcomes: (true | Error | undefined)[] = window.map(() => undefined);
  const acks = window.map(async ({ id, subject, payload }, index) => {
    try {
      const fields = headers();
      fields.set('Content-Type', 'application/cloudevents+json');
      await js.publish(subject, payload, { msgID: id, headers: fields, timeout: ACK_TIMEOUT_MS, expect: { streamName } });
      outcomes[index] = true;
    } catch (error) {
      outcomes[index] = asError(error);
    }
  });
  let interruption: Error | undefined;
  try {
    await within(Promise.all(acks), { signals: [lost] });
  } catch (error) {
    interruption = asError(error);
  }
  const firstMissing = outcomes.findIndex((outcome) => outcome !== true);
  if (firstMissing === -1) return { acknowledged: window.length };
  const outcome = outcomes[firstMissing];
  return { acknowledged: firstMissing, failure: interruption ?? (outcome instanceof Error ? outcome : new Error('no acknowledgement')) };
}

/** Nobody listens to the subject: the stream is gone, or its cluster has no leader. */
function isWithoutStream(error: Error): boolean {
  return error.cause instanceof errors.RequestError && error.cause.isNoResponders();
}
