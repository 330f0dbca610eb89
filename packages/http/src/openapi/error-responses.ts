import { ERROR_STATUS, ServiceError, type ErrorCode } from '@sinebar/contracts';
import { errorReply } from '../error-reply.ts';
import type { Route } from '../route.ts';

const SENTENCES: Readonly<Record<ErrorCode, string>> = {
  InvalidRequest: 'Parameter depth: must be a whole number from 0 to 65535.',
  ChecksumMismatch: 'The MD5 of the received bytes is not the one in Content-MD5. Nothing was stored.',
  IncompleteBody: 'The body ended before its announced length. Nothing was stored.',
  UnsupportedArchive: 'The file is no archive that can be read.',
  Unauthenticated: 'Sign in to use this address. The server accepts user name and password or a bearer token.',
  Forbidden: 'This needs the right plan:write, which you do not hold.',
  NotFound: 'There is no part 05040c4c-f0af-46b8-810e-30c0c00a379e.',
  MethodNotAllowed: 'PATCH is not possible here. Use DELETE, GET, HEAD, POST, PUT.',
  RequestTimeout: 'The body did not arrive in time.',
  AlreadyExists: 'There is a part with the uuid 05040c4c-f0af-46b8-810e-30c0c00a379e already.',
  InUse: 'The part has measurements. Delete them first.',
  Conflict: 'Somebody else changed this at the same time. Read it again.',
  LengthRequired: 'The length of the body is not known.',
  PreconditionFailed: 'The file has changed since it was read: its ETag is another one.',
  BodyTooLarge: 'The body is larger than 67108864 bytes. Send it in several requests.',
  UriTooLong: 'The address is longer than 65536 bytes.',
  UnsupportedMediaType: 'Send the body in UTF-8.',
  RangeNotSatisfiable: 'The file has 22 bytes. The range begins behind them.',
  MisdirectedRequest: 'This server is not plant.example. Use its public address.',
  TooManyRequests: 'There were too many wrong passwords. Try again later.',
  HeadersTooLarge: 'Address and headers are larger than 65536 bytes.',
  InternalError: 'Something went wrong inside the server. Quote 6d0b9f4e-4f2b-4d2a-9d3f-0c7f9c1b2a33 when you report it.',
  Unavailable: 'The database does not answer. Try again in a few seconds.',
  Overloaded: 'The server is busy. Try again in a few seconds.',
  DeadlineExceeded: 'The request took longer than 60 s and was stopped. Nothing was changed.',
  OutOfStorage: 'There is no space left for files.',
};
const REQUEST_ID = '6d0b9f4e-4f2b-4d2a-9d3f-0c7f9c1b2a33';

/** Returns the errors that the shell answers for a route, by the inputs of the route. */
export function errorsOf({ method, permission, body, isSearch, documentation }: Route): ErrorCode[] {
  const errors = new Set<ErrorCode>([
    'InvalidRequest',
    'InternalError',
    'Unavailable',
    'Overloaded',
    'DeadlineExceeded',
    'MisdirectedRequest',
  ]);
  const add = (...codes: ErrorCode[]) => codes.forEach((code) => errors.add(code));
  if (permission !== 'open') add('Unauthenticated', 'TooManyRequests');
  if (isSearch === true) add('TooManyRequests');
  if (permission !== 'open' && permission !== 'signed-in') add('Forbidden');
  if (body !== undefined) add('RequestTimeout', 'BodyTooLarge', 'IncompleteBody');
  if (body !== undefined && body !== 'stream') add('UnsupportedMediaType');
  // `Forbidden` answers pages of other origins.
  if (method !== 'GET') add('OutOfStorage', 'Forbidden');
  add(...documentation.errors);
  return [...errors];
}

/** Groups codes by status, ascending. */
export function byStatus(codes: readonly ErrorCode[]): Map<number, ErrorCode[]> {
  const statuses = new Map<number, ErrorCode[]>();
  for (const code of [...codes].sort((a, b) => ERROR_STATUS[a] - ERROR_STATUS[b])) {
    const status = ERROR_STATUS[code];
    statuses.set(status, [...(statuses.get(status) ?? []), code]);
  }
  return statuses;
}

export function errorExample(code: ErrorCode): unknown {
  return errorReply(new ServiceError(code, SENTENCES[code]), REQUEST_ID, false).body;
}
