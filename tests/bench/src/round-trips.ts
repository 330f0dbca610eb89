import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ROOT_PART_UUID } from '@sinebar/contracts';
import { io, type Socket } from 'socket.io-client';
import { median, percentile, table, timed } from './figures.ts';
import type { Product } from './product.ts';

const WARM_UP = 200;
const REQUESTS = 1000;
const CHANGES = 500;
const EVENT_TIMEOUT_MS = 10_000;

/**
 * Measures one client with one request at a time: reading a part against a bare Node server, creating one, and the time until its event.
 */
export async function measureRoundTrips(product: Product): Promise<string> {
  const bare = await bareServer();
  try {
    const bareMs = await repeat(REQUESTS, () => fetchWhole(bare.url));
    const readMs = await repeat(REQUESTS, () => fetchWhole(`${product.url}/dataServiceRest/parts/${ROOT_PART_UUID}`));
    const { writeMs, eventMs } = await measureEvents(product.url);
    const base = median(bareMs);
    const row = (name: string, times: number[]) => [name, median(times), percentile(times, 0.99), median(times) / base];
    return table(
      [`${product.name}`, 'p50 ms', 'p99 ms', 'p50 / bare HTTP'],
      [
        row('bare Node HTTP round trip', bareMs),
        row('GET one part', readMs),
        row('POST one part', writeMs),
        row('POST begun to event received', eventMs),
      ],
    );
  } finally {
    await bare.close();
  }
}

async function measureEvents(url: string): Promise<{ writeMs: number[]; eventMs: number[] }> {
  const socket = io(`${url}/events`, { transports: ['websocket'] });
  const writeMs: number[] = [];
  const eventMs: number[] = [];
  const uuids: string[] = [];
  try {
    await arrived(socket, 'connect', () => true);
    for (let i = 0; i < WARM_UP + CHANGES; i += 1) {
      const uuid = randomUUID();
      uuids.push(uuid);
      const begun = performance.now();
      const event = arrived(socket, 'PartCreated', (payload) => (payload as { PartUuid: string }).PartUuid === uuid).then(
        () => performance.now() - begun,
      );
      const write = await timed(() => postParts(url, uuid));
      const latency = await event;
      if (i < WARM_UP) continue;
      writeMs.push(write);
      eventMs.push(latency);
    }
    return { writeMs, eventMs };
  } finally {
    socket.close();
    for (let i = 0; i < uuids.length; i += 100) {
      await fetch(`${url}/dataServiceRest/parts?partUuids={${uuids.slice(i, i + 100).join(',')}}`, { method: 'DELETE' });
    }
  }
}

async function postParts(url: string, uuid: string): Promise<void> {
  const response = await fetch(`${url}/dataServiceRest/parts`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify([{ uuid, path: `P:/bench ${uuid}/` }]),
  });
  await response.arrayBuffer();
  if (response.status !== 201) throw new Error(`POST answered ${response.status}`);
}

function arrived(socket: Socket, event: string, wanted: (payload: unknown) => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no ${event} within ${EVENT_TIMEOUT_MS} ms`)), EVENT_TIMEOUT_MS);
    const listener = (payload: unknown) => {
      if (!wanted(payload)) return;
      clearTimeout(timer);
      socket.off(event, listener);
      resolve();
    };
    socket.on(event, listener);
  });
}

async function repeat(count: number, work: () => Promise<unknown>): Promise<number[]> {
  for (let i = 0; i < WARM_UP; i += 1) await work();
  const times: number[] = [];
  for (let i = 0; i < count; i += 1) times.push(await timed(work));
  return times;
}

async function fetchWhole(url: string): Promise<void> {
  const response = await fetch(url);
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
}

async function bareServer(): Promise<{ url: string; close: () => Promise<void> }> {
  const body = JSON.stringify({ uuid: ROOT_PART_UUID, path: '/', attributes: {} });
  const server = createServer((_request, response) => response.setHeader('Content-Type', 'application/json').end(body));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
