import type { ServerResponse } from 'node:http';
import type { RawData, WebSocket } from 'ws';
import type { HubConnection, HubTransport } from './hub-connection.ts';

const NORMAL_CLOSURE = 1000;

/** Sends events in one endless answer; the client sends with separate requests. */
export function openServerSentEvents(connection: HubConnection, response: ServerResponse): void {
  const transport: HubTransport = {
    name: 'ServerSentEvents',
    keepsItselfAlive: false,
    idleSinceMs: () => undefined,
    close: () => response.end(),
    abort: () => response.destroy(),
  };
  response.once('close', () => connection.abort());
  // The header makes buffering proxies such as nginx forward the stream at once.
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' });
  response.write(':\r\n\r\n');
  connection.startTransport(transport);
  connection.writeTo((text, done) => void response.write(`data: ${text}\r\n\r\n`, () => done()));
}

export function openWebSocket(connection: HubConnection, socket: WebSocket): void {
  const transport: HubTransport = {
    name: 'WebSockets',
    keepsItselfAlive: false,
    idleSinceMs: () => undefined,
    close: () => socket.close(NORMAL_CLOSURE),
    abort: () => socket.terminate(),
  };
  socket.on('message', (message: RawData) => connection.receive(bytesOf(message)));
  socket.once('close', () => connection.abort());
  socket.on('error', () => connection.abort());
  connection.startTransport(transport);
  connection.writeTo((text, done) => socket.send(text, () => done()));
}

function bytesOf(message: RawData): Buffer {
  if (Array.isArray(message)) return Buffer.concat(message);
  return Buffer.isBuffer(message) ? message : Buffer.from(message);
}
