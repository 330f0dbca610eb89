import type { Server as Engine, Socket as Connection } from 'engine.io';
import { EVENT_NAMES, parseSequence, type EventPosition } from '@sinebar/contracts';
import type { Socket } from 'socket.io';
import { packetHead } from './event-packet.js';

/**
 * Returns the bytes of a socket not yet passed to the network, counted up to `limitBytes`.
 * Bytes that the network has accepted are not counted; they were counted before.
 */
export function waitingBytes(socket: Socket, limitBytes: number): number {
  let bytes = 0;
  for (const packet of waitingPackets(socket)) {
    bytes += typeof packet.data === 'string' ? packet.data.length : 64;
    if (bytes > limitBytes) break;
  }
  return bytes;
}

/**
 * Removes the waiting events of a socket and keeps other waiting packets.
 * @returns the position of the first of them; `undefined` when none was waiting
 */
export function withdrawEvents(socket: Socket): EventPosition | undefined {
  const waiting = waitingPackets(socket);
  const head = packetHead(socket);
  const isEvent = ({ data }: WaitingPacket) =>
    typeof data === 'string' && data.startsWith(head) && EVENT_HEADS.some((name) => data.startsWith(name, head.length));
  const first = waiting.find(isEvent);
  if (!first) return undefined;
  const kept = waiting.filter((packet) => !isEvent(packet));
  waiting.splice(0, waiting.length, ...kept);
  const [, , meta] = JSON.parse((first.data as string).slice(head.length)) as [string, unknown, { sequence: string }];
  return parseSequence(meta.sequence);
}

interface WaitingPacket {
  data?: unknown;
}

/** Start of the JSON text of each event. */
const EVENT_HEADS = EVENT_NAMES.map((name) => `["${name}",`);

/** Engine.IO has no public access to the waiting packets. */
function waitingPackets({ conn }: Socket): WaitingPacket[] {
  return (conn as unknown as { writeBuffer: WaitingPacket[] }).writeBuffer;
}

/** Resolves when something is passed to the network for a socket, or after `limitMs`; rejects on abort. */
export function nextFlush({ conn }: Socket, limitMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const forget = () => {
      clearTimeout(timer);
      conn.off('drain', done);
      signal.removeEventListener('abort', stop);
    };
    const done = () => (forget(), resolve());
    const stop = () => (forget(), reject(signal.reason as Error));
    const timer = setTimeout(done, limitMs);
    conn.once('drain', done);
    signal.addEventListener('abort', stop, { once: true });
  });
}

const PING_EVERY_BYTES = 64 * 1024;

/**
 * Inserts pings among the events.
 * The regular ping waits after megabytes in network buffers, and both sides would close the connection when these take longer than the
 * heartbeat allows. A slow client that still reads must not be disconnected.
 */
export function pingAmongEvents(engine: Engine): void {
  engine.on('connection', (connection: Connection) => {
    const { sendPacket } = connection as unknown as { sendPacket: (this: Connection, type: 'ping') => void };
    let bytes = 0;
    connection.on('packetCreate', ({ type, data }: { type: string; data?: unknown }) => {
      if (type !== 'message') return;
      bytes += typeof data === 'string' ? data.length : 0;
      if (bytes < PING_EVERY_BYTES) return;
      bytes = 0;
      sendPacket.call(connection, 'ping');
    });
  });
}
