import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { SubscribeOptions } from '@sinebar/message-bus';
import { eventually } from '@sinebar/testing';
import { WebSocket } from 'ws';
import { TestBench } from './bench.fixture.ts';
import { END, HANDSHAKE, messagesIn, RawHub } from './signalr-client.fixture.ts';
import { partCreated } from './test-changes.fixture.ts';

const PING = { type: 6 };

/** A WebSocket that records what it receives. */
class RawSocket {
  readonly socket: WebSocket;
  text = '';
  frames = 0;
  closeCode: number | undefined;

  constructor(url: string, query = '', headers: Record<string, string> = {}) {
    this.socket = new WebSocket(`${url.replace('http', 'ws')}/events${query}`, { headers });
    this.socket.on('message', (frame: Buffer) => {
      this.frames += 1;
      this.text += frame.toString();
    });
    this.socket.on('close', (code) => (this.closeCode = code));
    this.socket.on('error', () => (this.closeCode ??= -1));
  }

  get messages(): Record<string, unknown>[] {
    return messagesIn(this.text);
  }

  async open(): Promise<this> {
    await eventually(() => this.socket.readyState === WebSocket.OPEN);
    return this;
  }

  send(...messages: unknown[]): void {
    this.socket.send(messages.map((message) => `${JSON.stringify(message)}${END}`).join(''));
  }

  async shakeHands(): Promise<this> {
    await this.open();
    this.send(HANDSHAKE);
    await eventually(() => this.text.startsWith(`{}${END}`));
    this.text = '';
    return this;
  }

  async hasClosed(): Promise<void> {
    await eventually(() => this.closeCode !== undefined);
  }
}

