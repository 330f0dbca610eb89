import { expect } from '@jest/globals';
import { createServer, request as httpRequest, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { chooseFreePort } from '@sinebar/local-servers';
import { eventually } from '@sinebar/testing';

export interface Seen {
  replica: string;
  method: string;
  target: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** Fake service that echoes requests; paths below `/dataServiceRest/test/` misbehave on purpose. */
export class Upstream {
  readonly name: string;
  readonly server: Server;
  readonly arrivals: { target: string; chunks: string[]; aborted: boolean }[] = [];
  private readonly sockets = new Set<Socket>();

  constructor(name: string) {
    this.name = name;
    this.server = createServer({ maxHeaderSize: 128 * 1024 }, (request, response) => void this.answer(request, response));
    this.server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
    });
    this.server.on('upgrade', (request: IncomingMessage, socket: Socket) => {
      socket.on('error', () => undefined);
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nX-Replica: ${name}\r\nX-Target: ${request.url}\r\n\r\n`,
      );
      socket.on('data', (bytes: Buffer) => socket.write(`echo ${bytes.toString()}`));
    });
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const target = request.url ?? '';
    if (target.includes('/test/early')) {
      // Answers before the body is read and then discards it, as the services do.
      response.writeHead(413, { 'Content-Type': 'application/json' }).end('{"message":"too large"}');
      request.on('error', () => undefined);
      request.resume();
      return;
    }
    if (target.includes('/test/refuse')) {
      // Like the services: the answer is complete, and the connection waits for the end of the body.
      const text = '{"message":"not now"}';
      response.writeHead(503, { 'Content-Type': 'application/json', 'Content-Length': text.length, Connection: 'close' }).write(text);
      request.on('error', () => undefined);
      request.resume();
      return;
    }
    if (target.includes('/test/break') && target.includes(this.name)) {
      this.arrivals.push({ target, chunks: [], aborted: true });
      request.socket.destroy();
      return;
    }
    if (target.includes('/test/starting') && target.includes(this.name)) {
      response.writeHead(503, { 'Content-Type': 'application/json', 'Retry-After': '77' }).end('{"message":"own words"}');
      return;
    }
    const arrival = { target, chunks: [] as string[], aborted: false };
    this.arrivals.push(arrival);
    response.on('close', () => (arrival.aborted = !response.writableFinished));
    if (target.includes('/test/drip')) {
      response.writeHead(200, { 'Content-Type': 'text/plain' });
      response.write('first');
      return;
    }
    if (target.includes('/test/die')) {
      response.writeHead(200, { 'Content-Length': '100' });
      response.write('half');
      setTimeout(() => response.destroy(), 50);
      return;
    }
    if (target.includes('/test/own-error')) {
      request.resume();
      response.writeHead(503, 'Own reason', { 'Content-Type': 'application/json', 'Retry-After': '77' }).end('{"message":"own words"}');
      return;
    }
    try {
      for await (const chunk of request) arrival.chunks.push(String(chunk));
    } catch {
      arrival.aborted = true;
      return;
    }
    const seen: Seen = {
      replica: this.name,
      method: request.method ?? '',
      target,
      headers: request.headers,
      body: target.includes('/test/count') ? String(arrival.chunks.join('').length) : arrival.chunks.join(''),
    };
    const body = JSON.stringify(seen);
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body), ETag: '"strong"' }).end(body);
  }
}

export interface Answer {
  status: number;
  reason: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** Sends an address unchanged, optionally from another address of this machine. */
export function send(
  origin: string,
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string | Buffer; chunked?: boolean; localAddress?: string } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { port, hostname } = new URL(origin);
    const { method = 'GET', headers = {}, localAddress } = options;
    const settings = {
      hostname,
      port,
      path,
      method,
      headers,
      ...(localAddress !== undefined && { localAddress }),
      agent: false,
      timeout: 10_000,
    };
    const sent = httpRequest(settings, (answer) => {
      text(answer).then(
        (body) => resolve({ status: answer.statusCode ?? 0, reason: answer.statusMessage ?? '', headers: answer.headers, body }),
        reject,
      );
    });
    sent.on('timeout', () => sent.destroy(new Error('no answer within 10 s')));
    sent.on('error', reject);
    if (options.chunked) sent.setHeader('Transfer-Encoding', 'chunked');
    else if (options.body !== undefined) sent.setHeader('Content-Length', Buffer.byteLength(options.body));
    sent.end(options.body);
  });
}

export function seenIn(answer: Answer): Seen {
  expect(answer.status).toBe(200);
  return JSON.parse(answer.body) as Seen;
}

/** Opens a socket, sends the text and returns the response once it holds `until`. */
export async function talk(
  origin: string,
  sent: string,
  until: string,
  localAddress?: string,
): Promise<{ received: () => string; socket: Socket }> {
  const { port, hostname } = new URL(origin);
  const socket = connect({ port: Number(port), host: hostname, ...(localAddress !== undefined && { localAddress }) });
  let received = '';
  socket.on('data', (bytes: Buffer) => (received += bytes.toString()));
  socket.on('error', () => undefined);
  socket.write(sent);
  await eventually(() => {
    if (!received.includes(until)) throw new Error(`no "${until}" in: ${received.slice(0, 500)}`);
  });
  return { received: () => received, socket };
}

export const handshake = (path: string, extra = '') =>
  `GET ${path} HTTP/1.1\r\nHost: plant.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n${extra}\r\n`;

export const closedPort = async () => `http://127.0.0.1:${await chooseFreePort()}`;

export function expectErrorBody(answer: Answer, status: number, code: string): void {
  expect(answer.status).toBe(status);
  expect(answer.headers['content-type']).toMatch(/^application\/json/);
  const body = JSON.parse(answer.body) as Record<string, unknown>;
  expect(body).toEqual({
    message: expect.any(String),
    Message: body['message'],
    ExceptionType: code,
    StackTrace: '',
    requestId: expect.any(String),
  });
  expect(body['requestId']).not.toBe('');
}
