import type { Socket as TcpSocket } from 'node:net';
import type { Server as Engine, Socket as Connection } from 'engine.io';
import type { Socket } from 'socket.io';

/**
 * Bytes that wait to be handed to the network for a socket, counted up to `limitBytes`. What the network has taken is not counted, but is at most what was
 * counted before.
 */
export function waitingBytes(socket: Socket, limitBytes: number): number {
  let bytes = 0;
  for (const packet of (socket.conn as unknown as { writeBuffer: { data?: unknown }[] }).writeBuffer) {
    bytes += typeof packet.data === 'string' ? packet.data.length : 64;
    if (bytes > limitBytes) break;
  }
  return bytes;
}

/** Events that wait together leave in one write instead of one each: a message of a thousand measurements is a thousand packets. */
export function joinWrites(engine: Engine): void {
  engine.on('flush', (connection: Connection, packets: readonly unknown[]) => {
    if (packets.length < 2) return;
    const tcp = tcpSocketOf(connection);
    if (!tcp) return;
    tcp.cork();
    process.nextTick(() => tcp.uncork());
  });
}

/** The TCP socket below a WebSocket; `ws` gives no public way to it. Without it writes are just not joined. */
function tcpSocketOf({ transport }: Connection): TcpSocket | undefined {
  const { socket } = transport as unknown as { socket?: { _socket?: TcpSocket | null } };
  return typeof socket?._socket?.cork === 'function' ? socket._socket : undefined;
}
