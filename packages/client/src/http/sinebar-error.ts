import type { ErrorBody, ErrorCode, ErrorDetail } from '@sinebar/contracts';

/** Error codes of the server, and two for no answer or an answer that Sinebar does not give. */
export type ClientErrorCode = ErrorCode | 'Unreachable' | 'UnexpectedAnswer';

export interface SinebarErrorOptions {
  status: number;
  /** Values of {@link ClientErrorCode}; a newer server may know more. */
  code: string;
  requestId?: string | undefined;
  details?: readonly ErrorDetail[] | undefined;
  retryAfterSeconds?: number | undefined;
  answer?: unknown;
  cause?: unknown;
}

/** A refused request or an unreachable server. The message is the server's sentence; it says what to change. */
export class SinebarError extends Error {
  override readonly name = 'SinebarError';
  /** HTTP status; 0 when there was no answer, and on a socket. */
  readonly status: number;
  /** `ExceptionType` of the answer. */
  readonly code: ClientErrorCode | (string & {});
  /** Id of the request in the server's logs. */
  readonly requestId: string | undefined;
  /** Position and message of each mistake in the request. */
  readonly details: readonly ErrorDetail[];
  /** Seconds after which a retry makes sense. */
  readonly retryAfterSeconds: number | undefined;
  /** Body of the answer: some refusals say more than every error does. */
  readonly answer: unknown;

  constructor(message: string, { status, code, requestId, details = [], retryAfterSeconds, answer, cause }: SinebarErrorOptions) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.details = details;
    this.retryAfterSeconds = retryAfterSeconds;
    this.answer = answer;
  }
}

/** Reads the answer of a failed request to its end. spec: decisions.md 2.5 */
export async function errorOf(response: Response, what: string): Promise<SinebarError> {
  const text = await response.text().catch(() => '');
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  const options = { status: response.status, retryAfterSeconds: Number.isFinite(seconds) ? seconds : undefined };
  const body = parsed(text);
  if (typeof body?.message !== 'string') {
    return new SinebarError(
      `The answer to ${what} does not come from Sinebar: status ${response.status}, "${text.slice(0, 200)}". Check the URL of the server.`,
      {
        ...options,
        code: 'UnexpectedAnswer',
      },
    );
  }
  return new SinebarError(body.message, {
    ...options,
    code: body.ExceptionType ?? 'UnexpectedAnswer',
    requestId: body.requestId,
    details: body.details,
    answer: body,
  });
}

function parsed(text: string): Partial<ErrorBody> | undefined {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? body : undefined;
  } catch {
    return undefined;
  }
}
