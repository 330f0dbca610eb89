import { connect, type Socket } from 'node:net';

/** Connections to the events that read nothing after they have joined. */
export class IdleSockets {
  private readonly sockets: Socket[] = [];

  /** Opens WebSockets of Socket.IO. */
  async open(url: string, authorization: string, count: number): Promise<void> {
    this.sockets.push(...(await Promise.all(Array.from({ length: count }, () => join(new URL(url), authorization)))));
  }

  close(): void {
    for (const socket of this.sockets.splice(0)) socket.destroy();
  }
}

function join({ hostname, port }: URL, authorization: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let text = '';
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`the connection ended: ${text}`)));
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1');
      // "0": the transport is open; "40/events,": the namespace is joined.
      if (/\r\n\r\n.+0\{/s.test(text) && !text.includes('40/events,')) socket.write(clientFrame('40/events,'));
      if (!text.includes('40/events,{')) return;
      socket.pause();
      resolve(socket);
    });
    socket.write(
      [
        'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1',
        'Host: localhost',
        `Authorization: ${authorization}`,
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
        '\r\n',
      ].join('\r\n'),
    );
  });
}

/** Returns a text frame of a client, with a mask of zeros. */
function clientFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  return Buffer.concat([Buffer.from([0x81, 0x80 | payload.length, 0, 0, 0, 0]), payload]);
}