describe('SignalR on the wire', () => {
  let bench: TestBench;
  const sockets: RawSocket[] = [];
  beforeEach(() => {
    bench = new TestBench();
  });
  afterEach(async () => {
    for (const { socket } of sockets.splice(0)) socket.terminate();
    await bench.end();
  });
  const socketTo = (...args: ConstructorParameters<typeof RawSocket>) => {
    const socket = new RawSocket(...args);
    sockets.push(socket);
    return socket;
  };

  describe('the negotiation', () => {
    it('of version 1 gives an id for the address and another for people [S6, S9]', async () => {
      const { url } = await bench.start();
      const answer = (await (await new RawHub(url).negotiate()).json()) as Record<string, unknown>;
      expect(answer).toEqual({
        negotiateVersion: 1,
        connectionId: expect.stringMatching(/^[\w-]{22}$/),
        connectionToken: expect.stringMatching(/^[0-9a-f]{32}[\w-]{22}$/),
        availableTransports: [
          { transport: 'WebSockets', transferFormats: ['Text', 'Binary'] },
          { transport: 'ServerSentEvents', transferFormats: ['Text'] },
          { transport: 'LongPolling', transferFormats: ['Text', 'Binary'] },
        ],
      });
      expect(answer['connectionId']).not.toBe(answer['connectionToken']);
    });

    it('of version 0 gives one id for all later requests [S7]', async () => {
      const { url } = await bench.start();
      const hub = new RawHub(url);
      const { connectionId, ...rest } = (await (await hub.negotiate('')).json()) as { connectionId: string };
      expect(rest).toEqual({ negotiateVersion: 0, availableTransports: expect.any(Array) });
      expect((await hub.ask('GET', connectionId)).status).toBe(200);
    });

    it('names only the transports that are served [S8]', async () => {
      const { url } = await bench.start({ env: { SINEBAR_SOCKET_POLLING: 'off' } });
      const hub = new RawHub(url);
      const { availableTransports, connectionToken } = (await (await hub.negotiate()).json()) as {
        availableTransports: { transport: string }[];
        connectionToken: string;
      };
      expect(availableTransports.map(({ transport }) => transport)).toEqual(['WebSockets', 'ServerSentEvents']);
      expect((await hub.ask('GET', connectionToken)).status).toBe(400);
    });

    it('finds its address in any case, and is not cached [S4]', async () => {
      const { url } = await bench.start();
      const answer = await fetch(`${url}/Events/NEGOTIATE/?NegotiateVersion=1`, { method: 'POST' });
      expect(await answer.json()).toMatchObject({ negotiateVersion: 1 });
      expect(answer.headers.get('cache-control')).toBe('no-cache, no-store');
    });

    it.each([
      ['a version that is no number', 'POST', '?negotiateVersion=x', 400],
      ['another method', 'GET', '?negotiateVersion=1', 405],
    ])('refuses %s [S4]', async (_, method, query, status) => {
      const { url } = await bench.start();
      const answer = await fetch(`${url}/events/negotiate${query}`, { method });
      expect(answer.status).toBe(status);
    });
  });

  describe('the id', () => {
    it.each(['GET', 'POST', 'DELETE'])('is required by %s [S10]', async (method) => {
      const { url } = await bench.start();
      const answer = await fetch(`${url}/events`, { method });
      expect(answer.status).toBe(400);
      expect(await answer.text()).toBe('Connection ID required');
    });

    it.each(['GET', 'POST', 'DELETE'])('must be known to %s [S10]', async (method) => {
      const { url } = await bench.start();
      const answer = await new RawHub(url).ask(method, 'AAAAAAAAAAAAAAAAAAAAAA');
      expect(answer.status).toBe(404);
      expect(await answer.text()).toBe('No Connection with that ID');
    });

    it('must be known to a WebSocket [S10]', async () => {
      const { url } = await bench.start();
      const refused = new Promise<string>((resolve) =>
        socketTo(url, '?id=AAAAAAAAAAAAAAAAAAAAAA').socket.once('error', ({ message }) => resolve(message)),
      );
      expect(await refused).toContain('404');
    });

    it('belongs to one transport', async () => {
      const { url } = await bench.start();
      const hub = new RawHub(url);
      const token = await hub.token();
      await socketTo(url, `?id=${token}`).open();
      expect((await hub.ask('GET', token)).status).toBe(409);
      expect((await hub.send(token, PING)).status).toBe(409);
    });
  });

  describe('messages', () => {
    it('may come several in one frame, and one in several frames [S12, S22]', async () => {
      const { url } = await bench.start();
      const client = await socketTo(url).open();
      const text = [HANDSHAKE, PING, { type: 1, invocationId: 'ä', target: 'Nope', arguments: [] }]
        .map((each) => JSON.stringify(each) + END)
        .join('');
      client.socket.send(text.slice(0, 10));
      client.socket.send(text.slice(10, -8));
      client.socket.send(text.slice(-8));
      await eventually(() => client.messages.length === 2);
      expect(client.messages).toEqual([
        {},
        { type: 3, invocationId: 'ä', error: expect.stringMatching(/'Nope'.*Method does not exist\.$/) },
      ]);
    });

    it('get no answer when they call a method without an id [S22]', async () => {
      const { url } = await bench.start();
      const client = await socketTo(url).shakeHands();
      client.send({ type: 1, target: 'Nope', arguments: [] }, { type: 1, invocationId: '2', target: 'Nope', arguments: [] });
      await eventually(() => client.messages.length > 0);
      expect(client.messages).toMatchObject([{ type: 3, invocationId: '2' }]);
    });

    it.each([
      ['are not JSON', `{"type":6${END}`],
      ['have no type', `{}${END}`],
      ['are null', `null${END}`],
      ['call nothing', `{"type":1,"arguments":[]}${END}`],
    ])('that %s end the connection [S23]', async (_, text) => {
      const { url } = await bench.start();
      const client = await socketTo(url).shakeHands();
      client.socket.send(text);
      await client.hasClosed();
      expect(client.messages).toEqual([{ type: 7, error: 'Connection closed with an error.', allowReconnect: true }]);
    });

    it('of more than 32 KiB end the connection, of 32 KiB do not [S26]', async () => {
      const { url } = await bench.start();
      const client = await socketTo(url).shakeHands();
      const padded = (bytes: number) => `{"type":6,"x":"${'x'.repeat(bytes - 17)}"}${END}`;
      client.socket.send(padded(32 * 1024));
      client.send({ type: 1, invocationId: '1', target: 'Nope', arguments: [] });
      await eventually(() => client.messages.length === 1);
      client.socket.send(padded(32 * 1024 + 1));
      await client.hasClosed();
      expect(client.messages.at(-1)).toMatchObject({ type: 7, error: expect.stringContaining('32768 bytes') });
    });

    it('without an end are held only up to the limit [S26]', async () => {
      const { url } = await bench.start();
      const client = await socketTo(url).shakeHands();
      for (let i = 0; i < 40; i += 1) client.socket.send('x'.repeat(1024));
      await client.hasClosed();
      expect(client.messages).toMatchObject([{ type: 7 }]);
    });

    it('that come in floods are refused, then end the connection', async () => {
      const { url } = await bench.start();
      const client = await socketTo(url).shakeHands();
      for (let i = 0; i < 400; i += 1) client.send({ type: 1, invocationId: String(i), target: 'Nope', arguments: [] });
      await client.hasClosed();
      const errors = client.messages.map(({ error }) => String(error));
      expect(errors.filter((error) => error.startsWith('Too many requests')).length).toBeGreaterThan(100);
      expect(client.messages.at(-1)).toEqual({ type: 7, error: expect.stringContaining('many more than 20'), allowReconnect: false });
    });
  });

  describe('the handshake', () => {
    it.each([
      ['of another protocol', { protocol: 'messagepack', version: 1 }, `{"error":"The protocol 'messagepack' is not supported."}${END}`],
      [
        'of another version',
        { protocol: 'json', version: 9 },
        `{"error":"The server does not support version 9 of the 'json' protocol."}${END}`,
      ],
      ['that is none', { type: 6 }, expect.stringMatching(/^{"error":"The handshake must be /)],
    ])('%s is refused, and the connection closed [S18]', async (_, handshake, answer) => {
      const { url } = await bench.start();
      const client = await socketTo(url).open();
      client.send(handshake);
      await client.hasClosed();
      expect(client.text).toEqual(answer);
    });

    it('must come in time, over a WebSocket and after a negotiation [S25]', async () => {
      const { url } = await bench.start({ hubTimes: { handshakeMs: 300, pingMs: 200 } });
      const hub = new RawHub(url);
      const [client, token] = [await socketTo(url).open(), await hub.token()];
      await client.hasClosed();
      expect(client.text).toBe('');
      await eventually(async () => expect((await hub.ask('DELETE', token)).status).toBe(404));
    });

    it('comes before events: before it none is sent [S17, S19]', async () => {
      const { url } = await bench.start();
      const [client, other] = [await socketTo(url).open(), await socketTo(url).shakeHands()];
      await bench.bus.publish([partCreated('1')]);
      await eventually(() => other.messages.length === 1);
      client.send(HANDSHAKE);
      await eventually(() => client.messages.length === 1);
      await bench.bus.publish([partCreated('2')]);
      await eventually(() => client.messages.length === 2);
      expect(client.messages[1]).toMatchObject({ arguments: [{ partUuid: '2' }] });
    });
  });

  describe('heartbeats', () => {
    it('are sent when no other message is [S20]', async () => {
      const { url } = await bench.start({ hubTimes: { pingMs: 200 } });
      const client = await socketTo(url).shakeHands();
      await eventually(() => client.messages.length >= 2);
      expect(client.messages.slice(0, 2)).toEqual([PING, PING]);
    });

    it('are expected: a silent client is closed [S21]', async () => {
      const { url } = await bench.start({ hubTimes: { pingMs: 200, silenceMs: 2_000 } });
      const [silent, alive] = [await socketTo(url).shakeHands(), await socketTo(url).shakeHands()];
      const pinging = setInterval(() => alive.send(PING), 100);
      await silent.hasClosed();
      clearInterval(pinging);
      expect(silent.messages.at(-1)).toEqual({ type: 7, error: expect.stringContaining('Nothing was heard'), allowReconnect: true });
      expect(alive.closeCode).toBeUndefined();
    });

    it('of long polling are the polls: a client that waits is not silent, and one that does not poll is [S21]', async () => {
      const { url, service } = await bench.start({ hubTimes: { pingMs: 100, silenceMs: 2_000 } });
      const hub = new RawHub(url);
      const [waiting, idle] = [await hub.poll(), await hub.poll()];
      const answer = hub.ask('GET', waiting);
      const detail = async () => (await service.health()).find(({ name }) => name === 'event clients')?.detail;
      await eventually(async () => expect(await detail()).toBe('1 connected, 0 of them catching up'));
      expect(messagesIn(await (await hub.ask('GET', idle)).text())).toMatchObject([{ type: 7 }]);
      await bench.bus.publish([partCreated('1')]);
      expect(messagesIn(await (await answer).text())).toMatchObject([{ type: 1, target: 'PartCreated' }]);
    });
  });

  describe('long polling', () => {
    it('answers the first request at once, and the next with the waiting messages [S14, S17]', async () => {
      const { url } = await bench.start();
      const hub = new RawHub(url);
      const token = await hub.token();
      const first = await hub.ask('GET', token);
      expect(first.status).toBe(200);
      expect(await first.text()).toBe('');
      const sent = await hub.send(token, HANDSHAKE);
      expect(sent.status).toBe(200);
      expect(await sent.text()).toBe('');
      expect(await (await hub.ask('GET', token)).text()).toBe(`{}${END}`);
    });

    it('answers empty when no event arrives, and answers the next poll [S14]', async () => {
      const { url } = await bench.start({ hubTimes: { pollMs: 200 } });
      const hub = new RawHub(url);
      const token = await hub.poll();
      const empty = await hub.ask('GET', token);
      expect(empty.status).toBe(200);
      expect(await empty.text()).toBe('');
      await bench.bus.publish([partCreated('1')]);
      expect(messagesIn(await (await hub.ask('GET', token)).text())).toMatchObject([{ target: 'PartCreated' }]);
    });

    it('keeps messages between two requests [S14]', async () => {
      const { url } = await bench.start();
      const hub = new RawHub(url);
      const token = await hub.poll();
      await bench.bus.publish([partCreated('1'), partCreated('2')]);
      const seen: unknown[] = [];
      while (seen.length < 2) seen.push(...messagesIn(await (await hub.ask('GET', token)).text()));
      expect(seen).toMatchObject([{ arguments: [{ partUuid: '1' }] }, { arguments: [{ partUuid: '2' }] }]);
    });

    it('is ended by DELETE, after which the id is unknown [S15]', async () => {
      const { url } = await bench.start();
      const hub = new RawHub(url);
      const token = await hub.poll();
      const waiting = hub.ask('GET', token);
      expect((await hub.ask('DELETE', token)).status).toBe(202);
      expect((await waiting).status).toBe(204);
      expect((await hub.ask('GET', token)).status).toBe(404);
    });

    it('answers 204 after the hub closed the connection [S15]', async () => {
      const { url } = await bench.start();
      const hub = new RawHub(url);
      const token = await hub.poll();
      await hub.ask('POST', token, { body: `no message${END}` });
      expect(messagesIn(await (await hub.ask('GET', token)).text())).toMatchObject([{ type: 7 }]);
      expect((await hub.ask('GET', token)).status).toBe(204);
    });

    it('ends the request that waits when another comes', async () => {
      const { url } = await bench.start();
      const hub = new RawHub(url);
      const token = await hub.poll();
      const first = hub.ask('GET', token);
      const second = hub.ask('GET', token);
      expect((await first).status).toBe(204);
      await bench.bus.publish([partCreated('1')]);
      expect((await second).status).toBe(200);
    });

    it.each(['GET', 'POST', 'DELETE'])('is not cached: %s [S16]', async (method) => {
      const { url } = await bench.start();
      const hub = new RawHub(url);
      const answer = await hub.ask(method, await hub.token());
      expect(answer.headers.get('cache-control')).toBe('no-cache, no-store');
    });

    it('refuses a request that is too large', async () => {
      const { url } = await bench.start();
      const hub = new RawHub(url);
      expect((await hub.ask('POST', await hub.poll(), { body: 'x'.repeat(70_000) })).status).toBe(413);
    });
  });

  it('server-sent events begin with a comment, and carry each message as a block [S13, S16]', async () => {
    const { url } = await bench.start();
    const hub = new RawHub(url);
    const token = await hub.token();
    const answer = await hub.ask('GET', token, { headers: { accept: 'text/event-stream' } });
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    expect(answer.headers.get('cache-control')).toBe('no-cache, no-store');
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
    let text = '';
    const read = async (end: string) => {
      while (!text.endsWith(end)) text += Buffer.from((await reader.read()).value ?? []).toString();
    };
    await read(':\r\n\r\n');
    expect(text).toBe(':\r\n\r\n');
    await hub.send(token, HANDSHAKE);
    await read(`${END}\r\n\r\n`);
    expect(text).toBe(`:\r\n\r\ndata: {}${END}\r\n\r\n`);
    await reader.cancel();
  });

  it('a stopping gateway asks its clients to reconnect, and closes [S24]', async () => {
    const { url, service } = await bench.start();
    const client = await socketTo(url).shakeHands();
    const hub = new RawHub(url);
    const waiting = hub.ask('GET', await hub.poll());
    await service.release();
    await client.hasClosed();
    expect(client.messages).toEqual([{ type: 7, allowReconnect: true }]);
    expect(client.closeCode).toBe(1000);
    expect(messagesIn(await (await waiting).text())).toEqual([{ type: 7, allowReconnect: true }]);
    expect((await hub.negotiate()).status).toBe(503);
  });

  it('lost events end the connection, so that the client reads the state again', async () => {
    const gaps: SubscribeOptions['onGap'][] = [];
    const { url } = await bench.start({
      bus: {
        subscribe: (options) => {
          gaps.push(options.onGap);
          return bench.bus.subscribe(options);
        },
        streamState: () => bench.bus.streamState(),
        streamUsage: () => bench.bus.streamUsage(),
        status: () => bench.bus.status(),
      },
    });
    const client = await socketTo(url).shakeHands();
    await gaps[0]?.({ epoch: 'another', firstSequence: 1, lastSequence: 5 });
    await client.hasClosed();
    expect(client.messages).toEqual([{ type: 7, error: expect.stringContaining('Events were lost'), allowReconnect: true }]);
  });
});
