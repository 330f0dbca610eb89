import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { connect } from 'node:net';
import { Writable } from 'node:stream';
import { EVERYONE } from '@sinebar/access-control';
import { createLogger, type ComposedService } from '@sinebar/runtime';
import { eventually } from '@sinebar/testing';
import { PollingClient, TestBench } from './bench.fixture.ts';
import { TestAuthenticator } from './gateway.fixture.ts';
import { partCreated, reader } from './test-changes.fixture.ts';

describe('sockets', () => {
  let bench: TestBench;
  let authenticator: TestAuthenticator;
  beforeEach(() => {
    bench = new TestBench();
    authenticator = new TestAuthenticator({ anna: EVERYONE, bert: EVERYONE, 's3cret-token': reader('s', {}) });
  });
  afterEach(() => bench.end());

  describe('take credentials', () => {
    const basic = `Basic ${Buffer.from('anna:pass:word').toString('base64')}`;

    it.each([
      ['a token', { token: 'anna' }, 'Bearer anna'],
      ['a header', { authorization: 'Bearer anna' }, 'Bearer anna'],
      ['name and password', { username: 'anna', password: 'pass:word' }, basic],
    ])('as %s in auth', async (_, auth, header) => {
      const shown: unknown[] = [];
      const authenticate = authenticator.authenticate.bind(authenticator);
      authenticator.authenticate = ({ authorization, address }) => {
        shown.push(authorization, address);
        return authenticate({ authorization: 'Bearer anna', address });
      };
      const { url } = await bench.start({ authenticator });
      await bench.open(url, { auth });
      expect(shown).toEqual([header, '127.0.0.1']);
    });

    it('as the header of the request, unless auth has some', async () => {
      const { url } = await bench.start({ authenticator });
      await bench.open(url, { extraHeaders: { authorization: 'Bearer anna' } });
      expect(await bench.refusal(url, { extraHeaders: { authorization: 'Bearer anna' }, auth: { token: 'wrong' } })).toMatchObject({
        data: { code: 'Unauthenticated' },
      });
    });

    it.each([
      ['none', {}, 'not known'],
      ['that are wrong', { token: 'wrong' }, 'not known'],
      ['that have expired', { token: 'anna@1000' }, 'expired'],
      ['with line breaks', { token: 'anna\r\nX-Injected: 1' }, 'not known'],
      ['that are no text', { token: { $ne: '' } }, 'The member token must be a text.'],
      ['in a list', { authorization: ['Bearer anna'] }, 'The member authorization must be a text.'],
      ['without a password', { username: 'anna' }, 'username and password together'],
      ['of two kinds', { token: 'anna', authorization: 'Bearer anna' }, 'Give only one of'],
      ['that are too long', { token: 'x'.repeat(40_000) }, 'at most 32768 characters'],
    ])('%s: refused with a sentence', async (_, auth, sentence) => {
      const { url } = await bench.start({ authenticator });
      expect(await bench.refusal(url, { auth })).toMatchObject({
        message: expect.stringContaining(sentence),
        data: { code: 'Unauthenticated' },
      });
    });
  });

  it('write no secrets into the log', async () => {
    let written = '';
    const destination = new Writable({ write: (chunk: Buffer, _encoding, done) => ((written += chunk.toString()), done()) });
    const { url } = await bench.start({ authenticator, log: createLogger({ service: 'events', level: 'trace', destination }) });
    await bench.refusal(url, { auth: { token: 'wr0ng-token' }, extraHeaders: { authorization: 'Bearer he4der-token' } });
    await bench.refusal(url, { auth: { username: 'anna', password: 'pa55word' }, query: { token: 'qu3ry-token' } });
    const client = await bench.open(url, { auth: { token: `s3cret-token@${Date.now() + 3_000}` } });
    await client.ask('reauthenticate', { token: 'n3w-token' });
    await client.event('ConnectionEnded');
    await fetch(`${url}/eventServiceRest/changes`, { headers: { authorization: 'Bearer f33d-token' } });
    // The log contains the name of the admitted user; here the name equals the token.
    expect(written).toMatch(/a client was not admitted[^]*a connection was ended/);
    for (const secret of [
      'wr0ng-token',
      'he4der-token',
      'pa55word',
      Buffer.from('anna:pa55word').toString('base64'),
      'qu3ry-token',
      'n3w-token',
      'f33d-token',
    ]) {
      expect([secret, written.includes(secret)]).toEqual([secret, false]);
    }
  });

  it('cannot be made to answer with headers of the client', async () => {
    const { url } = await bench.start({ authenticator, env: { SINEBAR_CORS_ORIGINS: 'https://console.example' } });
    const line = 'GET /events/?EIO=4&transport=polling HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n';
    for (const request of [
      `${line}Origin: https://console.example\rX-Injected: 1\r\n\r\n`,
      `${line}Origin: https://console.example%0d%0aX-Injected: 1\r\n\r\n`,
      `${line}Origin: https://console.example\r\n X-Injected: 1\r\n\r\n`,
      `${line}X-Request-Id: a\r\n\tX-Injected: 1\r\n\r\n`,
      `GET /events/?EIO=4&transport=polling%0d%0aX-Injected:%201 HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`,
      'GET /eventServiceRest/changes?after=%0d%0aX-Injected:%201 HTTP/1.1\r\n' +
        'Host: 127.0.0.1\r\nAuthorization: Bearer anna\r\nConnection: close\r\n\r\n',
    ]) {
      const answer = await new Promise<string>((resolve) => {
        let text = '';
        const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(request));
        socket.on('data', (chunk) => (text += chunk.toString()));
        socket.on('close', () => resolve(text));
        socket.on('error', () => undefined);
      });
      expect([request, answer]).toEqual([request, expect.stringMatching(/^HTTP\/1\.1 [234]\d\d /)]);
      const head = answer.slice(0, answer.indexOf('\r\n\r\n'));
      expect([request, /x-injected/i.test(head)]).toEqual([request, false]);
    }
  });

  describe('are limited', () => {
    it('per user', async () => {
      const { url, service } = await bench.start({ authenticator, env: { SINEBAR_SOCKETS_PER_USER: '2' } });
      const open = (token: string) => bench.open(url, { auth: { token } });
      const [first] = [await open('anna'), await open('anna')];
      expect(await bench.refusal(url, { auth: { token: 'anna' } })).toMatchObject({
        message: expect.stringContaining('This user already has 2 connections'),
        data: { code: 'TooManyRequests' },
      });
      await open('bert');
      first.socket.disconnect();
      await connections(service, 2);
      await open('anna');
    });

    it('per address', async () => {
      const { url, service } = await bench.start({ authenticator, env: { SINEBAR_SOCKETS_PER_ADDRESS: '2' } });
      const open = (token: string) => bench.open(url, { auth: { token } });
      const [first] = [await open('anna'), await open('bert')];
      expect(await bench.refusal(url, { auth: { token: 'anna' } })).toMatchObject({
        message: expect.stringContaining('This address already has 2 connections'),
      });
      first.socket.disconnect();
      await connections(service, 1);
      await open('anna');
    });

    it('per address also before a client signs in', async () => {
      const { url } = await bench.start({ authenticator, env: { SINEBAR_SOCKETS_PER_ADDRESS: '2' } });
      const handshake = () => fetch(`${url}/events/?EIO=4&transport=polling&sid=`);
      for (let i = 0; i < 4; i += 1) expect((await handshake()).status).toBe(200);
      const refused = await handshake();
      expect(refused.status).toBe(429);
      expect(refused.headers.get('retry-after')).toBe('30');
      expect(await refused.json()).toMatchObject({ ExceptionType: 'TooManyRequests' });
    });

    it('also as namespaces of one connection', async () => {
      const { url, service } = await bench.start({ authenticator, env: { SINEBAR_SOCKETS_PER_USER: '2' } });
      const client = await PollingClient.open(url, { token: 'anna' });
      await client.post('40/Events,{"token":"anna"}');
      await client.post('40/EVENTS,{"token":"anna"}');
      await connections(service, 2);
      const other = await bench.refusal(url, { auth: { token: 'anna' } });
      expect(other.message).toContain('This user already has 2 connections');
    });

    it('in how fast they ask: a flood is answered with refusals, then ended with a reason', async () => {
      const { url } = await bench.start({ authenticator });
      const [flood, calm] = [await bench.open(url, { auth: { token: 'anna' } }), await bench.open(url, { auth: { token: 'bert' } })];
      for (let i = 0; i < 1_000; i += 1) flood.socket.emit('subscribe', { partPath: `p${i}` });
      const { data } = await flood.event('ConnectionEnded');
      expect(data).toEqual({ code: 'TooManyRequests', message: expect.stringContaining('more than 20 requests in a second') });
      await bench.bus.publish([partCreated('1')]);
      await calm.has(1);
    });

    it('to one reauthenticate at a time', async () => {
      const { url } = await bench.start({ authenticator });
      const client = await bench.open(url, { auth: { token: 'anna' } });
      const { promise: gate, resolve: verified } = Promise.withResolvers<void>();
      const verify = authenticator.authenticate.bind(authenticator);
      authenticator.authenticate = async (credentials) => (await gate, await verify(credentials));
      const first = client.ask('reauthenticate', { token: 'anna' });
      expect(await client.ask('reauthenticate', { token: 'anna' })).toEqual({ error: expect.stringContaining('not answered yet') });
      verified();
      expect(await first).toEqual({ ok: true });
    });

    it('in the size of what they send, by polling as well', async () => {
      const { url } = await bench.start({ authenticator, env: { SINEBAR_SOCKET_MESSAGE_BYTES: '2048' } });
      const [big, calm] = [await PollingClient.open(url, { token: 'anna' }), await bench.open(url, { auth: { token: 'bert' } })];
      expect((await big.post(`42/events,["subscribe",{"partPath":"${'x'.repeat(3_000)}"}]`)).status).toBe(413);
      await bench.bus.publish([partCreated('1')]);
      await calm.has(1);
    });
  });

  it('end when the client answers no heartbeat', async () => {
    const { url, service } = await bench.start({
      env: { SINEBAR_SOCKET_PING_INTERVAL_MS: '1000', SINEBAR_SOCKET_PING_TIMEOUT_MS: '1000' },
    });
    await PollingClient.open(url);
    await connections(service, 1);
    await connections(service, 0);
  });
});

/** Waits until the gateway has this many connections. */
async function connections({ health }: Pick<ComposedService, 'health'>, count: number): Promise<void> {
  await eventually(async () => {
    expect((await health()).find(({ name }) => name === 'event clients')?.detail).toMatch(new RegExp(`^${count} connected`));
  });
}
