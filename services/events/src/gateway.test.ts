import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { connect as connectTcp, type Socket as TcpSocket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { EVERYONE, PathScope } from '@sinebar/access-control';
import { createInProcessBus, MemoryMessageLog, type Bus } from '@sinebar/message-bus';
import { cuttableProxy, eventually, type CuttableProxy } from '@sinebar/testing';
import { startGateway, TestAuthenticator, TestClient, WAYS, type TestGateway, type TestGatewayOptions } from './gateway.fixture.ts';
import { measurementsCreated, partCreated, partMoved, reader } from './test-changes.fixture.ts';

describe('event gateway', () => {
  let log: MemoryMessageLog;
  let bus: Bus;
  const clients: TestClient[] = [];
  const gateways: TestGateway[] = [];
  const proxies: CuttableProxy[] = [];

  beforeEach(() => {
    log = new MemoryMessageLog({ maxMessages: 20 });
    bus = createInProcessBus({ log });
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) client.socket.disconnect();
    for (const proxy of proxies.splice(0)) await proxy.close();
    for (const gateway of gateways.splice(0)) await gateway.stop();
    await bus.close();
  });

  async function start(options: Partial<TestGatewayOptions> = {}): Promise<TestGateway> {
    const gateway = await startGateway({ bus, ...options });
    gateways.push(gateway);
    if (!options.bus) await eventually(async () => (await gateway.service.health()).every(({ healthy }) => healthy));
    return gateway;
  }
  async function open(url: string, options: ConstructorParameters<typeof TestClient>[1] = {}): Promise<TestClient> {
    return await keep(new TestClient(`${url}/events`, options)).connected();
  }
  function keep(client: TestClient): TestClient {
    clients.push(client);
    return client;
  }

  describe.each(WAYS)('%s', (_, connect) => {
    it.each([['polling and websocket'], ['polling'], ['websocket']])(
      'receives every event with payload and meta, by %s [D7.2]',
      async (transport) => {
        const { url } = await start();
        const client = await keep(connect(url, transport.includes(' ') ? {} : { transports: [transport] })).connected();
        const created = partCreated('1');
        const { epoch } = await bus.streamState();
        await bus.publish([created, measurementsCreated(['a', 'b'])]);
        await client.has(3);
        expect(client.received[0]).toEqual({
          name: 'PartCreated',
          data: { PartUuid: '1', ParentPartUuid: 'root' },
          meta: { id: `${created.id}.0`, time: created.time, sequence: `${epoch}.1.0` },
        });
        expect(client.received.slice(1).map(({ data, meta }) => [data['MeasurementUuid'], meta.sequence])).toEqual([
          ['a', `${epoch}.2.0`],
          ['b', `${epoch}.2.1`],
        ]);
      },
    );
  });

  it('serves both ways, each namespace and each case of letters at the same time, each event once [I5, D7.2]', async () => {
    const { url } = await start();
    const all = [
      ...WAYS.map(([, connect]) => keep(connect(url))),
      keep(new TestClient(url)),
      keep(new TestClient(`${url}/events/`)),
      keep(new TestClient(`${url}/Events`, { path: '/Events' })),
    ];
    for (const client of all) await client.connected();
    await bus.publish([partCreated('1')]);
    for (const client of all) await client.has(1);
    await bus.publish([partCreated('2')]);
    for (const client of all) await client.has(2);
    expect(all.map(({ uuids }) => uuids)).toEqual(all.map(() => ['1', '2']));
  });

  it('leaves other addresses to their services, and refuses unknown ones with the error body of the product [I5, D1.1, D7.2]', async () => {
    const { url } = await start();
    expect(await (await fetch(`${url}/eventServiceRest/`)).json()).toEqual({ supportedVersions: ['1.0.0'] });
    const other = await fetch(`${url}/eventsfoo`);
    expect(other.status).toBe(404);
    expect(await other.json()).toMatchObject({ ExceptionType: 'NotFound' });
    const person = await fetch(`${url}/socket.io`);
    expect(person.status).toBe(400);
    expect(await person.json()).toMatchObject({ ExceptionType: 'InvalidRequest', message: expect.stringContaining('Socket.IO') });
    const noNamespace = keep(new TestClient(`${url}/elsewhere`));
    const refused = await new Promise<Error>((resolve) => noNamespace.socket.once('connect_error', resolve));
    expect(refused.message).toBe('Invalid namespace');
  });

  it('never sends what is meant for services only', async () => {
    const { url } = await start();
    const client = await open(url);
    const modified = { ...measurementsCreated(['1']), type: 'MeasurementModified' as const };
    await bus.publish([{ ...modified, data: { ...modified.data, removedCharacteristics: ['secret'] } }]);
    await client.has(1);
    expect(JSON.stringify(client.received)).not.toContain('secret');
  });

  describe('subscriptions', () => {
    it('select the events that a client gets [D7.2]', async () => {
      const { url } = await start();
      const client = await open(url);
      expect(await client.ask('subscribe', { events: ['PartCreated'], partPath: '/A/' })).toEqual({ ok: true });
      expect(await client.ask('subscribe', { events: ['MeasurementCreated'] })).toEqual({ ok: true });
      await bus.publish([partCreated('1', 'pa/'), partCreated('2', 'pb/'), measurementsCreated(['3'], 'pb/'), partMoved('pa/', 'pc/')]);
      await client.has(2);
      expect(await client.ask('unsubscribe', { events: ['measurementcreated'] })).toEqual({ ok: true });
      await bus.publish([measurementsCreated(['4'], 'pa/'), partCreated('5', 'pa/pd/')]);
      await client.has(3);
      expect(await client.ask('unsubscribe')).toEqual({ ok: true });
      await bus.publish([partCreated('6', 'pz/')]);
      await client.has(4);
      expect(client.uuids).toEqual(['1', '3', '5', '6']);
    });

    it('are refused with a message when they are invalid, and change nothing [D7.2]', async () => {
      const { url } = await start();
      const client = await open(url);
      for (const bad of [{ events: ['Nonsense'] }, { events: 1 }, { partPath: '/a//b' }, { partpath: 'a' }, 'PartCreated', 5, [1]]) {
        expect([bad, await client.ask('subscribe', bad)]).toEqual([bad, { error: expect.any(String) }]);
      }
      expect(await client.ask('unsubscribe', { events: ['PartCreated'] })).toEqual({ error: expect.stringContaining('no subscription') });
      await bus.publish([partCreated('1')]);
      await client.has(1);
    });

    it.each(['Subscribe', 'PartCreated', 'toString', 'error', '', 'x'.repeat(5000)])(
      'are answered with the known names for %j, which is none [D7.2]',
      async (name) => {
        const { url } = await start();
        const client = await open(url);
        const { error } = (await client.ask(name, { events: ['PartMoved'] })) as { error: string };
        expect(error).toMatch(/^There is no request ".*"\. Known are subscribe, unsubscribe, reauthenticate, position\.$/);
        expect(error.length).toBeLessThan(200);
        client.socket.emit(name, 1);
        await bus.publish([partCreated('1')]);
        await client.has(1);
      },
    );

    it('work without an acknowledgement, and with an acknowledgement only', async () => {
      const { url } = await start();
      const client = await open(url);
      client.socket.emit('subscribe', { events: ['Nonsense'] });
      client.socket.emit('subscribe', { events: ['PartMoved'] });
      client.socket.emit('subscribe');
      expect(await client.ask('unsubscribe', {})).toEqual({ ok: true });
      await bus.publish([partCreated('1')]);
      await client.has(1);
    });

    it('are limited in number and in how fast they come; a flood ends the connection', async () => {
      let skippedMs = 0;
      const { url } = await start({ nowMs: () => performance.now() + skippedMs });
      const many = await open(url);
      for (let i = 0; i < 20; i += 1) expect(await many.ask('subscribe', { partPath: `p${i}` })).toEqual({ ok: true });
      skippedMs = 1_050;
      expect(await many.ask('subscribe', { partPath: 'one more' })).toEqual({ error: expect.stringContaining('at most 20') });
      const answers = await Promise.all(Array.from({ length: 60 }, () => many.ask('subscribe', { partPath: 'p1' })));
      expect(answers).toContainEqual({ error: expect.stringContaining('Too many requests') });
      const ended = new Promise<string>((resolve) => many.socket.once('disconnect', resolve));
      for (let i = 0; i < 1_000; i += 1) many.socket.emit('anything', i);
      expect(await ended).toBe('io server disconnect');
    });

    it('of more than 64 KiB end the connection and nothing else', async () => {
      const { url } = await start();
      const [big, calm] = [await open(url, { transports: ['websocket'], reconnection: false }), await open(url)];
      const ended = new Promise((resolve) => big.socket.once('disconnect', resolve));
      big.socket.emit('subscribe', { partPath: 'x'.repeat(70_000) });
      await ended;
      await bus.publish([partCreated('1')]);
      await calm.has(1);
    });
  });

  describe('resuming', () => {
    it('sends missed events in order, from the middle of a message, then new ones [D7.2]', async () => {
      const { url } = await start();
      const first = await open(url);
      await bus.publish([measurementsCreated(['1', '2', '3'])]);
      await first.has(3);
      first.socket.disconnect();
      await bus.publish([partCreated('4'), partCreated('5')]);
      const lastSequence = first.received[0]?.meta.sequence;
      for (const [, connect] of WAYS) {
        const again = await keep(connect(url, { auth: { lastSequence } })).connected();
        await again.has(4);
        expect(again.uuids).toEqual(['2', '3', '4', '5']);
        expect(again.received.slice(0, 2)).toEqual(first.received.slice(1));
      }
      await bus.publish([partCreated('6')]);
      for (const client of clients.slice(1)) await client.has(5);
      expect(clients.slice(1).map(({ uuids }) => uuids.at(-1))).toEqual(['6', '6']);
    });

    it('works with a stock client that reconnects by itself after a broken connection', async () => {
      const { url, server } = await start();
      const client = keep(
        new TestClient(`${url}/events`, {
          transports: ['websocket'],
          auth: (give: (auth: object) => void) => give({ lastSequence: client.received.at(-1)?.meta.sequence }),
        }),
      );
      const tcp: TcpSocket[] = [];
      server.on('connection', (socket) => tcp.push(socket));
      await client.connected();
      for (let i = 0; i < 30; i += 1) {
        await bus.publish([measurementsCreated([`${i}a`, `${i}b`])]);
        if (i % 10 === 5) tcp.splice(0).forEach((socket) => socket.destroy());
        await sleep(5);
      }
      await eventually(() => client.uuids.at(-1) === '29b');
      expect(client.uuids).toEqual(Array.from({ length: 30 }, (_, i) => [`${i}a`, `${i}b`]).flat());
    });

    it('works for a client that has had no event yet, from the position that it asked for [D7.2]', async () => {
      const { url } = await start();
      const first = await open(url);
      await bus.publish([measurementsCreated(['1', '2'])]);
      await first.has(2);
      const idle = await open(url);
      const answer = (await idle.ask('position')) as { ok: true; sequence: string };
      expect(answer).toEqual({ ok: true, sequence: expect.any(String) });
      idle.socket.disconnect();
      await bus.publish([partCreated('3')]);
      await first.has(3);
      const again = await open(url, { auth: { lastSequence: answer.sequence } });
      await again.has(1);
      expect(again.uuids).toEqual(['3']);
    });

    it.each([
      ['of another stream', () => 'otherepoch.1.0'],
      ['that was never there', (epoch: string) => `${epoch}.999.0`],
      ['that is malformed', () => 'yesterday'],
      ['that is no text', () => ({ sequence: 1 })],
      ['that is no longer kept', (epoch: string) => `${epoch}.2.0`],
    ])('tells of a gap for a sequence %s, then sends what comes [D7.2]', async (_, sequence) => {
      const { url, service } = await start();
      await bus.publish(Array.from({ length: 30 }, (_unused, i) => partCreated(String(i))));
      await eventually(async () => (await service.health()).some(({ detail }) => detail.includes('message 30, 0 behind')));
      await log.trim();
      const { epoch } = await bus.streamState();
      const client = await open(url, { auth: { lastSequence: sequence(epoch) } });
      await client.has(1);
      await bus.publish([partCreated('next')]);
      await client.has(2);
      expect(client.received.map(({ name, data }) => [name, data['PartUuid']])).toEqual([
        ['Gap', undefined],
        ['PartCreated', 'next'],
      ]);
      expect(client.received[0]?.data).toEqual({});
    });

    it('applies subscriptions and rights to what was missed', async () => {
      const { url } = await start({ authenticator: new TestAuthenticator({ anna: reader('a', { plan: PathScope.below('pa/') }) }) });
      const first = await open(url, { auth: { token: 'anna' } });
      await bus.publish([partCreated('1', 'pa/')]);
      await first.has(1);
      first.socket.disconnect();
      await bus.publish([partCreated('2', 'pb/'), partCreated('3', 'pa/')]);
      const again = await open(url, { auth: { token: 'anna', lastSequence: first.received[0]?.meta.sequence } });
      await bus.publish([partCreated('4', 'pa/')]);
      await again.has(2);
      expect(again.uuids).toEqual(['3', '4']);
    });
  });

  describe('rights', () => {
    it('decide who gets what of one stream [I169, D8.4]', async () => {
      const authenticator = new TestAuthenticator({ anna: reader('a', { plan: PathScope.below('pa/') }), root: EVERYONE });
      const { url } = await start({ authenticator });
      const [all, limited] = [await open(url, { auth: { token: 'root' } }), await open(url, { auth: { token: 'anna' } })];
      await bus.publish([partCreated('1', 'pb/'), measurementsCreated(['2'], 'pa/'), partMoved('pa/x/', 'pb/x/'), partCreated('3', 'pa/')]);
      await all.has(4);
      await limited.has(2);
      expect(all.uuids).toEqual(['1', '2', 'moved', '3']);
      expect(limited.received.map(({ data }) => data)).toEqual([
        { PartUuid: 'moved', FromPath: 'P:/pa/x/', ToPath: '' },
        { PartUuid: '3', ParentPartUuid: 'root' },
      ]);
    });

    it('refuse unknown credentials with a readable code [D8.4]', async () => {
      const { url } = await start({ authenticator: new TestAuthenticator() });
      const client = keep(new TestClient(`${url}/events`));
      const error = await new Promise<Error & { data?: unknown }>((resolve) => client.socket.once('connect_error', resolve));
      expect(error).toMatchObject({ message: 'these credentials are not known', data: { code: 'Unauthenticated' } });
    });
  });

  it('moves a client that does not read to catching up, holds little for it, and loses nothing', async () => {
    const { url, service } = await start({ env: { SINEBAR_SOCKET_BUFFER_BYTES: '65536' } });
    const proxy = await cuttableProxy('127.0.0.1', Number(new URL(url).port));
    proxies.push(proxy);
    const slow = await open(`http://127.0.0.1:${proxy.port}`, { transports: ['websocket'] });
    proxy.stall('answers');
    const total = 400;
    const wide = 'x'.repeat(2_000);
    for (let i = 0; i < total; i += 1) {
      await bus.publish([measurementsCreated(Array.from({ length: 20 }, (_, k) => `${i}.${k}.${wide}`))]);
      if (i % 20 === 0) await sleep(10);
    }
    await eventually(async () => (await service.health()).every(({ detail }) => !/[1-9]\d* behind/.test(detail)));
    const clientsDetail = async () => (await service.health()).find(({ name }) => name === 'event clients')?.detail;
    await eventually(async () => expect(await clientsDetail()).toBe('1 connected, 1 of them catching up'));
    proxy.restore();
    await slow.has(total * 20);
    expect(slow.uuids.map((uuid) => String(uuid).slice(0, -2_001))).toEqual(
      Array.from({ length: total }, (_, i) => Array.from({ length: 20 }, (_unused, k) => `${i}.${k}`)).flat(),
    );
    expect(slow.names).not.toContain('Gap');
    await eventually(async () => expect(await clientsDetail()).toBe('1 connected, 0 of them catching up'));
  });

  describe('settings', () => {
    it('turn polling off', async () => {
      const { url } = await start({ env: { SINEBAR_SOCKET_POLLING: 'off' } });
      expect((await fetch(`${url}/events/?EIO=4&transport=polling`)).status).toBe(400);
      await open(url, { transports: ['websocket'] });
    });

    it('admit pages of listed origins, and refuse others', async () => {
      const handshake = (url: string) =>
        fetch(`${url}/events/?EIO=4&transport=polling`, { headers: { origin: 'https://console.example' } });
      const closed = await handshake((await start()).url);
      expect(closed.status).toBe(403);
      expect(closed.headers.get('access-control-allow-origin')).toBeNull();
      const open = await handshake((await start({ env: { SINEBAR_CORS_ORIGINS: 'https://console.example' } })).url);
      expect(open.status).toBe(200);
      expect(open.headers.get('access-control-allow-origin')).toBe('https://console.example');
    });
  });

  describe('while the broker is away', () => {
    const failing = { subscribe: () => Promise.reject(new Error('away')), streamState: () => Promise.reject(new Error('away')) };

    it('starts, is not ready, refuses clients, and serves them when the broker is back', async () => {
      let away = true;
      const late: TestGatewayOptions['bus'] = {
        subscribe: (options) => (away ? failing.subscribe() : bus.subscribe(options)),
        streamState: () => (away ? failing.streamState() : bus.streamState()),
        streamUsage: () => (away ? failing.streamState() : bus.streamUsage()),
        status: () => ({ connected: !away, description: away ? 'away' : 'here' }),
      };
      const { url, service } = await start({ bus: late });
      expect((await service.health()).map(({ healthy }) => healthy)).toEqual([false, false, true]);
      const refused = await fetch(`${url}/events/?EIO=4&transport=polling`);
      expect(refused.status).toBe(503);
      expect(refused.statusText).toBe('Service unavailable, try again later');
      const client = keep(new TestClient(`${url}/events`));
      await new Promise((resolve) => client.socket.once('connect_error', resolve));
      expect(client.socket.connected).toBe(false);
      away = false;
      await client.connected();
      await bus.publish([partCreated('1')]);
      await client.has(1);
      await eventually(async () => (await service.health()).every(({ healthy }) => healthy));
    });
  });

  it('ends connections when it stops so that stock clients reconnect by themselves', async () => {
    const gateway = await start();
    const all = [await open(gateway.url, { transports: ['websocket'] }), await open(gateway.url, { transports: ['polling'] })];
    const reasons = all.map(({ socket }) => new Promise<string>((resolve) => socket.once('disconnect', resolve)));
    const begun = performance.now();
    await gateway.service.stop();
    for (const reason of reasons) expect(await reason).not.toBe('io server disconnect');
    expect(performance.now() - begun).toBeLessThan(10_000);
    expect((await fetch(`${gateway.url}/events/?EIO=4&transport=polling`)).status).toBe(503);
  });

  it('lets a server that is being closed end in spite of open sockets', async () => {
    const gateway = await start();
    await open(gateway.url, { transports: ['websocket'], reconnection: false });
    await open(gateway.url, { transports: ['polling'], reconnection: false });
    let closed = false;
    gateway.server.close(() => (closed = true));
    await eventually(() => (gateway.server.closeIdleConnections(), closed));
  });

  it('survives requests that are not Socket.IO', async () => {
    const { url } = await start();
    const port = Number(new URL(url).port);
    for (const bytes of [
      'POST /events/?EIO=4&transport=polling HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\n\r\nhello',
      'GET /events/?EIO=4&transport=polling&sid=../../etc HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
      'GET /events/?EIO=3&transport=flashsocket HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
      'GET /events/?%zz=%00&EIO[]=4 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
      'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    ]) {
      const answer = await new Promise<string>((resolve) => {
        const socket = connectTcp(port, '127.0.0.1', () => socket.write(bytes));
        socket.once('data', (chunk) => (resolve(chunk.toString()), socket.destroy()));
        socket.once('close', () => resolve('closed'));
        socket.on('error', () => undefined);
      });
      expect([bytes, answer]).toEqual([bytes, expect.stringMatching(/^HTTP\/1\.1 4\d\d |^closed$/)]);
    }
    const polling = `${url}/events/?EIO=4&transport=polling`;
    for (const body of ['9garbage', '4{"type":', '42/events,["subscribe"', '451-["subscribe",{"_placeholder":true,"num":0}]']) {
      const { sid } = JSON.parse((await (await fetch(polling)).text()).slice(1)) as { sid: string };
      await fetch(`${polling}&sid=${sid}`, { method: 'POST', body });
      // The poll receives the answer, which ends the session.
      expect([200, 400]).toContain((await fetch(`${polling}&sid=${sid}`)).status);
    }
    const client = await open(url);
    await bus.publish([partCreated('1')]);
    await client.has(1);
  });
});
