import { errorCode } from '@sinebar/concurrency';
import { ServiceError, type ErrorCode } from '@sinebar/contracts';

/** Fields that PostgreSQL and its driver attach to the error of a statement. */
interface ServerFailure extends Error {
  code: string;
  constraint?: string;
  table?: string;
}

/** A stored constraint refused the change. Stores read `constraint` to name the item. */
export class DatabaseConflict extends ServiceError {
  override readonly name = 'DatabaseConflict';
  readonly kind: 'unique' | 'foreign-key' | 'exclusion';
  /** Name of the violated constraint or unique index. */
  readonly constraint: string | undefined;
  readonly table: string | undefined;

  constructor(kind: DatabaseConflict['kind'], cause: ServerFailure) {
    super(kind === 'unique' ? 'AlreadyExists' : 'Conflict', CONFLICT_SENTENCE[kind], { cause });
    this.kind = kind;
    this.constraint = cause.constraint ?? UNIQUE_MESSAGE.exec(cause.message)?.[1];
    this.table = cause.table;
  }
}

const CONFLICT_SENTENCE = {
  unique: 'An item with this identity already exists.',
  'foreign-key': 'The change refers to an item that does not exist, or removes one that others refer to.',
  exclusion: 'The change conflicts with an existing item.',
} as const;

const CONFLICT_KIND: Readonly<Record<string, DatabaseConflict['kind']>> = {
  '23505': 'unique',
  '23503': 'foreign-key',
  '23001': 'foreign-key',
  '23P01': 'exclusion',
};

/** Citus reports a violation on a node with another code, and without the name of the constraint in its field. */
const UNIQUE_MESSAGE = /duplicate key value violates unique constraint "([^"]+)"/;

/** Messages of Citus about a node that does not answer, for which it has no code of their own. */
const NODE_LOST = startsWithAny(
  'connection to the remote node',
  'could not (establish|connect to)',
  'failed to COPY to shard',
  '(failure on )?connection marked as essential',
  'the (remote )?node .* (is|was) (inactive|not available)',
);

/** SQLSTATE of an internal error, which Citus also uses for failures of its nodes. */
const INTERNAL = 'XX000';

type Answer = readonly [code: ErrorCode, sentence: string, retryAfterSeconds?: number];

/** Retry delay after a full disk: an operator has to free space first. */
const STORAGE_RETRY_S = 60;

const TEXT_REFUSED: Answer = ['InvalidRequest', 'Text must be valid Unicode without the character U+0000.'];
const RESTARTING: Answer = ['Unavailable', 'The database is restarting or shutting down. Try again in a few seconds.', 5];
const BUSY: Answer = ['Unavailable', 'The database has no free resources. Try again in a few seconds.', 5];
const SIGN_IN_REFUSED: Answer = [
  'Unavailable',
  'The database refuses the credentials of this service, which an administrator may be changing. Try again in a few seconds.',
  5,
];
const COLLIDED: Answer = ['Unavailable', 'The change collided with others that ran at the same time. Try again.', 1];

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const ANSWERS: Readonly<Record<string, Answer>> = {
  '40001': COLLIDED,
  '40P01': COLLIDED,
  // A new connection while a password changes; older ones continue.
  '28000': SIGN_IN_REFUSED,
  '28P01': SIGN_IN_REFUSED,
  '57014': ['DeadlineExceeded', 'The database took longer than the time limit for this request. Ask for less at once, or try again.', 5],
  '55P03': ['Unavailable', 'The items are locked by another change that takes long. Try again in a few seconds.', 5],
  '25P03': ['Unavailable', 'The request paused for too long in the middle of its work. Try again.', 1],
  '25006': ['Unavailable', 'The database accepts no changes at present. Try again in a few seconds.', 5],
  '57P01': RESTARTING,
  '57P02': RESTARTING,
  '57P03': RESTARTING,
  '57P05': RESTARTING,
  '53000': BUSY,
  '53200': BUSY,
  '53300': BUSY,
  '53400': BUSY,
  '53100': ['OutOfStorage', 'The storage of the database is full. Nothing was stored.', STORAGE_RETRY_S],
  '22P05': TEXT_REFUSED,
  '22021': TEXT_REFUSED,
  '22003': ['InvalidRequest', 'A number is outside the range that can be stored.'],
};

const CONNECTION_LOST: Answer = ['Unavailable', 'The database cannot be reached. Try again in a few seconds.', 5];

const CONNECTION_CODES: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
]);

/** Messages of connection failures for which the driver has no code. */
const CONNECTION_SENTENCES = startsWithAny(
  'Connection terminated',
  'Connection ended',
  'Client has encountered a connection error',
  'Client was closed',
  'timeout expired',
  'timeout exceeded when trying to connect',
  'Query read timeout',
);

/**
 * Translates failures of the database to answers for callers.
 * @returns a ServiceError with a safe sentence and the original as its cause; a defect unchanged.
 */
export function translateError(error: unknown): unknown {
  if (!Error.isError(error) || error instanceof ServiceError) return error;
  if (isConnectionFailure(error)) return answer(ANSWERS[errorCode(error) ?? ''] ?? CONNECTION_LOST, error);
  const code = errorCode(error);
  if (code === undefined) return error;
  const kind = CONFLICT_KIND[code];
  if (kind) return new DatabaseConflict(kind, error as ServerFailure);
  if (UNIQUE_MESSAGE.test(error.message)) return new DatabaseConflict('unique', error as ServerFailure);
  if (code === INTERNAL && NODE_LOST.test(error.message)) return answer(CONNECTION_LOST, error);
  const known = ANSWERS[code];
  return known ? answer(known, error) : error;
}

function answer([code, sentence, retryAfterSeconds]: Answer, cause: Error): ServiceError {
  return new ServiceError(code, sentence, { retryAfterSeconds, cause });
}

/** SQLSTATE of, for example, a statement that does not fit its parameters: a defect that leaves the connection usable. */
const PROTOCOL_VIOLATION = '08P01';

/** Whether the connection was lost or never opened; the outcome of the statement may be unknown. */
export function isConnectionFailure(error: unknown): boolean {
  if (!Error.isError(error)) return false;
  const code = errorCode(error);
  if (code === undefined) return CONNECTION_SENTENCES.test(error.message);
  // ENOENT: the Unix socket of a stopped server.
  return (
    (code.startsWith('08') && code !== PROTOCOL_VIOLATION) ||
    code.startsWith('57P') ||
    CONNECTION_CODES.has(code) ||
    (code === 'ENOENT' && 'syscall' in error)
  );
}

/**
 * Whether the transaction failed only because of concurrent ones: serialisation failure or deadlock, also as the cause of another error.
 */
export function isCollision(error: unknown): boolean {
  // Chains of causes are short; the limit guards against a cycle.
  for (let current = error, depth = 0; Error.isError(current) && depth < 10; current = current.cause, depth++) {
    const code = errorCode(current);
    if (code === '40001' || code === '40P01') return true;
  }
  return false;
}

function startsWithAny(...patterns: readonly string[]): RegExp {
  return new RegExp(`^(${patterns.join('|')})`);
}
