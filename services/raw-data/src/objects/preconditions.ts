import type { IncomingHttpHeaders } from 'node:http';
import type { ByteRange } from '../blobs/blob-store.js';
import { ServiceError } from '@sinebar/contracts';
import { matchesEtag } from '@sinebar/http';

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

/**
 * Whether the caller already has this state, by `If-None-Match` (weak comparison, lists, `*`) or, without it, by `If-Modified-Since`.
 * spec: decisions.md 6.4
 */
export function isNotModified(
  { 'if-none-match': ifNoneMatch, 'if-modified-since': ifModifiedSince }: IncomingHttpHeaders,
  current: Validators,
): boolean {
  if (ifNoneMatch !== undefined) return matchesEtag(ifNoneMatch, current.etag);
  if (ifModifiedSince === undefined) return false;
  const since = Date.parse(ifModifiedSince);
  return Number.isFinite(since) && wholeSeconds(current.lastModified) <= since;
}

/**
 * Checks the `If-Match` of a change: strong comparison, lists and `*`.
 * @throws ServiceError 412 when the file has another ETag
 * spec: decisions.md 6.4
 */
export function requireMatch(ifMatch: string | undefined, currentEtag: string): void {
  if (ifMatch === undefined || matchesEtag(ifMatch, currentEtag, 'strong')) return;
  throw new ServiceError('PreconditionFailed', 'The file has changed: its ETag is not among those of If-Match. Read it again.', {
    headers: { ETag: currentEtag },
  });
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
  return Date.parse(ifRange) === wholeSeconds(current.lastModified);
}

/** Removes milliseconds, which HTTP dates lack. */
function wholeSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1000) * 1000;
}
