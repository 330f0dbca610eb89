import { authorizationOf, type Credentials, type CredentialsKeeper } from './credentials.ts';
import { queryText, type QueryValue } from './query-text.ts';
import { errorOf, SinebarError } from './sinebar-error.ts';

export interface RequestOptions {
  /** Aborts the request, which then rejects with the signal's reason. */
  signal?: AbortSignal;
}

/** Body types that are sent unchanged. */
export type RequestContent = Blob | ArrayBuffer | Uint8Array<ArrayBuffer> | string | ReadableStream<Uint8Array>;

export interface RestRequest extends RequestOptions {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path below the server's address, encoded. */
  path: string;
  query?: Readonly<Record<string, QueryValue>>;
  headers?: Readonly<Record<string, string>>;
  /** Value of a JSON body. */
  json?: unknown;
  /** Body that is sent unchanged. */
  body?: RequestContent;
  /** Statuses that count as success, besides 200 to 299. */
  accept?: readonly number[];
  /** Replacement for `fetch` for this request only. */
  fetch?: typeof fetch;
}

export interface RestConnectionOptions {
  url: string;
  credentials: CredentialsKeeper;
  /** Replacement for the global `fetch`. */
  fetch?: typeof fetch;
  /** Maximum retries of a read that is answered 503 with `Retry-After`; default 3. */
  retries?: number;
}

/** Longest `Retry-After` that a read waits for, seconds. */
const MAX_WAIT_S = 30;

/** HTTP connection to one server. */
export class RestConnection {
  /** Address of the server without a trailing slash. */
  readonly url: string;
  private readonly credentials: CredentialsKeeper;
  private readonly send: typeof fetch;
  private readonly retries: number;

  /** @throws TypeError when the url is invalid */
  constructor({ url, credentials, fetch: send = (...request) => globalThis.fetch(...request), retries = 3 }: RestConnectionOptions) {
    if (!URL.canParse(url)) throw new TypeError(`"${url}" is no URL of a server. Write it like http://localhost:8080.`);
    const { protocol, host, pathname } = new URL(url);
    if (!/^https?:$/.test(protocol)) throw new TypeError(`The URL of a server begins with http: or https:, not with ${protocol}//.`);
    this.url = `${protocol}//${host}${pathname.replace(/\/+$/, '')}`;
    this.credentials = credentials;
    this.send = send;
    this.retries = retries;
  }

  /** Sends a request. @returns the JSON of the answer, `undefined` for an empty one. @throws SinebarError; the signal's reason */
  async json<T>(request: RestRequest): Promise<T> {
    const text = await this.read(request, (response) => response.text());
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }

  /** Sends a request and ignores the body of the answer. @throws SinebarError; the signal's reason */
  async done(request: RestRequest): Promise<void> {
    await this.read(request, (response) => response.arrayBuffer());
  }

  /** @returns an answer whose body has not been read. @throws SinebarError; the signal's reason */
  async answer(request: RestRequest): Promise<Response> {
    for (let attempt = 1; ; attempt += 1) {
      const response = await this.authorized(request);
      if (response.ok || request.accept?.includes(response.status)) return response;
      const error = await errorOf(response, `${request.method} ${request.path}`);
      const again = request.method === 'GET' && error.status === 503 && error.retryAfterSeconds !== undefined && attempt <= this.retries;
      if (!again) throw error;
      await pause(Math.min(error.retryAfterSeconds ?? 0, MAX_WAIT_S) * 1000, request.signal);
    }
  }

  private async read<T>(request: RestRequest, body: (response: Response) => Promise<T>): Promise<T> {
    const response = await this.answer(request);
    try {
      return await body(response);
    } catch (error) {
      request.signal?.throwIfAborted();
      throw unreachable(request, error);
    }
  }

  /** Asks for new credentials once when they are refused. The refused request had no effect, so writes are repeated too. */
  private async authorized(request: RestRequest): Promise<Response> {
    const credentials = await this.credentials.get();
    const response = await this.once(request, credentials);
    const canRepeat = !(request.body instanceof ReadableStream);
    if (response.status !== 401 || !this.credentials.canAskAgain || !canRepeat) return response;
    await response.body?.cancel();
    return this.once(request, await this.credentials.renew('refused', credentials));
  }

  private async once(request: RestRequest, credentials: Credentials | undefined): Promise<Response> {
    const { method, path, query = {}, headers, json, body, signal, fetch: send = this.send } = request;
    signal?.throwIfAborted();
    try {
      return await send(`${this.url}${path}${queryText(query)}`, {
        method,
        headers: {
          ...(json !== undefined && { 'Content-Type': 'application/json' }),
          ...headers,
          ...(credentials && { Authorization: authorizationOf(credentials) }),
        },
        ...(json !== undefined ? { body: JSON.stringify(json) } : body !== undefined && { body }),
        ...(body instanceof ReadableStream && { duplex: 'half' as const }),
        ...(signal && { signal }),
      });
    } catch (error) {
      signal?.throwIfAborted();
      throw unreachable(request, error);
    }
  }
}

function unreachable({ method, path }: RestRequest, cause: unknown): SinebarError {
  const why = cause instanceof Error && cause.cause instanceof Error ? `: ${cause.cause.message}` : '';
  return new SinebarError(`The server did not answer ${method} ${path}${why}.`, { status: 0, code: 'Unreachable', cause });
}

/** @throws the signal's reason */
function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
