import { JsonHubProtocol, MessageType, NullLogger, type HubMessage } from '@microsoft/signalr';
import type { ChangeEnvelope, EventName, EventPayloads } from '@sinebar/contracts';
import type { StreamPosition } from '@sinebar/message-bus';
import { metaOf } from '../dispatch/resume-point.ts';

/** Ends every message, those of the handshake included. */
const RECORD_SEPARATOR = '\u001e';
const SEPARATOR_BYTE = 0x1e;
/** Maximum bytes of one message from a client, without its terminator (spec: signalr.md, Messages). */
const MAX_MESSAGE_BYTES = 32 * 1024;
/** Version 2 differs only where both sides negotiated stateful reconnects, which this server does not offer. */
const PROTOCOL_VERSIONS = [1, 2];
const MAX_NAME_LENGTH = 100;

const protocol = new JsonHubProtocol();

/** Thrown for an invalid message of a client; the text is sent to the client. */
export class HubProtocolError extends Error {
  override readonly name = 'HubProtocolError';
}

/** Assembles messages from pieces of any size. */
export class MessageReader {
  private rest: Buffer = Buffer.alloc(0);

  /** Reads a piece. @returns the complete messages with their terminators. @throws HubProtocolError when one is too large */
  read(piece: Buffer): string[] {
    const bytes = this.rest.length === 0 ? piece : Buffer.concat([this.rest, piece]);
    const messages: string[] = [];
    let from = 0;
    for (let end = bytes.indexOf(SEPARATOR_BYTE); end >= 0; end = bytes.indexOf(SEPARATOR_BYTE, from)) {
      checkSize(end - from);
      messages.push(bytes.toString('utf8', from, end + 1));
      from = end + 1;
    }
    checkSize(bytes.length - from);
    this.rest = Buffer.from(bytes.subarray(from));
    return messages;
  }
}

/** Checks a handshake. @returns the problem for the client, `undefined` for a valid one */
export function handshakeProblem(message: string): string | undefined {
  const { protocol: name, version } = handshakeOf(message) ?? {};
  if (typeof name !== 'string' || typeof version !== 'number')
    return 'The handshake must be a JSON object with the text protocol and the number version.';
  if (name.toLowerCase() !== protocol.name) return `The protocol '${name.slice(0, MAX_NAME_LENGTH)}' is not supported.`;
  if (!PROTOCOL_VERSIONS.includes(version)) return `The server does not support version ${version} of the '${protocol.name}' protocol.`;
  return undefined;
}

/** @param problem result of {@link handshakeProblem} */
export function handshakeAnswer(problem: string | undefined): string {
  return `${JSON.stringify(problem === undefined ? {} : { error: problem })}${RECORD_SEPARATOR}`;
}

/** Parses a message. @throws HubProtocolError when it is invalid */
export function parseMessage(message: string): HubMessage[] {
  try {
    return protocol.parseMessages(message, NullLogger.instance);
  } catch (error) {
    throw new HubProtocolError('Connection closed with an error.', { cause: error });
  }
}

/** Answers a method call: a hub for events has no methods. */
export function noSuchMethod(invocationId: string, target: string): string {
  const error = `Failed to invoke '${target.slice(0, MAX_NAME_LENGTH)}'. Method does not exist.`;
  return protocol.writeMessage({ type: MessageType.Completion, invocationId, error });
}

export function tooManyCalls(invocationId: string, perSecond: number): string {
  const error = `Too many requests: at most ${perSecond} are answered in a second. Send fewer.`;
  return protocol.writeMessage({ type: MessageType.Completion, invocationId, error });
}

export const PING_MESSAGE = protocol.writeMessage({ type: MessageType.Ping });

export function closeMessage(error: string | undefined, allowReconnect: boolean): string {
  return protocol.writeMessage({ type: MessageType.Close, ...(error !== undefined && { error }), allowReconnect });
}

/** Events of which old clients know nothing; a stock client logs a warning for a name without a handler. */
const SOCKET_ONLY: ReadonlySet<string> = new Set<EventName>([
  'EvaluationModified',
  'NoteCreated',
  'NoteModified',
  'NoteDeleted',
  'AlarmRaised',
  'AlarmChanged',
]);

/** Whether events of this name go to SignalR clients. */
export function isSentOverSignalR({ type }: ChangeEnvelope): boolean {
  return !SOCKET_ONLY.has(type);
}

/**
 * Encodes the events of one stream message from `firstIndex` on, once for all clients that see the same.
 * JavaScript clients read fields in this case only, and .NET clients bind a handler by its number of arguments: the second argument of
 * Socket.IO is a member of the first one here.
 */
export function eventMessages(
  payloads: readonly EventPayloads[EventName][],
  envelope: ChangeEnvelope,
  position: StreamPosition,
  firstIndex: number,
): string {
  let text = '';
  for (let index = firstIndex; index < payloads.length; index += 1) {
    const argument = { ...inCamelCase(payloads[index] as EventPayloads[EventName]), ...metaOf(envelope, position, index) };
    text += protocol.writeMessage({ type: MessageType.Invocation, target: envelope.type, arguments: [argument] });
  }
  return text;
}

function inCamelCase(payload: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(payload).map(([name, value]) => [name.charAt(0).toLowerCase() + name.slice(1), value as unknown]),
  );
}

function handshakeOf(message: string): { protocol?: unknown; version?: unknown } | undefined {
  try {
    const parsed: unknown = JSON.parse(message.slice(0, -RECORD_SEPARATOR.length));
    return typeof parsed === 'object' && parsed !== null ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function checkSize(bytes: number): void {
  if (bytes > MAX_MESSAGE_BYTES) throw new HubProtocolError(`A message may have at most ${MAX_MESSAGE_BYTES} bytes.`);
}
