import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { cuttableProxy, type CuttableProxy } from './cuttable-proxy.ts';
import { eventually } from './eventually.ts';

describe('cuttableProxy', () => {
  let echo: Server;
  let echoSockets: Socket[];
  let proxy: CuttableProxy;
  const clients: Client[] = [];

  interface Client {
    socket: Socket;
    received: string;
    closed: boolean;
  }
  const open = (): Client => {
    const client: Client = { socket: connect(proxy.port, '127.0.0.1'), received: '', closed: false };
    client.socket.setEncoding('utf8').on('data', (text: string) => (client.received += text));
    client.socket.on('error', () => undefined).on('close', () => (client.closed = true));
    clients.push(client);
    return client;
  };

  beforeEach(async () => {
    echoSockets = [];
    echo = createServer((socket) => {
      echoSockets.push(socket);
      socket.on('error', () => undefined).pipe(socket);
    });
    await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
    proxy = await cuttableProxy('127.0.0.1', (echo.address() as AddressInfo).port);
  });
  afterEach(async () => {
    for (const { socket } of clients.splice(0)) socket.destroy();
    await proxy.close();
    await new Promise((resolve) => echo.close(resolve));
  });

  it('passes bytes both ways, more than buffers hold, and the end', async () => {
    const client = open();
    const text = 'x'.repeat(5_000_000);
    client.socket.end(text);
    await eventually(() => client.closed);
    expect(client.received.length).toBe(text.length);
  });

  it('cut closes open connections on both sides and refuses new ones until restore', async () => {
    const client = open();
    client.socket.write('a');
    await eventually(() => client.received === 'a');
    proxy.cut();
    await eventually(() => client.closed && echoSockets[0]?.destroyed === true);
    const refused = open();
    await eventually(() => refused.closed);
    expect(echoSockets).toHaveLength(1);

    proxy.restore();
    const again = open();
    again.socket.write('b');
    await eventually(() => again.received === 'b');
  });

  it('stall keeps connections open and delivers afterwards', async () => {
    const client = open();
    client.socket.write('a');
    await eventually(() => client.received === 'a');
    proxy.stall();
    client.socket.write('b');
    // Nothing shows that bytes are held; those that are not arrive within this time.
    await pause(150);
    expect(client).toMatchObject({ received: 'a', closed: false });
    proxy.restore();
    await eventually(() => client.received === 'ab');
  });

  it('stall of answers passes requests', async () => {
    const early = open();
    early.socket.write('a');
    await eventually(() => early.received === 'a');
    const questions: string[] = [];
    echoSockets[0]?.on('data', (bytes: Buffer) => questions.push(bytes.toString()));
    proxy.stall('answers');
    const late = open();
    early.socket.write('b');
    late.socket.write('c');
    await eventually(() => questions.includes('b') && echoSockets.length === 2);
    // The echo of both was sent before this pause; answers that are not held arrive within it.
    await pause(100);
    expect(early.received).toBe('a');
    expect(late.received).toBe('');
    proxy.restore();
    await eventually(() => early.received === 'ab' && late.received === 'c');
  });

  it('a missing target ends the client connection', async () => {
    const other = await cuttableProxy('127.0.0.1', 1);
    const socket = connect(other.port, '127.0.0.1');
    const closed = new Promise((resolve) => socket.on('error', () => undefined).on('close', resolve));
    await closed;
    await other.close();
  });

  it('counts the connections that are open', async () => {
    const [first, second] = [open(), open()];
    await eventually(() => proxy.connections() === 2);
    first.socket.destroy();
    await eventually(() => proxy.connections() === 1);
    second.socket.destroy();
    await eventually(() => proxy.connections() === 0);
  });
});
