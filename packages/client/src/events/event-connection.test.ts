import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '@sinebar/testing';
import { Server, type Socket } from 'socket.io';
import { SinebarClient } from '../sinebar-client.ts';
import type { CredentialsSource } from '../http/credentials.ts';
import type { ConnectionState, EventConnection, EventOptions } from './event-connection.ts';
import { memoryStore } from './sequence-store.ts';

/** Fake gateway that sends what the test chooses. */
let io: Server;
let url: string;
let sockets: Socket[];
let admit: (auth: Record<string, unknown>) => { message: string; code: string } | undefined;
let connections: EventConnection[];
/** Position that the gateway reports. */
let positions = 0;

beforeEach(async () => {
  [sockets, connections, admit, positions] = [[], [], () => undefined, 0];
  const server = createServer();
  io = new Server(server);
  io.of('/events')
    .use((socket, next) => {
      const refusal = admit(socket.handshake.auth);
      next(refusal && Object.assign(new Error(refusal.message), { data: { code: refusal.code } }));
    })
    .on('connection', (socket) => {
      sockets.push(socket);
      socket.on('subscribe', (_filter: unknown, ack: (answer: unknown) => void) => ack({ ok: true }));
      socket.on('position', (ack: (answer: unknown) => void) => ack({ sequence: `e.${positions}.0` }));
      socket.on('unsubscribe', (_filter: unknown, ack: (answer: unknown) => void) => ack({ error: 'there is none' }));
    });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  await Promise.all(connections.map((connection) => connection.close()));
  await io.close();
});

const make = (options: EventOptions = {}, credentials?: CredentialsSource) => {
  const made = new SinebarClient({ url, ...(credentials && { credentials }) }).events({ transports: ['websocket'], ...options });
  connections.push(made);
  return made;
};
const send = (index: number, socket = sockets.at(-1)) =>
  socket?.emit(
    'PartModified',
    { PartUuid: `p${index}` },
    { id: `id.${index}`, time: '2026-01-01T00:00:00.000Z', sequence: `e.${index}.0` },
  );
const lastAuth = () => sockets.at(-1)?.handshake.auth as { lastSequence?: string; token?: string };

