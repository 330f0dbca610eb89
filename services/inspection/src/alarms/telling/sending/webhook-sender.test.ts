import type { lookup } from 'node:dns';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { WebhookAddresses } from './webhook-address.ts';
import { WebhookSender } from './webhook-sender.ts';

const SECRET = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
const SIGNAL = new AbortController().signal;

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

describe('a webhook', () => {
  let server: Server;
  let handle: Handler = (_request, response) => response.end();
  let requests: { headers: IncomingMessage['headers']; body: string }[] = [];
  const address = () => `127.0.0.1:${(server.address() as AddressInfo).port}`;

  beforeAll(async () => {
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString();
        requests.push({ headers: request.headers, body });
        handle(request, response, body);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => {
    requests = [];
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const send = (answer: Handler, { timeoutMs = 5000, isSigned = true, signal = SIGNAL } = {}) => {
    handle = answer;
    const sender = new WebhookSender(new WebhookAddresses(['127.0.0.1']), timeoutMs);
    return sender.send(
      { id: 'msg-1', url: `http://${address()}/in?a=1`, body: '{"ü":1}', secret: isSigned ? SECRET : undefined, at: new Date() },
      signal,
    );
  };

  it('is signed as Standard Webhooks says', async () => {
    expect(await send((_request, response) => response.writeHead(204).end())).toEqual({
      state: 'delivered',
      answer: 'The receiver answered 204.',
    });
    const [{ headers, body }] = requests as [(typeof requests)[0]];
    expect(headers['content-type']).toContain('application/json');
    expect(headers['webhook-id']).toBe('msg-1');
    expect(new Webhook(SECRET).verify(body, headers as Record<string, string>)).toEqual({ ü: 1 });
  });

  it('without a secret has no signature', async () => {
    await send((_request, response) => response.end(), { isSigned: false });
    expect(requests[0]?.headers['webhook-signature']).toBeUndefined();
  });

  it('that answers an error is tried again, with its answer', async () => {
    const result = await send((_request, response) => response.writeHead(500).end('out of \u0007order'));
    expect(result).toEqual({ state: 'waiting', answer: 'The receiver answered 500: out of order' });
  });

  it('that wants no more messages is not tried again', async () => {
    expect((await send((_request, response) => response.writeHead(410).end())).state).toBe('failed');
  });

  it('that redirects is not followed', async () => {
    const result = await send((_request, response) => response.writeHead(307, { location: `http://${address()}/other` }).end());
    expect(result).toEqual({ state: 'waiting', answer: 'The receiver answered 307; redirects are not followed.' });
    expect(requests).toHaveLength(1);
  });

  it('that hangs is given up', async () => {
    const result = await send(() => undefined, { timeoutMs: 200 });
    expect(result).toEqual({ state: 'waiting', answer: 'The receiver did not answer within 0.2 s.' });
  });

  it('that hangs within its answer is given up', async () => {
    const result = await send((_request, response) => response.writeHead(500).write('x'), { timeoutMs: 200 });
    expect(result.state).toBe('waiting');
  });

  it('is delivered although its answer never ends', async () => {
    const result = await send((_request, response) => response.writeHead(200).write('x'), { timeoutMs: 5000 });
    expect(result.state).toBe('delivered');
  });

  it('that answers 5 MB is read in part', async () => {
    let written = 0;
    const closed = Promise.withResolvers<void>();
    const result = await send((_request, response) => {
      response.writeHead(500);
      response.on('close', () => closed.resolve());
      const chunk = Buffer.alloc(64 * 1024, 'y');
      const write = () => {
        while (written < 5_000_000 && !response.destroyed) {
          written += chunk.length;
          if (!response.write(chunk)) return void response.once('drain', write);
        }
        response.end();
      };
      write();
    });
    await closed.promise;
    expect(result.answer).toMatch(/^The receiver answered 500: y{300}$/);
    expect(written).toBeLessThan(5_000_000);
  });

  it('that nobody serves is tried again', async () => {
    const sender = new WebhookSender(new WebhookAddresses(['127.0.0.1']));
    const result = await sender.send({ id: 'a', url: 'http://127.0.0.1:1/', body: '{}', secret: undefined, at: new Date() }, SIGNAL);
    expect(result).toEqual({ state: 'waiting', answer: 'The receiver was not reached: ECONNREFUSED.' });
  });

  it('ends when the service stops', async () => {
    const stopping = new AbortController();
    const sent = send(() => stopping.abort(new Error('stop')), { signal: stopping.signal });
    await expect(sent).rejects.toBeDefined();
  });

  it.each([
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://localhost/',
    'http://example.com/',
    'https://169.254.169.254/latest',
    'https://0/',
  ])('at %s is refused', async (url) => {
    const sender = new WebhookSender(new WebhookAddresses([]));
    expect((await sender.send({ id: 'a', url, body: '{}', secret: undefined, at: new Date() }, SIGNAL)).state).toBe('failed');
  });

  it.each<[string, string[]]>([
    ['a private address', ['10.0.0.1']],
    ['a public and a private address', ['203.0.113.7', '127.0.0.1']],
    ['an IPv4 address inside an IPv6 one', ['::ffff:192.168.1.1']],
    ['an address behind a translator', ['64:ff9b::7f00:1']],
  ])('whose host resolves to %s is refused when it connects', async (_what, addresses) => {
    const asked: string[] = [];
    // The name is public where people look, and private when the connection asks.
    const resolve = ((host: string, _options: object, callback: (error: null, found: object[]) => void) => {
      asked.push(host);
      callback(
        null,
        addresses.map((one) => ({ address: one, family: one.includes(':') ? 6 : 4 })),
      );
    }) as unknown as typeof lookup;
    const sender = new WebhookSender(new WebhookAddresses([], resolve));
    const url = `https://rebound.example:${(server.address() as AddressInfo).port}/`;
    const result = await sender.send({ id: 'a', url, body: '{}', secret: undefined, at: new Date() }, SIGNAL);
    expect(result).toEqual({
      state: 'failed',
      answer: 'The host rebound.example has a private address, and SINEBAR_WEBHOOK_HOSTS does not name it.',
    });
    expect(asked).toEqual(['rebound.example']);
    expect(requests).toEqual([]);
  });

  it('whose certificate nobody vouches for is not sent', async () => {
    const sender = new WebhookSender(new WebhookAddresses(['127.0.0.1']));
    const result = await sender.send({ id: 'a', url: `https://${address()}/`, body: '{}', secret: undefined, at: new Date() }, SIGNAL);
    expect(result.state).toBe('waiting');
    expect(requests).toEqual([]);
  });
});
