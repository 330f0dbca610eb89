import { ERROR_STATUS, ServiceError, type ErrorCode } from '@sinebar/contracts';
import { errorReply } from '../error-reply.js';
import type { Route } from '../route.js';

const SENTENCES: Readonly<Record<ErrorCode, string>> = {
  InvalidRequest: 'parameter depth: must be a whole number from 0 to 65535',
  ChecksumMismatch: 'the MD5 of the received bytes is not the one in Content-MD5; nothing was stored',
  IncompleteBody: 'the body ended before its announced length; nothing was stored',
  UnsupportedArchive: 'the file is no archive that can be read',
  Unauthenticated: 'sign in with user name and password, or with a bearer token',
  Forbidden: 'this needs the right plan:write, which you do not hold',
  NotFound: 'there is no part 05040c4c-f0af-46b8-810e-30c0c00a379e',
  MethodNotAllowed: 'PATCH is not possible here; use DELETE, GET, HEAD, POST, PUT',
  RequestTimeout: 'the body did not arrive in time',
  AlreadyExists: 'there is a part with the uuid 05040c4c-f0af-46b8-810e-30c0c00a379e already',
  InUse: 'the part has measurements; delete them first',
  Conflict: 'somebody else changed this at the same time; read it again',
  LengthRequired: 'the length of the body is not known',
  PreconditionFailed: 'the file has changed since it was read; its ETag is another one',
  BodyTooLarge: 'the body is larger than 67108864 bytes',
  UriTooLong: 'the address is longer than 65536 bytes',
  UnsupportedMediaType: 'the body must be JSON in UTF-8',
  RangeNotSatisfiable: 'the file has 22 bytes; the range begins behind them',
  MisdirectedRequest: 'This server is not plant.example. Use its public address.',
  TooManyRequests: 'too many failed attempts to sign in; wait a minute',
  HeadersTooLarge: 'the headers are larger than 65536 bytes',
  InternalError: 'something went wrong inside the server; quote 6d0b9f4e-4f2b-4d2a-9d3f-0c7f9c1b2a33 when you report it',
  Unavailable: 'the database does not answer; try again',
  Overloaded: 'too many requests are being worked on; try again',
  DeadlineExceeded: 'the request took too long',
  OutOfStorage: 'there is no space left for files',
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
