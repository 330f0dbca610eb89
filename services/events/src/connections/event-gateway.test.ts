import { afterEach, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { ServiceError } from '@sinebar/contracts';
import { BrowserGuard, deferContinue, offersWebSocket } from '@sinebar/http';
import { eventually } from '@sinebar/testing';
import { attachEventEndpoints, eventProtocolOf, type EventEndpoint } from './event-gateway.ts';

describe('addresses of events', () => {
  it.each([
    '/events?EIO=4',
    '/events/?EIO=4&transport=polling',
    '/EVENTS/?transport=websocket&EIO=4',
    '/socket.io/?EIO=4',
    '/Socket.IO',
    'http://host:80/events/?x=1&EIO=4',
  ])('give %s to Socket.IO [D7.2]', (url) => expect(eventProtocolOf(url)).toBe('socket.io'));
  it.each([
    '/events',
    '/events/',
    '/EVENTS?id=x',
    '/events?id=EIO=4',
    '/events?access_token=x',
    '/events/negotiate',
    '/Events/Negotiate/?negotiateVersion=1',
    '/events/negotiate?EIO=4',
    'http://host:80/events/?x=1',
  ])('give %s to SignalR [D7.2]', (url) => expect(eventProtocolOf(url)).toBe('signalr'));
  it.each([
    '/eventServiceRest/',
    '/eventServiceRest/changes?after=/events/',
    '/eventsfoo',
    '/events.js',
    '/events/x',
    '/events/negotiate/x',
    '/events/negotiatefoo',
    '/negotiate',
    '/events//',
    '//events',
    '/socket.iox',
    '/socket.io/socket.io.js',
    '/socket.io/negotiate',
    '/dataServiceRest/parts?partPath=/events',
    '/x/events',
    '/%65vents',
    '/',
    '',
    'http://events/',
    undefined,
  ])('leave %s alone [D7.2]', (url) => expect(eventProtocolOf(url)).toBeUndefined());
});

describe('one server for sockets and everything else', () => {
  const servers: Server[] = [];
  afterEach(() => servers.splice(0).forEach((server) => (server.closeAllConnections(), server.close())));

  async function start(
    refusal?: ServiceError,
    prepare: (server: Server) => void = () => {},
    guard = new BrowserGuard({ isOpen: false }),
  ): Promise<number> {
    const server: Server = createServer({ shouldUpgradeCallback: offersWebSocket }, (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => response.end(`app ${request.method} ${request.url} ${Buffer.concat(chunks).toString()}`));
    });
    servers.push(server);
    prepare(server);
    const endpoint = (name: string): EventEndpoint => ({
      request: (_request, response) => void response.end(name),
      upgrade: (_request, socket) => void socket.end(`HTTP/1.1 101 Switching Protocols\r\n\r\n${name}`),
      refusal: () => refusal,
    });
    attachEventEndpoints(server, { 'socket.io': endpoint('sockets'), signalr: endpoint('hub') }, guard);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  }

  /** Sends the pieces in turn and returns the response until the server closes, or until half a second after its last byte. */
  async function talk(port: number, ...pieces: string[]): Promise<string> {
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    let lastByteMs = Infinity;
    socket.on('data', (chunk) => {
      answer += chunk.toString();
      lastByteMs = performance.now();
    });
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    for (const piece of pieces) {
      socket.write(piece);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await Promise.race([closed, eventually(() => performance.now() - lastByteMs > 500, 'an answer')]);
    socket.destroy();
    return answer;
  }
  const websocket = (path: string) =>
    `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
    'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n';

  it.each(['/events', '/events?EIO=4&transport=websocket', '/socket.io/?EIO=4', '/elsewhere'])(
    'refuses a socket at %s with two Host headers [D10.6]',
    async (path) => {
      const port = await start();
      const twoHosts = (text: string) => text.replace('Host: x', 'Host: x\r\nhost: x');
      expect(await talk(port, twoHosts(websocket(path)))).toMatch(/^HTTP\/1\.1 400 [^]*2 Host headers/);
      if (path !== '/elsewhere') {
        expect(await talk(port, twoHosts(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`))).toMatch(/^HTTP\/1\.1 400 [^]*2 Host headers/);
      }
    },
  );

  it('passes each request to its own listener only', async () => {
    const port = await start();
    const text = async (path: string) => await (await fetch(`http://127.0.0.1:${port}${path}`)).text();
    expect(await text('/events/?EIO=4')).toBe('sockets');
    expect(await text('/socket.io')).toBe('sockets');
    expect(await text('/events?id=x')).toBe('hub');
    expect(await text('/events/negotiate')).toBe('hub');
    expect(await text('//events//?EIO=4')).toBe('sockets');
    expect(await text('///socket.io/?EIO=4')).toBe('sockets');
    expect(await text('//events//negotiate')).toBe('hub');
    expect(await text('/%2Fevents/?EIO=4')).toBe('app GET /%2Fevents/?EIO=4 ');
    expect(await text('/events/%2Fnegotiate')).toBe('app GET /events/%2Fnegotiate ');
    expect(await text('/eventServiceRest/')).toBe('app GET /eventServiceRest/ ');
    expect(await text('/eventsfoo')).toBe('app GET /eventsfoo ');
  });

  it('asks clients that wait for 100 (Continue) for their bodies, unless it refuses them [D6.10]', async () => {
    const waiting = 'POST /events?id=x HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n';
    expect(await talk(await start(undefined, deferContinue), waiting)).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
    const refusal = new ServiceError('Unavailable', 'no events now');
    expect(await talk(await start(refusal, deferContinue), waiting)).toMatch(/^HTTP\/1\.1 503 /);
  });

  it('accepts WebSockets at its own addresses and answers others with 404', async () => {
    const port = await start();
    expect(await talk(port, websocket('/events/?EIO=4'))).toMatch(/^HTTP\/1\.1 101 .*sockets$/s);
    expect(await talk(port, websocket('/events?id=x'))).toMatch(/^HTTP\/1\.1 101 .*hub$/s);
    expect(await talk(port, websocket('//events//?EIO=4'))).toMatch(/^HTTP\/1\.1 101 .*sockets$/s);
    const refused = await talk(port, websocket('/eventsfoo'));
    expect(refused).toMatch(/^HTTP\/1\.1 404 /);
    expect(JSON.parse(refused.slice(refused.indexOf('\r\n\r\n')))).toMatchObject({
      ExceptionType: 'NotFound',
      Message: expect.any(String),
    });
  });

  it('leaves other upgrades to other listeners when there are some', async () => {
    const port = await start(undefined, (server) => {
      server.on('upgrade', (request, socket) => {
        if (request.url === '/other') socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\nother');
      });
    });
    expect(await talk(port, websocket('/other'))).toMatch(/other$/);
    expect(await talk(port, websocket('/events?EIO=4'))).toMatch(/sockets$/);
  });

  it('reports why no client can connect, over HTTP and WebSocket', async () => {
    const port = await start(new ServiceError('Unavailable', 'no events now', { retryAfterSeconds: 5 }));
    const response = await fetch(`http://127.0.0.1:${port}/events/?EIO=4`);
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('5');
    expect(await response.json()).toMatchObject({ message: 'no events now', ExceptionType: 'Unavailable' });
    expect(await talk(port, websocket('/events/?EIO=4'))).toMatch(/^HTTP\/1\.1 503 .*Retry-After: 5.*no events now/s);
    expect(await (await fetch(`http://127.0.0.1:${port}/parts`)).text()).toBe('app GET /parts ');
  });

  describe('with a page of another origin', () => {
    const page = 'Origin: http://evil.example\r\nSec-Fetch-Site: cross-site\r\nConnection: close\r\n\r\n';
    const upgrade = websocket('/events/?EIO=4').replace(/\r\n\r\n$/, '\r\nOrigin: http://evil.example\r\n\r\n');

    it('refuses its WebSocket', async () => {
      expect(await talk(await start(), upgrade)).toMatch(/^HTTP\/1\.1 403 /);
    });

    it('refuses its polling', async () => {
      expect(await talk(await start(), `GET /events/?EIO=4&transport=polling HTTP/1.1\r\nHost: x\r\n${page}`)).toMatch(/^HTTP\/1\.1 403 /);
    });

    it('refuses an image, which names no origin', async () => {
      const image = 'GET /events/?EIO=4&transport=polling HTTP/1.1\r\nHost: x\r\nSec-Fetch-Site: cross-site\r\nConnection: close\r\n\r\n';
      expect(await talk(await start(), image)).toMatch(/^HTTP\/1\.1 403 /);
    });

    it('admits it when it is listed', async () => {
      const guard = new BrowserGuard({ isOpen: false, SINEBAR_CORS_ORIGINS: ['http://evil.example'] });
      expect(await talk(await start(undefined, undefined, guard), upgrade)).toMatch(/^HTTP\/1\.1 101 /);
    });

    it('refuses its WebSocket to another host name that points to this server', async () => {
      const rebound = websocket('/events/?EIO=4').replace('Host: x', 'Host: evil.example\r\nOrigin: http://evil.example');
      const port = await start(undefined, undefined, new BrowserGuard({ isOpen: true }));
      expect(await talk(port, rebound)).toMatch(/^HTTP\/1\.1 421 /);
    });
  });

  it('answers requests that offer HTTP/2 as if they had not', async () => {
    const port = await start();
    const offer = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQ\r\n';
    expect(await talk(port, `GET /parts?x=1 HTTP/1.1\r\nHost: x\r\n${offer}\r\n`)).toMatch(/^HTTP\/1\.1 200 .*app GET \/parts\?x=1 /s);
    const post = await talk(port, `POST /parts HTTP/1.1\r\nHost: x\r\n${offer}Content-Length: 10\r\n\r\n[{"a"`, ':1}]]');
    expect(post).toMatch(/^HTTP\/1\.1 200 .*app POST \/parts \[\{"a":1\}\]/s);
    const twice = await talk(port, `GET /1 HTTP/1.1\r\nHost: x\r\n${offer}\r\n`, 'GET /2 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(twice).toMatch(/app GET \/1 .*app GET \/2 /s);
  });
});
