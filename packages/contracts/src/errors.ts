import { z } from 'zod';

/** One field error: where it is (`[3].path`, `query.depth`, `header content-length`) and what to change. */
const errorDetailSchema = z.object({ field: z.string(), message: z.string() });
export type ErrorDetail = z.infer<typeof errorDetailSchema>;

/**
 * Values of `ExceptionType`, each with the HTTP status it is sent with. Clients understand only the statuses 400 to 504.
 * spec: decisions.md 2.6, 10.7
 */
export const ERROR_STATUS = {
  InvalidRequest: 400,
  ChecksumMismatch: 400,
  IncompleteBody: 400,
  UnsupportedArchive: 400,
  Unauthenticated: 401,
  Forbidden: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  RequestTimeout: 408,
  AlreadyExists: 409,
  InUse: 409,
  Conflict: 409,
  LengthRequired: 411,
  PreconditionFailed: 412,
  BodyTooLarge: 413,
  UriTooLong: 414,
  UnsupportedMediaType: 415,
  RangeNotSatisfiable: 416,
  MisdirectedRequest: 421,
  TooManyRequests: 429,
  HeadersTooLarge: 431,
  InternalError: 500,
  Unavailable: 503,
  Overloaded: 503,
  DeadlineExceeded: 503,
  OutOfStorage: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;
type ServerErrorCode = {
  [Code in ErrorCode]: (typeof ERROR_STATUS)[Code] extends 500 | 501 | 502 | 503 | 504 ? Code : never;
}[ErrorCode];

/** Reason phrases of the statuses from 500 on, in ASCII: the .NET SDK shows them to people and drops the body. spec: decisions.md 10.7 */
const REASON_PHRASES: Readonly<Record<ServerErrorCode, string>> = {
  InternalError: 'Internal error, see the log of the server',
  Unavailable: 'Service unavailable, try again later',
  Overloaded: 'Server overloaded, try again later',
  DeadlineExceeded: 'Time limit exceeded',
  OutOfStorage: 'Out of storage space',
};

/** @returns the reason phrase that the code is sent with; undefined where it is the usual one of the status */
export function reasonPhraseOf(code: ErrorCode): string | undefined {
  return (REASON_PHRASES as Readonly<Partial<Record<ErrorCode, string>>>)[code];
}

/**
 * Body of every failed request. `message` and `Message` carry the same text because clients read either spelling;
 * `StackTrace` is empty unless a debug setting is on.
 * spec: decisions.md 2.5
 */
export const errorBodySchema = z
  .object({
    message: z.string(),
    Message: z.string(),
    ExceptionType: z.enum(Object.keys(ERROR_STATUS) as ErrorCode[]),
    StackTrace: z.string(),
    requestId: z.string(),
    details: z.array(errorDetailSchema).optional(),
  })
  .meta({ id: 'ErrorBody', description: 'What every failed request answers; `message` says what to change' });
export type ErrorBody = z.infer<typeof errorBodySchema>;

/** The process cannot start as things are. The message says what to do; another attempt does not help. */
export class StartRefusal extends Error {
  override readonly name: string = 'StartRefusal';
}

export interface ServiceErrorOptions {
  details?: ErrorDetail[] | undefined;
  /** Sent as `Retry-After`, for statuses 503 and 429. */
  retryAfterSeconds?: number | undefined;
  /** Further response headers, such as `Allow`. */
  headers?: Readonly<Record<string, string>> | undefined;
  cause?: unknown;
}

/** Items of a batch that one error names at most. */
const MAX_CONFLICTS = 100;

/**
 * Builds the error for a batch of which some items exist or are in use; its details name them, so that the client can leave them out.
 * @param conflicts the items in the order of the request, they may name only what the request itself named
 * spec: decisions.md 2.6, 8.3
 */
export function batchConflict(code: 'AlreadyExists' | 'InUse', message: string, conflicts: readonly ErrorDetail[]): ServiceError {
  return new ServiceError(code, message, conflicts.length === 0 ? {} : { details: conflicts.slice(0, MAX_CONFLICTS) });
}

/**
 * Base class of every failure that is reported to the caller.
 * `message` is safe to send and says what to change. Any other error is a defect and answers 500 with a neutral sentence.
 */
export class ServiceError extends Error {
  override readonly name: string = 'ServiceError';
  readonly code: ErrorCode;
  readonly details: ErrorDetail[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, message: string, options: ServiceErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.headers = options.headers ?? {};
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

/**
 * Builds the 400 for one wrong field of a request.
 * @param field where it stands, such as `[3].uuid`
 * @param sentence says field and problem to a person
 */
export function invalidField(field: string, message: string, sentence = `${field}: ${message}`): ServiceError {
  return new ServiceError('InvalidRequest', sentence, { details: [{ field, message }] });
}
