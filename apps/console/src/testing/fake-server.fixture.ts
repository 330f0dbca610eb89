/** Answers one request; what is not a `Response` is sent as JSON. */
type Answer = (request: { url: URL; body: unknown }) => unknown;

/**
 * A server for tests of components, made of answers by method and path: `{ 'GET /dataServiceRest/parts': () => [] }`.
 * A path may contain `:name` for one segment. A request without an answer gets 404 with the sentence of the server.
 */
export class FakeServer {
  /** Method and address of every request, in order. */
  readonly requests: string[] = [];
  private readonly answers: Map<string, Answer>;

  constructor(answers: Readonly<Record<string, Answer>> = {}) {
    this.answers = new Map(Object.entries(answers));
  }

  /** Adds or replaces the answer to a request. */
  answer(request: string, answer: Answer): void {
    this.answers.set(request, answer);
  }

  /** Whether there is an answer to a request, written as in {@link answer}. */
  knows(request: string): boolean {
    return this.answers.has(request);
  }

  /** Takes the place of the global `fetch`. */
  readonly fetch: typeof fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : String(input));
    const method = init?.method ?? 'GET';
    this.requests.push(`${method} ${url.pathname}${url.search}`);
    init?.signal?.throwIfAborted();
    const found = [...this.answers].find(([pattern]) => matches(pattern, `${method} ${url.pathname}`));
    if (found === undefined) return refusal(404, 'NotFound', `There is nothing at ${url.pathname}.`);
    const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined;
    const answered = await found[1]({ url, body });
    return answered instanceof Response ? answered : json(answered);
  };
}

/** Makes the answer to a request that the server refuses. */
export function refusal(status: number, code: string, message: string): Response {
  return json({ message, Message: message, ExceptionType: code, StackTrace: '', requestId: 'r-1' }, status);
}

function json(body: unknown, status = 200): Response {
  return new Response(body === undefined ? '' : JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } });
}

function matches(pattern: string, request: string): boolean {
  const wanted = pattern.split('/');
  const given = request.split('/');
  return wanted.length === given.length && wanted.every((word, i) => word.startsWith(':') || word === given[i]);
}