describe('EventConnection', () => {
  it('delivers each event once, in order and one at a time, and stores its position', async () => {
    const store = memoryStore('e.4.0');
    const connection = make({ store });
    const seen: string[] = [];
    let running = 0;
    connection.on('PartModified', async ({ PartUuid }) => {
      running += 1;
      expect(running).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, 1));
      running -= 1;
      seen.push(PartUuid);
    });
    connection.on('PartCreated', () => void seen.push('not this one'));
    await connection.connect();
    expect(lastAuth().lastSequence).toBe('e.4.0');
    for (const index of [5, 6, 6, 5, 7]) send(index);
    await eventually(() => seen.length === 3, 'three events');
    expect(seen).toEqual(['p5', 'p6', 'p7']);
    await connection.close();
    expect(store.load()).toBe('e.7.0');
  });

  it('resumes after the last event when the connection was lost', async () => {
    const connection = make();
    const seen: string[] = [];
    connection.onAny((name, _payload, { id }) => void seen.push(`${name} ${id}`));
    await connection.connect();
    send(1);
    await eventually(() => seen.length === 1, 'an event');
    sockets[0]?.conn.close();
    await eventually(() => sockets.length === 2, 'connected again');
    expect(lastAuth().lastSequence).toBe('e.1.0');
    send(1);
    send(2);
    await eventually(() => seen.length === 2, 'the next event');
    expect(seen).toEqual(['PartModified id.1', 'PartModified id.2']);
  });

  it('resumes at its start position when the connection is lost before the first event', async () => {
    positions = 7;
    const store = memoryStore();
    await make({ store }).connect();
    sockets[0]?.conn.close();
    await eventually(() => sockets.length === 2, 'connected again');
    expect(lastAuth().lastSequence).toBe('e.7.0');
    expect(store.load()).toBe('e.7.0');
  });

  it('lets the program read the current state before it delivers events after a gap', async () => {
    const order: string[] = [];
    const connection = make({
      onGap: async () => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        order.push('read again');
      },
    });
    connection.on('PartModified', ({ PartUuid }) => void order.push(PartUuid));
    await connection.connect();
    send(1);
    sockets[0]?.emit('Gap', {}, { id: '', time: '', sequence: 'e.8.0' });
    send(9);
    await eventually(() => order.length === 3, 'three steps');
    expect(order).toEqual(['p1', 'read again', 'p9']);
    expect(connection.lastSequence).toBe('e.9.0');
  });

  it('ends when a listener fails, before the event counts as handled', async () => {
    const store = memoryStore();
    const connection = make({ store });
    connection.on('PartModified', ({ PartUuid }) => {
      if (PartUuid === 'p2') throw new Error('the listener failed');
    });
    await connection.connect();
    for (const index of [1, 2, 3]) send(index);
    await expect(connection.closed).rejects.toThrow('the listener failed');
    await connection.close();
    expect(store.load()).toBe('e.1.0');
  });

  it('continues when a listener fails and an error handler is set', async () => {
    const failures: string[] = [];
    const connection = make({ onListenerError: (error, name, { sequence }) => failures.push(`${String(error)} ${name} ${sequence}`) });
    connection.on('PartModified', () => Promise.reject(new Error('no')));
    await connection.connect();
    send(1);
    send(2);
    await eventually(() => failures.length === 2, 'two failures');
    expect(failures).toEqual(['Error: no PartModified e.1.0', 'Error: no PartModified e.2.0']);
  });

  it('subscribes again on every connection, and drops events that arrived before', async () => {
    const asked: unknown[] = [];
    io.of('/events').on('connection', (socket) => {
      send(1, socket);
      socket.onAny((name: string, filter: unknown) => name === 'subscribe' && asked.push([name, filter]));
    });
    const seen: string[] = [];
    const connection = make({ filters: [{ events: ['PartCreated'], partPath: '/a' }] });
    connection.onAny((name) => void seen.push(name));
    await connection.connect();
    await connection.subscribe({ events: ['PartDeleted'] });
    sockets[0]?.conn.close();
    await eventually(() => asked.length === 4, 'all subscriptions');
    const first = ['subscribe', { events: ['PartCreated'], partPath: '/a' }];
    expect(asked).toEqual([first, ['subscribe', { events: ['PartDeleted'] }], first, ['subscribe', { events: ['PartDeleted'] }]]);
    expect(seen).toEqual([]);
    await expect(connection.unsubscribe({ partPath: '/b' })).rejects.toThrow('there is none');
  });

  it('sends new credentials before the old ones expire, without a new connection', async () => {
    const reasons: string[] = [];
    const connection = make({}, (reason) => {
      reasons.push(reason);
      return { token: `t${reasons.length}` };
    });
    await connection.connect();
    expect(lastAuth().token).toBe('t1');
    const shown = new Promise((resolve) =>
      sockets[0]?.on('reauthenticate', (auth: unknown, ack: (answer: unknown) => void) => (ack({ ok: true }), resolve(auth))),
    );
    sockets[0]?.emit('TokenExpiring', { expiresAt: '2026-01-01T00:00:00.000Z' });
    expect(await shown).toEqual({ token: 't2' });
    expect(reasons).toEqual(['first', 'expiring']);
    expect(sockets).toHaveLength(1);
  });

  it('reconnects with new credentials when the server ends the connection for expired ones', async () => {
    let asked = 0;
    const states: ConnectionState['state'][] = [];
    const connection = make({ onState: ({ state }) => states.push(state) }, () => ({ token: `t${(asked += 1)}` }));
    await connection.connect();
    sockets[0]?.emit('ConnectionEnded', { code: 'Unauthenticated', message: 'the token has ended' });
    sockets[0]?.disconnect(true);
    await eventually(() => sockets.length === 2 && states.at(-1) === 'connected', 'connected again');
    expect(lastAuth().token).toBe('t2');
    expect(states).toEqual(['connected', 'disconnected', 'connected']);
  });

  it.each([
    ['refused for good', 'Forbidden', undefined, 1],
    ['refused without other credentials', 'Unauthenticated', { token: 't' }, 1],
    ['refused with other credentials too', 'Unauthenticated', () => ({ token: 't' }), 2],
  ] as [string, string, CredentialsSource | undefined, number][])(
    'throws the message of the server when it is %s',
    async (_what, code, source, attempts) => {
      let tried = 0;
      admit = () => ((tried += 1), { message: 'the sentence', code });
      const connection = make({}, source);
      await expect(connection.connect()).rejects.toMatchObject({ name: 'SinebarError', message: 'the sentence', code });
      await expect(connection.closed).rejects.toThrow('the sentence');
      expect(tried).toBe(attempts);
    },
  );

  it('retries when the server is busy', async () => {
    let tried = 0;
    admit = () => ((tried += 1) === 1 ? { message: 'later', code: 'TooManyRequests' } : undefined);
    await make().connect();
    expect(tried).toBe(2);
  });

  it('waits for an unavailable server until its signal is aborted', async () => {
    const states: ConnectionState[] = [];
    await io.close();
    const connection = make({ onState: (state) => states.push(state) });
    await expect(connection.connect({ signal: AbortSignal.timeout(300) })).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(states[0]?.state).toBe('disconnected');
  });

  it('pauses when events arrive faster than listeners handle them, and misses none', async () => {
    const connection = make();
    let handled = 0;
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    connection.on('PartModified', async () => {
      if (handled === 0) await held;
      handled += 1;
    });
    await connection.connect();
    for (let index = 1; index <= 12_000; index += 1) send(index);
    await eventually(() => !connection.isConnected, 'paused');
    const stopped = Number(connection.lastSequence?.split('.')[1]);
    expect(stopped).toBeGreaterThanOrEqual(10_000);
    expect(stopped).toBeLessThan(12_000);
    release();
    await eventually(() => sockets.length === 2, 'connected again');
    expect(lastAuth().lastSequence).toBe(`e.${stopped}.0`);
    for (let index = stopped + 1; index <= 12_000; index += 1) send(index);
    await eventually(() => handled === 12_000, 'all of them');
  });
});
