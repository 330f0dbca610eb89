import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Writable } from 'node:stream';
import { EVERYONE, PathScope, readPolicy } from '@sinebar/access-control';
import type { EventName } from '@sinebar/contracts';
import { createLogger } from '@sinebar/runtime';
import { EVENT_CASES, eventually, policyOf, ROLE_OF_CASES } from '@sinebar/testing';
import { WebSocket } from 'ws';
import { TestBench } from './bench.fixture.ts';
import { caseMessage, expectedPayloads } from './event-cases.fixture.ts';
import { TestAuthenticator } from './gateway.fixture.ts';
import { END, HANDSHAKE, messagesIn, RawHub, TestHubClient, TRANSPORTS, type HubClientOptions } from './signalr-client.fixture.ts';
import { measurementsCreated, partCreated, partMoved, reader } from './test-changes.fixture.ts';

/** Events of which old clients know nothing. */
const SOCKET_ONLY: readonly EventName[] = [
  'EvaluationModified',
  'NoteCreated',
  'NoteModified',
  'NoteDeleted',
  'AlarmRaised',
  'AlarmChanged',
];

const below = (key: string, ...prefixes: string[]) => reader(key, { plan: PathScope.of(prefixes) });

describe('SignalR', () => {
  let bench: TestBench;
  let authenticator: TestAuthenticator;
  const clients: TestHubClient[] = [];
  beforeEach(() => {
    bench = new TestBench();
    authenticator = new TestAuthenticator({ anna: below('a', 'pa/'), bert: EVERYONE });
  });
  afterEach(async () => {
    for (const { connection } of clients.splice(0)) await connection.stop();
    await bench.end();
  });

  async function open(url: string, user: string, transport: (typeof TRANSPORTS)[number] = 'WebSockets', options: HubClientOptions = {}) {
    const client = new TestHubClient(url, transport, { accessTokenFactory: () => user, ...options });
    clients.push(client);
    await client.connection.start();
    return client;
  }
  const as = (url: string, user: string) => new RawHub(url, { authorization: `Bearer ${user}` });

  it('brings each client the events that the table of access cases gives it [D8.4]', async () => {
    const cases = EVENT_CASES.filter(([, event]) => !SOCKET_ONLY.includes(event));
    const users = [...new Set(cases.map(([who]) => who))];
    users.forEach((who, i) =>
      authenticator.set(`user${i}`, readPolicy(policyOf(who)).principalOf({ name: `user${i}`, password: '', roles: [ROLE_OF_CASES] })),
    );
    const { url } = await bench.start({ authenticator });
    const listening = await Promise.all(users.map((_, i) => open(url, `user${i}`)));
    const bert = await open(url, 'bert');
    for (const [, event, where] of cases) await bench.bus.publish([caseMessage(event, where)]);
    await bert.has(cases.length);
    authenticator.changePolicy(() => users.forEach((_, i) => authenticator.set(`user${i}`, EVERYONE)));
    await bench.bus.publish([partCreated('last')]);
    await eventually(() => expect(listening.map(({ uuids }) => uuids.at(-1))).toEqual(users.map(() => 'last')));

    // Each user saw all messages, so the one of each case is found by its index in the table.
    const seen = cases.map(([who, event, where], i) => {
      const { received } = listening[users.indexOf(who)] as TestHubClient;
      const found = received.filter(({ data }) => data['sequence'] === `${epochOf(received)}.${i + 1}.0`);
      return [who, event, where, found.map(({ name, data }) => [name, data['fromPath'], data['toPath']])];
    });
    const expected = cases.map(([who, event, where, reach]) => [
      who,
      event,
      where,
      expectedPayloads(event, where, reach).map(({ FromPath, ToPath }) => [event, FromPath, ToPath]),
    ]);
    expect(seen).toEqual(expected);
  });

  it('sends no event of which old clients know nothing', async () => {
    const { url } = await bench.start({ authenticator });
    const anna = await open(url, 'anna');
    await bench.bus.publish([partCreated('1', 'pa/'), ...SOCKET_ONLY.map((event) => caseMessage(event, '/a')), partCreated('2', 'pa/')]);
    await anna.has(2);
    expect(anna.received.map(({ name }) => name)).toEqual(['PartCreated', 'PartCreated']);
  });

  it('leaves the side of a move empty that may not be read', async () => {
    const { url } = await bench.start({ authenticator });
    const anna = await open(url, 'anna');
    await bench.bus.publish([partMoved('pa/', 'pb/'), partMoved('pb/', 'pa/')]);
    await anna.has(2);
    expect(anna.received.map(({ data }) => [data['fromPath'], data['toPath']])).toEqual([
      ['P:/pa/', ''],
      ['', 'P:/pa/'],
    ]);
  });

  describe('when the policy changes', () => {
    it.each(TRANSPORTS)('brings open connections the events of the new rights, over %s [D8.4]', async (transport) => {
      const { url } = await bench.start({ authenticator });
      const [anna, bert] = [await open(url, 'anna', transport), await open(url, 'bert')];
      await bench.bus.publish([partCreated('1', 'pa/'), partCreated('2', 'pb/')]);
      await bert.has(2);
      await anna.has(1);
      authenticator.changePolicy(() => authenticator.set('anna', below('a', 'pb/')));
      await bench.bus.publish([partCreated('3', 'pa/'), partCreated('4', 'pb/')]);
      await anna.has(2);
      expect(anna.uuids).toEqual(['1', '4']);
    });

    it('withdraws waiting events that may no longer be seen', async () => {
      const { url } = await bench.start({ authenticator });
      authenticator.set('anna', below('both', 'pa/', 'pb/'));
      const hub = as(url, 'anna');
      const [token, bert] = [await hub.poll(), await open(url, 'bert')];
      await bench.bus.publish([partCreated('1', 'pa/'), partCreated('2', 'pb/'), partCreated('3', 'pa/')]);
      await bert.has(3);
      authenticator.changePolicy(() => authenticator.set('anna', below('b', 'pb/')));
      await bench.bus.publish([partCreated('4', 'pb/')]);
      const seen: unknown[] = [];
      while (seen.length < 2) seen.push(...messagesIn(await (await hub.ask('GET', token)).text()));
      expect(seen).toMatchObject([{ arguments: [{ partUuid: '2' }] }, { arguments: [{ partUuid: '4' }] }]);
    });

    it('ends the connection of a user who has been removed', async () => {
      const { url } = await bench.start({ authenticator });
      const anna = await open(url, 'anna');
      authenticator.changePolicy(() => authenticator.users.delete('anna'));
      expect((await anna.hasEnded())?.message).toContain('this user is no longer known');
      expect((await as(url, 'anna').negotiate()).status).toBe(401);
    });
  });

  it('ends a connection whose token has expired, over each transport, and sends it nothing more [D8.4]', async () => {
    const { url } = await bench.start({ authenticator });
    const end = Date.now() + 3_000;
    const all = await Promise.all(TRANSPORTS.map((transport) => open(url, `bert@${end}`, transport)));
    await bench.bus.publish([partCreated('1')]);
    for (const client of all) await client.has(1);
    await eventually(() => expect(Date.now()).toBeGreaterThanOrEqual(end));
    await bench.bus.publish([partCreated('2')]);
    for (const client of all) expect((await client.hasEnded())?.message).toContain('expired');
    expect(all.map(({ uuids }) => uuids)).toEqual([['1'], ['1'], ['1']]);
  });

  it('sends a slow client its events at its own pace', async () => {
    const { url, service } = await bench.start({ env: { SINEBAR_SOCKET_BUFFER_BYTES: '65536' } });
    const { proxy, url: slowUrl } = await bench.proxy(url);
    const socket = new WebSocket(`${slowUrl.replace('http', 'ws')}/events`);
    let text = '';
    socket.on('message', (frame: Buffer) => (text += frame.toString()));
    await eventually(() => socket.readyState === WebSocket.OPEN);
    socket.send(`${JSON.stringify(HANDSHAKE)}${END}`);
    await eventually(() => text.startsWith(`{}${END}`));
    proxy.stall('answers');
    const wide = 'x'.repeat(2_000);
    const total = 6_000;
    for (let i = 0; i < total; i += 20) {
      await bench.bus.publish([measurementsCreated(Array.from({ length: 20 }, (_, k) => `${i + k}.${wide}`))]);
    }
    const detail = async () => (await service.health()).find(({ name }) => name === 'event clients')?.detail;
    await eventually(async () => expect(await detail()).toBe('1 connected, 1 of them catching up'));
    proxy.restore();
    await bench.bus.publish([partCreated('last')]);
    await eventually(() => text.includes('"partUuid":"last"'));
    const uuids = messagesIn(text)
      .map(({ arguments: args }) => (args as { measurementUuid?: string }[] | undefined)?.[0]?.measurementUuid)
      .filter((uuid) => uuid !== undefined);
    expect(uuids.map((uuid) => uuid.split('.')[0])).toEqual(Array.from({ length: total }, (_, i) => String(i)));
    socket.terminate();
  });

  describe('is limited', () => {
    it('per user, over both protocols together', async () => {
      const { url } = await bench.start({ authenticator, env: { SINEBAR_SOCKETS_PER_USER: '2' } });
      const anna = await open(url, 'anna');
      await bench.open(url, { auth: { token: 'anna' } });
      const refused = await as(url, 'anna').negotiate();
      expect(refused.status).toBe(429);
      expect(refused.headers.get('retry-after')).toBe('30');
      await anna.connection.stop();
      await eventually(async () => expect((await as(url, 'anna').negotiate()).status).toBe(200));
    });

    it('per address, negotiations that lead to nothing included', async () => {
      const { url } = await bench.start({ env: { SINEBAR_SOCKETS_PER_ADDRESS: '2' }, hubTimes: { handshakeMs: 500, pingMs: 200 } });
      const hub = new RawHub(url);
      await hub.negotiate();
      await hub.negotiate();
      expect((await hub.negotiate()).status).toBe(429);
      await eventually(async () => expect((await hub.negotiate()).status).toBe(200));
    });
  });

  describe('for pages', () => {
    const PAGE = 'https://console.example';
    const preflight = (url: string, origin: string) =>
      fetch(`${url}/events/negotiate`, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-requested-with' },
      });

    it('of a listed origin allows what the client sends, with credentials [S4]', async () => {
      const { url } = await bench.start({ env: { SINEBAR_CORS_ORIGINS: PAGE } });
      const { status, headers } = await preflight(url, PAGE);
      expect(status).toBe(204);
      expect(headers.get('access-control-allow-origin')).toBe(PAGE);
      expect(headers.get('access-control-allow-credentials')).toBe('true');
      expect(headers.get('access-control-allow-methods')).toBe('GET, POST, DELETE');
      const allowed = (headers.get('access-control-allow-headers') ?? '').split(', ');
      expect(allowed).toEqual(expect.arrayContaining(['authorization', 'x-requested-with', 'x-signalr-user-agent']));
      const answer = await new RawHub(url).negotiate('', { origin: PAGE });
      expect(answer.headers.get('access-control-allow-origin')).toBe(PAGE);
      expect(answer.headers.get('vary')).toBe('Origin');
    });

    it('of any origin allows no credentials that a browser keeps', async () => {
      const { url } = await bench.start({ env: { SINEBAR_CORS_ORIGINS: '*' } });
      const { headers } = await new RawHub(url).negotiate('', { origin: PAGE });
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-allow-credentials')).toBeNull();
    });

    it('of another origin is refused, whatever they ask for', async () => {
      const { url } = await bench.start({ env: { SINEBAR_CORS_ORIGINS: PAGE } });
      const origin = 'https://elsewhere.example';
      const hub = new RawHub(url);
      const token = await hub.poll();
      expect((await preflight(url, origin)).status).toBe(403);
      expect((await hub.negotiate('', { origin })).status).toBe(403);
      for (const method of ['GET', 'POST', 'DELETE']) expect((await hub.ask(method, token, { headers: { origin } })).status).toBe(403);
      const sse = await hub.ask('GET', await hub.token(), { headers: { origin, accept: 'text/event-stream' } });
      expect(sse.status).toBe(403);
      const refused = new Promise<string>((resolve) =>
        new WebSocket(`${url.replace('http', 'ws')}/events`, { origin }).once('error', ({ message }) => resolve(message)),
      );
      expect(await refused).toContain('403');
    });
  });

  it('writes no secrets into the log [S5]', async () => {
    let written = '';
    const destination = new Writable({ write: (chunk: Buffer, _encoding, done) => ((written += chunk.toString()), done()) });
    authenticator.set('s3cret-query', EVERYONE);
    const { url } = await bench.start({ authenticator, log: createLogger({ service: 'events', level: 'trace', destination }) });
    await new RawHub(url).negotiate('?access_token=wr0ng-query');
    await new RawHub(url, { authorization: 'Basic d3JvbmctaGVhZGVy' }).negotiate();
    await fetch(`${url}/Events/Negotiate/x?access_token=p4th-query`, { method: 'POST' });
    await fetch(`${url}/events?id=x&access_token=unkn0wn-query`);
    const tokens: string[] = [];
    for (const transport of TRANSPORTS) {
      const client = await open(url, `s3cret-query@${Date.now() + 60_000}`, transport);
      tokens.push(String(client.connection.connectionId));
      await bench.bus.publish([partCreated('1')]);
      await client.has(1);
    }
    const hub = new RawHub(url, { authorization: 'Bearer bert' });
    const token = await hub.poll();
    await hub.ask('POST', token, { body: `no message${END}` });
    await hub.negotiate('?negotiateVersion=x&access_token=f4iled-query');
    expect(written).toContain('a client was not admitted');
    for (const secret of [
      'wr0ng-query',
      'd3JvbmctaGVhZGVy',
      'p4th-query',
      'unkn0wn-query',
      's3cret-query@',
      'f4iled-query',
      'access_token',
      token,
    ]) {
      expect([secret, written.includes(secret)]).toEqual([secret, false]);
    }
  });

  it.each([
    [undefined, ['None']],
    [['Basic', 'OpenIDConnect'] as const, ['Basic', 'OpenIDConnect']],
  ])('tells how to sign in, without credentials: %j [S2]', async (authenticationTypes, expected) => {
    const { url } = await bench.start({ authenticator, ...(authenticationTypes && { authenticationTypes }) });
    const answer = await fetch(`${url}/.well-known/serverconfiguration`);
    expect(await answer.json()).toEqual({ authentication_types_supported: expected });
  });
});

function epochOf(received: TestHubClient['received']): string {
  return String(received.at(-1)?.data['sequence']).split('.')[0] ?? '';
}
