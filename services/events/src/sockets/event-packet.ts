import type { ChangeEnvelope, EventName, EventPayloads } from '@sinebar/contracts';
import type { StreamPosition } from '@sinebar/message-bus';
import type { Socket } from 'socket.io';
import { metaOf } from '../dispatch/resume-point.js';

/**
 * Returns the start of a client's event packets: an event (type 2) of its namespace, Socket.IO protocol version 5.
 * The JSON list of name, payload and meta follows it.
 */
export function packetHead({ nsp: { name } }: Socket): string {
  return name === '/' ? '2' : `2${name},`;
}

/**
 * Sends one event to one client. `socket.emit` would search for binary content, listeners and rooms first, which doubles the cost of a
 * replay.
 */
export function sendEvent(
  socket: Socket,
  payload: EventPayloads[EventName],
  envelope: ChangeEnvelope,
  position: StreamPosition,
  index: number,
): void {
  if (!socket.connected) return;
  const { id, time, sequence } = metaOf(envelope, position, index);
  // The sequence has letters and digits only and needs no escaping. Serialising an object of three texts takes several times as long as two
  // texts.
  const meta = `{"id":${JSON.stringify(id)},"time":${JSON.stringify(time)},"sequence":"${sequence}"}`;
  socket.conn.write(`${packetHead(socket)}["${envelope.type}",${JSON.stringify(payload)},${meta}]`);
}
