import { createHash } from 'node:crypto';
import { request, type Agent, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import type { ErrorBody } from '@sinebar/contracts';
import { eventually } from '@sinebar/testing';
import { notesOfThisFile } from './answer-notes.ts';
import { DISTURBANCE } from '../disturbance.ts';
import { afterRefusals, throughRestarts } from './repeated-requests.ts';

export interface Sent {
  method?: string;
  /** Path as sent: neither normalised nor encoded. */
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | Buffer;
  /** Default 30,000. */
  timeoutMs?: number;
  /** Agent that keeps connections; by default each request has a new one. */
  agent?: Agent;
  /** The server must refuse the request: 404 or 409 for a repetition then does not mean that it succeeded before. */
  isToBeRefused?: boolean;
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
  json(): unknown;
}

const notes = notesOfThisFile((url, path) => exchange(url, { path, timeoutMs: 10_000 }));

/**
 * Sends a request, and records and checks the answer against the OpenAPI documents.
 * While services restart (disturbance.ts) it is repeated as the answer allows.
 * @throws when no complete answer arrives in time
 */
export async function send(url: string, sent: Sent): Promise<Answer> {
  if (DISTURBANCE === undefined) return await sendOnce(url, sent);
  const { answer, wasRefused } = await throughRestarts({
    send: () => sendOnce(url, sent),
    stateOf: ({ status, headers }) => ({ status, retryAfter: headers['retry-after'] }),
    look: (sentMs) => storedUpload(url, sent, sentMs),
  });
  return wasRefused && !sent.isToBeRefused ? { ...answer, status: afterRefusals(sent.method, answer.status) } : answer;
}

async function sendOnce(url: string, sent: Sent): Promise<Answer> {
  const answer = await exchange(url, sent);
  const { method = 'GET', path } = sent;
  notes.note(url, { method, path, status: answer.status, contentType: answer.headers['content-type'], bytes: answer.bytes });
  return answer;
}

/** Finds the stored file of a repeated upload: repeating one without a key would create a second file. */
async function storedUpload(url: string, { method, path, headers = {}, body }: Sent, sentMs: number): Promise<Answer | undefined> {
  const [, entity, target] = /^\/rawDataServiceRest\/rawData\/(\w+)\/([^/?]+)$/.exec(path) ?? [];
  if (method !== 'POST' || entity === undefined || body === undefined) return undefined;
  const credentials = headers['Authorization'] === undefined ? {} : { Authorization: headers['Authorization'] };
  const list = await send(url, { path: `/rawDataServiceRest/rawDataInformation/${entity}/${target}`, headers: credentials });
  if (list.status !== 200) return undefined;
  const md5 = createHash('md5').update(body).digest('hex');
  const files = list.json() as { md5: string; created: string }[];
  const file = files.find(
    (candidate) => candidate.md5.replaceAll('-', '').toLowerCase() === md5 && Date.parse(candidate.created) >= sentMs,
  );
  return file && { ...list, status: 201, bytes: Buffer.from(JSON.stringify(file)), json: () => file };
}

/** A `fetch` for clients of the product that records answers and repeats as `send` does. */
export const notedFetch: typeof fetch = async (input, init) => {
  if (DISTURBANCE === undefined) return await fetchOnce(input, init);
  const { answer, wasRefused } = await throughRestarts({
    send: () => fetchOnce(input, init),
    stateOf: ({ status, headers }) => ({ status, retryAfter: headers.get('retry-after') ?? undefined }),
    look: async (sentMs) => {
      if (typeof input !== 'string' || !(init?.body instanceof Uint8Array || typeof init?.body === 'string')) return undefined;
      const { origin, pathname } = new URL(input);
      const stored = await storedUpload(origin, { method: init.method ?? 'GET', path: pathname, body: Buffer.from(init.body) }, sentMs);
      return stored && Response.json(stored.json(), { status: stored.status });
    },
  });
  const status = wasRefused ? afterRefusals(init?.method, answer.status) : answer.status;
  return status === answer.status ? answer : Response.json([], { status });
};

const fetchOnce: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  const { origin, pathname, search } = new URL(response.url);
  const bytes = await response
    .clone()
    .arrayBuffer()
    .catch(() => undefined);
  const contentType = response.headers.get('content-type') ?? undefined;
  const answer = { method: init?.method ?? 'GET', path: pathname + search, status: response.status, contentType };
  notes.note(origin, { ...answer, bytes: bytes && Buffer.from(bytes) });
  return response;
};

function exchange(url: string, { method = 'GET', path, headers = {}, body, timeoutMs = 30_000, agent }: Sent): Promise<Answer> {
  const { hostname, port, pathname } = new URL(url);
  // Node sends no length for the body of a DELETE; the server would read the body as the next request.
  const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => outgoing.destroy(new Error(`${method} ${path}: no answer within ${timeoutMs} ms`)), timeoutMs);
    // The address of one of several plants has a path.
    const target = pathname.replace(/\/$/, '') + path;
    const options = { hostname, port, method, path: target, headers: { ...length, ...headers }, agent: agent ?? false };
    const outgoing = request(options, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', (error) => {
        clearTimeout(timer);
        reject(error);
      });
      incoming.on('end', () => {
        clearTimeout(timer);
        const bytes = Buffer.concat(chunks);
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          bytes,
          json: () => JSON.parse(bytes.toString()) as unknown,
        });
      });
    });
    outgoing.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    outgoing.end(body);
  });
}

export function sendJson(url: string, method: string, path: string, value: unknown): Promise<Answer> {
  return send(url, { method, path, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(value) });
}

/** Sends the bytes unchanged and returns everything received until the connection closes, at most for `limitMs`. */
export function sendRaw(
  url: string,
  bytes: string | Buffer,
  { cutAfterMs, limitMs = 5_000 }: { cutAfterMs?: number; limitMs?: number } = {},
): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
    socket.on('error', () => undefined);
    socket.once('close', () => {
      clearTimeout(timer);
      resolve(answer);
    });
    const timer = setTimeout(() => (cutAfterMs === undefined ? socket.destroy() : socket.resetAndDestroy()), cutAfterMs ?? limitMs);
  });
}

/** Returns the problem of an error body, if any. spec: decisions.md 2.5 */
export function errorBodyProblem({ bytes, headers }: Answer): string | undefined {
  if (!/^application\/json\b/.test(headers['content-type'] ?? ''))
    return `its type is ${headers['content-type'] ?? 'missing'}: ${bytes.toString().slice(0, 200)}`;
  let body: Partial<ErrorBody>;
  try {
    body = JSON.parse(bytes.toString()) as Partial<ErrorBody>;
  } catch {
    return `it is no JSON: ${bytes.toString().slice(0, 200)}`;
  }
  if (typeof body.message !== 'string' || body.message === '') return 'it has no message';
  if (body.Message !== body.message) return 'Message and message differ';
  if (typeof body.ExceptionType !== 'string' || typeof body.requestId !== 'string') return 'ExceptionType or requestId is missing';
  if (body.StackTrace !== '') return 'StackTrace is not empty';
  return undefined;
}

/** Repeats the check until it is true. @throws naming the condition */
export async function until(what: string, check: () => boolean | Promise<boolean>, limitMs = 30_000): Promise<void> {
  await eventually(check, { describe: what, timeoutMs: limitMs, intervalMs: 50 });
}

export const isReady = async (url: string): Promise<boolean> =>
  (await sendOnce(url, { path: '/healthServiceRest/ready', timeoutMs: 5_000 }).catch(() => undefined))?.status === 200;
