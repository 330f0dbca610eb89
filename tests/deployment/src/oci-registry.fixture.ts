import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Stored {
  type: string;
  content: Buffer;
}

export interface Registry {
  /** Host and port. */
  address: string;
  stop: () => Promise<void>;
}

const digestOf = (content: Buffer) => `sha256:${createHash('sha256').update(content).digest('hex')}`;

/** Starts a registry for OCI artifacts that keeps them in memory: blobs in one upload each, and manifests by tag or digest. */
export async function startRegistry(): Promise<Registry> {
  const stored = new Map<string, Stored>();
  const server = createServer((request, response) => {
    void answer(request, response, stored);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}

async function answer(request: IncomingMessage, response: ServerResponse, stored: Map<string, Stored>): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://registry');
  const content = Buffer.concat(await request.toArray());
  if (request.method === 'POST') {
    response.writeHead(202, { location: `${pathname}1` }).end();
  } else if (request.method === 'PUT') {
    const entry = { type: request.headers['content-type'] ?? '', content };
    const digest = digestOf(content);
    const expected = searchParams.get('digest') ?? digest;
    if (expected !== digest) return void response.writeHead(400).end();
    stored.set(pathname.replace(/uploads\/1$/, digest), entry);
    stored.set(pathname.replace(/[^/]+$/, digest), entry);
    response.writeHead(201, { 'docker-content-digest': digest, location: pathname }).end();
  } else {
    const found = stored.get(pathname);
    if (found === undefined) return void response.writeHead(pathname === '/v2/' ? 200 : 404).end();
    const headers = {
      'content-type': found.type,
      'content-length': found.content.length,
      'docker-content-digest': digestOf(found.content),
    };
    response.writeHead(200, headers).end(request.method === 'HEAD' ? undefined : found.content);
  }
}
