import type { IncomingHttpHeaders } from 'node:http';
import { invalidField, ServiceError } from '@sinebar/contracts';
import { mediaTypeOf, refuseForm } from '@sinebar/http';
import { parseMd5 } from '../objects/md5.ts';
import { readFileName } from './content-disposition-input.ts';
import { tooLarge } from '@sinebar/runtime';

export interface UploadRules {
  /** Patterns of allowed file names with `*` and `?`, compared without case; empty allows every name. */
  allowedFileNames: readonly string[];
  /** Size limit of a file in bytes. */
  maxFileBytes: number | undefined;
}

export interface AnnouncedFile {
  fileName: string;
  /** `undefined` without `Content-Type`. */
  mimeType: string | undefined;
  /** Possible digests of `Content-MD5`; empty when it was not given. */
  md5: readonly string[];
  encoding: 'identity' | 'gzip' | 'deflate';
  /** Size of the body as sent; `undefined` for a chunked one. */
  sizeBytes: number | undefined;
}

const MAX_FILE_NAME_LENGTH = 1000;
const MAX_MIME_TYPE_LENGTH = 255;
const HEADERS_TO_SEND =
  'Send the headers Content-Type with the type of the file, such as application/pdf, and Content-Disposition with its name, such as ' +
  'attachment; filename="protocol.pdf".';
const CONTROL_CHARACTERS = /[\p{Cc}\p{Zl}\p{Zp}]/u;
const UNPAIRED_SURROGATE = /[\ud800-\udfff]/u;
const MIME_TYPE = /^[\w!#$&^.+*-]+\/[\w!#$&^.+*-]+\s*(;[\t\x20-\x7e]*)?$/;

/**
 * Reads and checks the headers of an upload, before any byte of its body.
 * @throws ServiceError 400 naming the header, 413, 415
 * spec: raw-data-service.md, Headers for POST and PUT; decisions.md 6.2, 6.9, 6.10
 */
export function readUploadHeaders(headers: IncomingHttpHeaders, rules: UploadRules): AnnouncedFile {
  const mimeType = readMimeType(headers['content-type']);
  const disposition = headers['content-disposition'];
  const fileName = disposition === undefined ? undefined : readFileName(disposition);
  if (fileName === undefined)
    throw badHeader('Content-Disposition', 'must carry the file name, such as attachment; filename="protocol.pdf"');
  checkFileName(fileName, rules, 'header Content-Disposition');
  const sentMd5 = String(headers['content-md5'] ?? '');
  const md5 = sentMd5.trim() === '' ? [] : parseMd5(sentMd5);
  if (md5 === undefined) throw badHeader('Content-MD5', 'must be the MD5 of the file, Base64 or hexadecimal');
  const length = headers['content-length'];
  if (length !== undefined && rules.maxFileBytes !== undefined && Number(length) > rules.maxFileBytes) throw tooLarge(rules.maxFileBytes);
  const sizeBytes = length === undefined ? undefined : Number(length);
  return { fileName, mimeType, md5, encoding: readEncoding(headers['content-encoding']), sizeBytes };
}

/**
 * @param field where the name stands, for the message
 * @throws ServiceError 400
 * spec: decisions.md 6.2, 6.9
 */
export function checkFileName(fileName: string, rules: Pick<UploadRules, 'allowedFileNames'>, field: string): void {
  if (fileName.trim() === '') throw badName(field, 'the file name is empty');
  if (CONTROL_CHARACTERS.test(fileName) || UNPAIRED_SURROGATE.test(fileName)) throw badName(field, 'the file name has control characters');
  if (fileName.length > MAX_FILE_NAME_LENGTH) throw badName(field, `the file name is longer than ${MAX_FILE_NAME_LENGTH} characters`);
  const { allowedFileNames } = rules;
  if (allowedFileNames.length > 0 && !allowedFileNames.some((pattern) => matchesPattern(pattern, fileName))) {
    throw badName(field, `the server takes only files named ${allowedFileNames.join(', ')}`);
  }
}

/** @throws ServiceError 400 when the text could not be sent as a header later */
export function checkMimeType(mimeType: string, field: string): void {
  if (mimeType.length > MAX_MIME_TYPE_LENGTH || !MIME_TYPE.test(mimeType)) {
    const message = `must be a MIME type such as application/pdf, not ${JSON.stringify(mimeType.slice(0, 100))}`;
    throw invalidField(field, message, `The ${field} ${message}.`);
  }
}

/** @throws ServiceError 400, 415 */
function readMimeType(contentType: string | undefined): string | undefined {
  if (contentType === undefined) return undefined;
  refuseForm(contentType, ` ${HEADERS_TO_SEND}`);
  if (mediaTypeOf(contentType) === 'application/x-www-form-urlencoded') {
    throw new ServiceError(
      'UnsupportedMediaType',
      `The body is marked as a form (application/x-www-form-urlencoded), as curl does on its own. ${HEADERS_TO_SEND}`,
    );
  }
  const mimeType = unquoted(contentType.trim());
  if (mimeType === '') throw badHeader('Content-Type', 'must carry the MIME type of the file, such as application/pdf');
  checkMimeType(mimeType, 'header Content-Type');
  return mimeType;
}

/** Removes quotes around a whole type, which some clients send; quotes around a parameter value belong to it. spec: decisions.md 6.2 */
function unquoted(mimeType: string): string {
  const inside = /^"(.*)"$/.exec(mimeType)?.[1];
  return inside === undefined ? mimeType : inside.replace(/\\(.)/g, '$1').trim();
}

function readEncoding(header: string | undefined): AnnouncedFile['encoding'] {
  const encoding = header?.trim().toLowerCase() ?? '';
  if (encoding === '' || encoding === 'identity') return 'identity';
  if (encoding === 'gzip' || encoding === 'x-gzip') return 'gzip';
  if (encoding === 'deflate') return 'deflate';
  throw new ServiceError('UnsupportedMediaType', 'The body may be encoded with gzip or deflate, or not at all.');
}

/** Uses no regular expression: a pattern with many `*` could need exponential time. */
function matchesPattern(pattern: string, text: string): boolean {
  const [wanted, given] = [[...pattern.toLowerCase()], [...text.toLowerCase()]];
  let [p, t, star, mark] = [0, 0, -1, 0];
  while (t < given.length) {
    if (wanted[p] === '*') {
      star = p;
      mark = t;
      p += 1;
    } else if (p < wanted.length && (wanted[p] === '?' || wanted[p] === given[t])) {
      p += 1;
      t += 1;
    } else if (star >= 0) {
      p = star + 1;
      mark += 1;
      t = mark;
    } else {
      return false;
    }
  }
  while (wanted[p] === '*') p += 1;
  return p === wanted.length;
}

function badHeader(name: string, message: string): ServiceError {
  const field = `header ${name}`;
  return invalidField(field, message, `The ${field} ${message}.`);
}

function badName(field: string, message: string): ServiceError {
  return invalidField(field, message, `The ${field} is not valid: ${message}.`);
}
