import { type ErrorBody, reasonPhraseOf, ServiceError } from '@sinebar/contracts';

export interface ErrorReply {
  status: number;
  /** HTTP reason phrase; undefined for the usual one of the status. */
  reason: string | undefined;
  headers: Record<string, string>;
  body: ErrorBody;
}

/** `Retry-After` of an answer with status 503 whose error names no time of its own. */
const RETRY_AFTER_SECONDS = 5;

/**
 * Builds the answer for a failure.
 * An error other than {@link ServiceError} is a defect: it answers 500 with a neutral sentence, and its text is only logged.
 * spec: decisions.md 2.5
 */
export function errorReply(error: unknown, requestId: string, withStack: boolean): ErrorReply {
  const known = asServiceError(error);
  const message = known?.message ?? `Something went wrong inside the server. Quote ${requestId} when you report it.`;
  const code = known?.code ?? 'InternalError';
  const status = known?.status ?? 500;
  const headers: Record<string, string> = { ...known?.headers };
  const retryAfterSeconds = known?.retryAfterSeconds ?? (status === 503 ? RETRY_AFTER_SECONDS : undefined);
  if (retryAfterSeconds !== undefined) headers['Retry-After'] = String(retryAfterSeconds);
  const body: ErrorBody = {
    message,
    Message: message,
    ExceptionType: code,
    StackTrace: withStack && error instanceof Error ? (error.stack ?? '') : '',
    requestId,
    ...(known?.details && { details: known.details }),
  };
  return { status, reason: reasonPhraseOf(code), headers, body };
}

/** Converts errors of Express with a `status`, for example for an address that is not percent-encoded. */
function asServiceError(error: unknown): ServiceError | undefined {
  if (error instanceof ServiceError) return error;
  if (error instanceof URIError) return new ServiceError('InvalidRequest', 'The address is not percent-encoded UTF-8.', { cause: error });
  const status = (error as { status?: unknown } | undefined)?.status;
  return typeof status === 'number' && status >= 400 && status < 500
    ? new ServiceError('InvalidRequest', error instanceof Error ? error.message : 'The request is malformed.', { cause: error })
    : undefined;
}
