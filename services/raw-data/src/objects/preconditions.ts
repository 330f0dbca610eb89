import type { IncomingHttpHeaders } from 'node:http';
import type { ByteRange } from '../blobs/blob-store.ts';
import { ServiceError } from '@sinebar/contracts';
import { etagMatcher, matchesEtag } from '@sinebar/http';
import { parseHttpDate } from './http-date.ts';

/** Identifies one state of a file for caches. */
export interface Validators {
  /** Strong validator, in quotes. */
  etag: string;
  lastModified: Date;
}

/**
 * The ETag of a file: its MD5 digits and the time of its last change in milliseconds.
 * spec: raw-data-service.md, Rules 5; decisions.md 6.4
 */
export function etagOf(file: { md5: string; lastModified: Date }): string {
  return `"${file.md5}-${file.lastModified.getTime().toString(16)}"`;
}

export function stateOf(file: { md5: string; lastModified: Date }): Validators {
  return { etag: etagOf(file), lastModified: file.lastModified };
}

/**
 * Checks the conditions of a GET or HEAD in the order of RFC 9110, 13.2.2: `If-Match`, else `If-Unmodified-Since`; then `If-None-Match`
 * (weak comparison, lists, `*`), else `If-Modified-Since`. Dates that are no HTTP-date are ignored.
 * @returns whether the caller already has this state
 * @throws ServiceError 412
 * spec: decisions.md 6.4
 */
export function isNotModified(headers: IncomingHttpHeaders, current: Validators): boolean {
  requireState(headers, [current]);
  const { 'if-none-match': ifNoneMatch, 'if-modified-since': ifModifiedSince } = headers;
  if (ifNoneMatch !== undefined) return matchesEtag(ifNoneMatch, current.etag);
  return isUnmodified(ifModifiedSince, [current]) === true;
}

/**
 * Checks the conditions of a change in the order of RFC 9110, 13.2.2: `If-Match`, else `If-Unmodified-Since`; then `If-None-Match`.
 * @param current all files that the request changes: `If-Match` needs the ETag of each, and the newest counts for the date
 * @throws ServiceError 412
 * spec: decisions.md 6.4
 */
export function requireConditions(headers: IncomingHttpHeaders, current: readonly Validators[]): void {
  requireState(headers, current);
  const ifNoneMatch = headers['if-none-match'];
  if (ifNoneMatch === undefined) return;
  const isListed = etagMatcher(ifNoneMatch);
  if (current.some(({ etag }) => isListed(etag))) {
    throw preconditionFailed('There is a file with an ETag among those of If-None-Match. Nothing was changed.', current);
  }
}

/** Whether a change depends on the state of the file. */
export function isConditional(headers: IncomingHttpHeaders): boolean {
  return ['if-match', 'if-none-match', 'if-unmodified-since'].some((name) => headers[name] !== undefined);
}

function requireState(
  { 'if-match': ifMatch, 'if-unmodified-since': ifUnmodifiedSince }: IncomingHttpHeaders,
  current: readonly Validators[],
) {
  if (ifMatch !== undefined) {
    const isListed = etagMatcher(ifMatch, 'strong');
    if (current.length > 0 && current.every(({ etag }) => isListed(etag))) return;
    throw preconditionFailed(
      current.length === 0
        ? 'There is no file, and If-Match asks for one. Send the request without that header.'
        : 'The file has changed: its ETag is not among those of If-Match. Read it again.',
      current,
    );
  }
  if (isUnmodified(ifUnmodifiedSince, current) === false) {
    throw preconditionFailed('The file has changed since the time of If-Unmodified-Since. Read it again.', current);
  }
}

/** @returns `undefined` without an HTTP-date */
function isUnmodified(since: string | undefined, current: readonly Validators[]): boolean | undefined {
  const time = parseHttpDate(since);
  return time === undefined ? undefined : current.every(({ lastModified }) => wholeSeconds(lastModified) <= time);
}

function preconditionFailed(message: string, current: readonly Validators[]): ServiceError {
  const [one, ...others] = current;
  return new ServiceError('PreconditionFailed', message, { ...(one && others.length === 0 && { headers: { ETag: one.etag } }) });
}

/**
 * Selects the bytes of the header `Range`.
 * @returns `undefined` for the whole file: without the header, with another unit, a malformed range, several ranges, or another `If-Range`
 * @throws ServiceError 416 when the range begins after the end
 * spec: decisions.md 6.4
 */
export function selectRange(
  headers: { range?: string | undefined; ifRange?: string | undefined },
  current: Validators,
  sizeBytes: number,
): ByteRange | undefined {
  const match = /^\s*bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(headers.range ?? '');
  if (!match || !rangeStillApplies(headers.ifRange, current)) return undefined;
  const [from = '', to = ''] = match.slice(1);
  if (from === '' && to === '') return undefined;
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined;
  const first = from === '' ? Math.max(0, sizeBytes - Number(to)) : Number(from);
  const last = from === '' || to === '' ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1);
  if (first > last) {
    throw new ServiceError('RangeNotSatisfiable', `The file has ${sizeBytes} bytes, and the range begins after them.`, {
      headers: { 'Content-Range': `bytes */${sizeBytes}` },
    });
  }
  return { first, last };
}

function rangeStillApplies(ifRange: string | undefined, current: Validators): boolean {
  if (ifRange === undefined) return true;
  if (/^\s*(W\/)?"/.test(ifRange)) return ifRange.trim() === current.etag;
  return parseHttpDate(ifRange) === wholeSeconds(current.lastModified);
}

/** Removes milliseconds, which HTTP dates lack. */
function wholeSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1000) * 1000;
}
