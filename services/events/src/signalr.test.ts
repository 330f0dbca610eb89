import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { EVERYONE } from '@sinebar/access-control';
import { eventually } from '@sinebar/testing';
import { TestBench } from './bench.fixture.ts';
import { TestAuthenticator } from './gateway.fixture.ts';
import {
  HANDSHAKE,
  messagesIn,
  RawHub,
  switchableLine,
  TestHubClient,
  TRANSPORTS,
  type HubClientOptions,
  type TransportOfTests,
} from './signalr-client.fixture.ts';
import { change, measurementsCreated, partCreated, partMoved } from './test-changes.fixture.ts';

describe('SignalR', () => {
  let bench: TestBench;
  const clients: TestHubClient[] = [];
  const lines: { close: () => void }[] = [];
  beforeEach(() => {
    bench = new TestBench();
  });
  afterEach(async () => {
    for (const { connection } of clients.splice(0)) await connection.stop();
    for (const line of lines.splice(0)) line.close();
    await bench.end();
  });

  async function open(url: string, transport: TransportOfTests, options?: HubClientOptions): Promise<TestHubClient> {
    const client = new TestHubClient(url, transport, options);
    clients.push(client);
    await client.connection.start();
    return client;
  }

  describe.each(TRANSPORTS)('over %s', (transport) => {
    it('brings every event, in order, with one argument [S12, S30, S31]', async () => {
      const { url } = await bench.start();
      const client = await open(url, transport);
      const uuids = Array.from({ length: 300 }, (_, i) => String(i));
      for (const uuid of uuids) await bench.bus.publish([partCreated(uuid)]);
      await client.has(uuids.length);
      expect(client.uuids).toEqual(uuids);
      expect([...client.argumentCounts]).toEqual([1]);
    });

    it('brings the fields in camel case, and when the change was [S19, S27]', async () => {
      const { url } = await bench.start();
      const client = await open(url, transport);
      await bench.bus.publish([
        partMoved('pa/', 'pb/'),
        change('RawDataModified', 'pa/', [{ RawDataEntity: 'Part', TargetUuid: 'target', Key: 0, OldFilename: 'a', NewFilename: 'b' }]),
      ]);
      await client.has(2);
      const meta = { id: expect.any(String), time: '2026-01-02T03:04:05.678Z', sequence: expect.any(String) };
      expect(client.received).toEqual([
        { name: 'PartMoved', data: { partUuid: 'moved', fromPath: 'P:/pa/', toPath: 'P:/pb/', ...meta } },
        {
          name: 'RawDataModified',
          data: { rawDataEntity: 'Part', targetUuid: 'target', key: 0, oldFilename: 'a', newFilename: 'b', ...meta },
        },
      ]);
    });

    it('brings a message of thousands of events, which waits in pieces', async () => {
      const { url } = await bench.start();
      const client = await open(url, transport);
      const uuids = Array.from({ length: 3_000 }, (_, i) => `measurement ${i}`);
      await bench.bus.publish([measurementsCreated(uuids.slice(0, 1_500)), measurementsCreated(uuids.slice(1_500))]);
      await client.has(uuids.length);
      expect(client.uuids).toEqual(uuids);
    });

    it('answers the call of a method [S22]', async () => {
      const { url } = await bench.start();
      const client = await open(url, transport);
      await expect(client.connection.invoke('Subscribe', {})).rejects.toThrow(/Method does not exist\./);
    });

    it('lets a client stop and forgets it [S24]', async () => {
      const { url, service } = await bench.start();
      const client = await open(url, transport);
      const detail = async () => (await service.health()).find(({ name }) => name === 'event clients')?.detail;
      await eventually(async () => expect(await detail()).toBe('1 connected, 0 of them catching up'));
      await client.connection.stop();
      await eventually(async () => expect(await detail()).toBe('0 connected, 0 of them catching up'));
    });

    it('sends its clients to another gateway when it stops [S24]', async () => {
      const [first, second] = [await bench.start(), await bench.start()];
      const line = await switchableLine(first.url);
      lines.push(line);
      const client = await open(line.url, transport, { retryMs: [50, 100, 200, 400, 800] });
      await bench.bus.publish([partCreated('1')]);
      await client.has(1);
      line.switchTo(second.url);
      await first.service.stop();
      first.server.closeAllConnections();
      await eventually(() => expect(client.reconnections).toBe(1));
      await bench.bus.publish([partCreated('2')]);
      await client.has(2);
      expect(client.uuids).toEqual(['1', '2']);
    });
  });

  it('and Socket.IO bring the same event [S28]', async () => {
    const { url } = await bench.start();
    const [hub, socket] = [await open(url, 'WebSockets'), await bench.open(url)];
    await bench.bus.publish([partCreated('1')]);
    await Promise.all([hub.has(1), socket.has(1)]);
    const { PartUuid, ParentPartUuid } = socket.received[0]?.data ?? {};
    expect(hub.received[0]?.data).toEqual({ partUuid: PartUuid, parentPartUuid: ParentPartUuid, ...socket.received[0]?.meta });
  });

  it('is found by a WebSocket without negotiation [S11]', async () => {
    const { url } = await bench.start();
    const client = await open(url, 'WebSockets', { skipNegotiation: true });
    await bench.bus.publish([partCreated('1')]);
    await client.has(1);
    expect(client.uuids).toEqual(['1']);
  });

  it('is counted by protocol', async () => {
    const { url, service } = await bench.start();
    await open(url, 'LongPolling');
    await bench.open(url);
    const detail = (await service.health()).find(({ name }) => name === 'event clients')?.detail;
    expect(detail).toBe('2 connected, 0 of them catching up');
  });

  describe('signs in', () => {
    let authenticator: TestAuthenticator;
    beforeEach(() => {
      authenticator = new TestAuthenticator({ anna: EVERYONE, bert: EVERYONE });
    });

    it.each(TRANSPORTS)('with a token over %s [S5]', async (transport) => {
      const { url } = await bench.start({ authenticator });
      const client = await open(url, transport, { accessTokenFactory: () => 'anna' });
      await bench.bus.publish([partCreated('1')]);
      await client.has(1);
      expect(client.uuids).toEqual(['1']);
    });

    it('with the header, and not without [S5, S8]', async () => {
      const { url } = await bench.start({ authenticator });
      expect((await new RawHub(url).negotiate()).status).toBe(401);
      expect((await new RawHub(url, { authorization: 'Bearer wrong' }).negotiate()).status).toBe(401);
      expect((await new RawHub(url, { authorization: 'Bearer anna' }).negotiate()).status).toBe(200);
    });

    it('with a token in the query [S5]', async () => {
      const { url } = await bench.start({ authenticator });
      expect((await new RawHub(url).negotiate('?access_token=anna')).status).toBe(200);
      expect((await new RawHub(url).negotiate('?access_token=wrong')).status).toBe(401);
    });

    it('one user for one connection: for another the id is unknown [S9]', async () => {
      const { url } = await bench.start({ authenticator });
      const token = await new RawHub(url, { authorization: 'Bearer anna' }).poll();
      const bert = new RawHub(url, { authorization: 'Bearer bert' });
      expect((await bert.ask('GET', token)).status).toBe(404);
      expect((await bert.send(token, HANDSHAKE)).status).toBe(404);
      expect((await bert.ask('DELETE', token)).status).toBe(404);
      expect((await new RawHub(url).ask('GET', token)).status).toBe(401);
      expect((await new RawHub(url, { authorization: 'Bearer anna' }).send(token, { type: 6 })).status).toBe(200);
    });

    it('for as long as the token lasts, over a poll that waits', async () => {
      const { url } = await bench.start({ authenticator, env: { SINEBAR_TOKEN_WARNING_S: '0' } });
      const hub = new RawHub(url, { authorization: `Bearer anna@${Date.now() + 4_000}` });
      const token = await hub.poll();
      const answer = messagesIn(await (await hub.ask('GET', token)).text());
      expect(answer).toEqual([{ type: 7, error: expect.stringContaining('expired'), allowReconnect: true }]);
    });

    it('again with each request: a newer token of the same user prolongs the connection', async () => {
      const { url } = await bench.start({ authenticator, env: { SINEBAR_TOKEN_WARNING_S: '0' } });
      const end = Date.now() + 4_000;
      const token = await new RawHub(url, { authorization: `Bearer anna@${end}` }).poll();
      const later = new RawHub(url, { authorization: `Bearer anna@${end + 60_000}` });
      const answer = later.ask('GET', token);
      await eventually(() => expect(Date.now()).toBeGreaterThan(end + 200));
      await bench.bus.publish([partCreated('1')]);
      expect(messagesIn(await (await answer).text())).toMatchObject([{ target: 'PartCreated' }]);
    });
  });
});
