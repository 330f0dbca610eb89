import type { ErrorBody } from '@sinebar/contracts';
import { ServiceError } from '@sinebar/contracts';

export interface ErrorReply {
  status: number;
  headers: Record<string, string>;
  body: ErrorBody;
}

/**
 * The answer for a failure. What is no {@link ServiceError} is a defect: it answers 500 with a neutral sentence, its own text goes to the log only.
 * spec: decisions.md 2.5
 */
export function errorReply(error: unknown, requestId: string, withStack: boolean): ErrorReply {
  const known = asServiceError(error);
  const message = known?.message ?? `something went wrong inside the server; quote ${requestId} when you report it`;
  const headers: Record<string, string> = { ...known?.headers };
  if (known?.retryAfterSeconds !== undefined) headers['Retry-After'] = String(known.retryAfterSeconds);
  const body: ErrorBody = {
    message,
    Message: message,
    ExceptionType: known?.code ?? 'InternalError',
    StackTrace: withStack && error instanceof Error ? (error.stack ?? '') : '',
    requestId,
    ...(known?.details && { details: known.details }),
  };
  return { status: known?.status ?? 500, headers, body };
}

/** Express and its parts throw errors with a `status` of their own, for example for an address that is not percent-encoded. */
function asServiceError(error: unknown): ServiceError | undefined {
  if (error instanceof ServiceError) return error;
  if (error instanceof URIError) return new ServiceError('InvalidRequest', 'the address is not percent-encoded UTF-8', { cause: error });
  const status = (error as { status?: unknown } | undefined)?.status;
  return typeof status === 'number' && status >= 400 && status < 500
    ? new ServiceError('InvalidRequest', error instanceof Error ? error.message : 'the request is malformed', { cause: error })
    : undefined;
}
