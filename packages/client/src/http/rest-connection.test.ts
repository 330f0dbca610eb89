import { describe, expect, it } from '@jest/globals';
import { CredentialsKeeper, type CredentialsReason, type CredentialsSource } from './credentials.ts';
import { RestConnection, type RestRequest } from './rest-connection.ts';
import { SinebarError } from './sinebar-error.ts';

type Answer = (request: Request) => Response | Promise<Response>;

/** Connects to a server that gives these answers in turn and repeats the last one. */
function connected(answers: Answer[], credentials?: CredentialsSource) {
  const requests: Request[] = [];
  const connection = new RestConnection({
    url: 'http://server.test/below/',
    credentials: new CredentialsKeeper(credentials),
    fetch: (input, init) => {
      const request = new Request(input, init);
      requests.push(request);
      init?.signal?.throwIfAborted();
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      return Promise.resolve((answer as Answer)(request));
    },
  });
  return { connection, requests };
}

const json = (body: unknown, status = 200, headers = {}): Answer => {
  return () => new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json', ...headers } });
};
const refusal = (status: number, headers = {}) =>
  json(
    { message: 'the sentence', Message: 'the sentence', ExceptionType: 'Unavailable', StackTrace: '', requestId: 'r-1' },
    status,
    headers,
  );
const get: RestRequest = { method: 'GET', path: '/dataServiceRest/parts' };

describe('RestConnection', () => {
  it('sends query and body in the format of the interface', async () => {
    const { connection, requests } = connected([json([])]);
    await connection.json({ ...get, query: { partUuids: ['a', 'b'], partPath: '/ä b/', depth: 0, deep: true, left: undefined } });
    await connection.done({ method: 'POST', path: '/dataServiceRest/parts', json: [{ uuid: 'a' }] });
    expect(requests[0]?.url).toBe(
      'http://server.test/below/dataServiceRest/parts?partUuids=%7Ba%2Cb%7D&partPath=%2F%C3%A4%20b%2F&depth=0&deep=true',
    );
    expect(requests[1]?.headers.get('content-type')).toBe('application/json');
    expect(await requests[1]?.text()).toBe('[{"uuid":"a"}]');
  });

  it('throws the message of the server with its details', async () => {
    const details = [{ field: '[0].path', message: 'is missing' }];
    const body = { message: 'say what', Message: 'say what', ExceptionType: 'InvalidRequest', StackTrace: '', requestId: 'r-2', details };
    const error = await connected([json(body, 400)])
      .connection.json(get)
      .catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(SinebarError);
    expect(error).toMatchObject({ message: 'say what', status: 400, code: 'InvalidRequest', requestId: 'r-2', details });
  });

  it('distinguishes an answer of another program from one of the server', async () => {
    const { connection } = connected([() => new Response('<h1>Bad Gateway</h1>', { status: 502 })]);
    await expect(connection.done(get)).rejects.toMatchObject({
      status: 502,
      code: 'UnexpectedAnswer',
      message: expect.stringContaining('Bad Gateway'),
    });
  });

  it('reports that no server answers', async () => {
    const { connection } = connected([() => Promise.reject(new TypeError('fetch failed', { cause: new Error('refused') }))]);
    await expect(connection.done(get)).rejects.toMatchObject({
      status: 0,
      code: 'Unreachable',
      message: expect.stringContaining('refused'),
    });
  });

  it('sends a request by its own fetch where it has one', async () => {
    const { connection, requests } = connected([json([])], () => ({ token: 't' }));
    const own: Request[] = [];
    const answer = await connection.json({
      ...get,
      fetch: (input, init) => {
        own.push(new Request(input, init));
        return Promise.resolve(new Response('"mine"'));
      },
    });
    expect(answer).toBe('mine');
    expect(own[0]?.headers.get('authorization')).toBe('Bearer t');
    expect(requests).toHaveLength(0);
  });

  it('repeats a read after a 503, at the time that the server names', async () => {
    const { connection, requests } = connected([refusal(503, { 'Retry-After': '0' }), refusal(503, { 'Retry-After': '0' }), json([1])]);
    expect(await connection.json(get)).toEqual([1]);
    expect(requests).toHaveLength(3);
  });

  it.each([
    ['a write', { ...get, method: 'POST', json: [] }, refusal(503, { 'Retry-After': '0' })],
    ['without Retry-After', get, refusal(503)],
    ['another status', get, refusal(500, { 'Retry-After': '0' })],
  ] as [string, RestRequest, Answer][])('does not repeat: %s', async (_what, request, answer) => {
    const { connection, requests } = connected([answer]);
    await expect(connection.done(request)).rejects.toThrow('the sentence');
    expect(requests).toHaveLength(1);
  });

  it('gives up after three repetitions', async () => {
    const { connection, requests } = connected([refusal(503, { 'Retry-After': '0' })]);
    await expect(connection.done(get)).rejects.toMatchObject({ status: 503, retryAfterSeconds: 0 });
    expect(requests).toHaveLength(4);
  });

  it('ends with its signal, also while it waits for a retry', async () => {
    const { connection, requests } = connected([refusal(503, { 'Retry-After': '20' })]);
    const stop = new AbortController();
    const asked = connection.done({ ...get, signal: stop.signal });
    setTimeout(() => stop.abort(new Error('enough')), 20);
    await expect(asked).rejects.toThrow('enough');
    await expect(connection.done({ ...get, signal: stop.signal })).rejects.toThrow('enough');
    expect(requests).toHaveLength(1);
  });

  it('sends users and tokens with any characters', async () => {
    const { connection, requests } = connected([json([])], { username: 'jürgen', password: 'naïve:€' });
    await connection.done(get);
    const [, encoded = ''] = requests[0]?.headers.get('authorization')?.split(' ') ?? [];
    expect(Buffer.from(encoded, 'base64').toString()).toBe('jürgen:naïve:€');
  });

  it('requests other credentials once after a refusal, for all requests together, also for writes', async () => {
    const reasons: CredentialsReason[] = [];
    const good: Answer = (request) => (request.headers.get('authorization') === 'Bearer 2' ? new Response('[]') : refusal(401)(request));
    const { connection, requests } = connected([good], (reason) => {
      reasons.push(reason);
      return { token: String(reasons.length) };
    });
    const write: RestRequest = { method: 'POST', path: '/dataServiceRest/parts', json: [1] };
    await Promise.all([connection.done(get), connection.done(write), connection.done(get)]);
    expect(reasons).toEqual(['first', 'refused']);
    expect(await requests.at(-1)?.text()).toBeDefined();
    expect(requests).toHaveLength(6);
  });

  it('throws 401 when the new credentials are refused as well', async () => {
    const { connection, requests } = connected([refusal(401)], () => ({ token: 'x' }));
    await expect(connection.done(get)).rejects.toMatchObject({ status: 401 });
    expect(requests).toHaveLength(2);
  });

  it.each(['ftp://server', 'server', ''])('refuses %p as the url of a server', (url) => {
    expect(() => new RestConnection({ url, credentials: new CredentialsKeeper(undefined) })).toThrow(TypeError);
  });
});
