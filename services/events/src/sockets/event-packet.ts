import type { ChangeEnvelope, EventName, EventPayloads } from '@sinebar/contracts';
import type { StreamPosition } from '@sinebar/message-bus';
import type { Socket } from 'socket.io';
import { metaOf } from '../dispatch/resume-point.js';

/**
 * How the packets of a client's events begin: an event (type 2) of its namespace, by the protocol of Socket.IO, version 5.
 * What follows is the JSON list of name, payload and meta.
 */
export function packetHead({ nsp: { name } }: Socket): string {
  return name === '/' ? '2' : `2${name},`;
}

/**
 * Sends one event to one client. `socket.emit` would look for binary content, for listeners and for rooms first, which costs as much as the event itself
 * where a hundred thousand are replayed.
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
  // The sequence is of letters and digits; an object of three texts takes several times as long as two texts.
  const meta = `{"id":${JSON.stringify(id)},"time":${JSON.stringify(time)},"sequence":"${sequence}"}`;
  socket.conn.write(`${packetHead(socket)}["${envelope.type}",${JSON.stringify(payload)},${meta}]`);
}
