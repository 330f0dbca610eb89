import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { eventually } from '@sinebar/testing';
import { TestBench } from './bench.fixture.ts';
import { measurementsCreated } from './test-changes.fixture.ts';

const SLICE_MS = 20;

/** Forwards everything from the client, and this many bytes per second from the server. */
async function slowLine(port: number, bytesPerSecond: number): Promise<{ port: number; close: () => void }> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    for (const socket of [client, upstream]) sockets.add(socket.on('error', () => undefined));
    client.pipe(upstream);
    upstream.on('end', () => client.end());
    const timer = setInterval(() => {
      const chunk = upstream.read(Math.min(upstream.readableLength, Math.ceil((bytesPerSecond * SLICE_MS) / 1000))) as Buffer | null;
      if (chunk) client.write(chunk);
    }, SLICE_MS);
    client.on('close', () => (clearInterval(timer), upstream.destroy()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { port: (server.address() as AddressInfo).port, close };
}

describe('a client on a slow line', () => {
  let bench: TestBench;
  let line: Awaited<ReturnType<typeof slowLine>>;
  beforeEach(() => {
    bench = new TestBench();
  });
  afterEach(async () => {
    line.close();
    await bench.end();
  });

  it('is not disconnected while it reads, however much waits before the next heartbeat [D7.4]', async () => {
    const env = { SINEBAR_SOCKET_PING_INTERVAL_MS: '2000', SINEBAR_SOCKET_PING_TIMEOUT_MS: '2000' };
    const { url } = await bench.start({ env });
    line = await slowLine(Number(new URL(url).port), 1_000_000);
    const client = await bench.open(`http://127.0.0.1:${line.port}`, { transports: ['websocket'], reconnection: false });
    let end = '';
    client.socket.on('disconnect', (reason) => (end = reason));
    const wide = 'x'.repeat(2_000);
    const total = 3_000;
    for (let i = 0; i < total; i += 20) {
      await bench.bus.publish([measurementsCreated(Array.from({ length: 20 }, (_, k) => `${i + k}.${wide}`))]);
    }
    const begun = performance.now();
    await eventually(() => client.received.length >= total || end !== '');
    expect(end).toBe('');
    expect(client.uuids.map((uuid) => String(uuid).split('.')[0])).toEqual(Array.from({ length: total }, (_, i) => String(i)));
    // Longer than the heartbeat time-out of both sides.
    expect(performance.now() - begun).toBeGreaterThan(4_500);
  });
});
