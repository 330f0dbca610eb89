import { createHash } from 'node:crypto';
import { matchesEtag, reply, type Reply } from '@sinebar/http';
import { cacheHeaders, type Reader } from '../shared/request-context.ts';

/**
 * Answers with a validator made of the answer itself: any new, changed or deleted value may change it.
 * @param answer an object or its JSON text
 */
export function validated(answer: object | string, reader: Reader): Reply {
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
  const etag = `"${createHash('sha256')
    .update(text)
    .update(String(reader.headers['accept-encoding'] ?? ''))
    .digest('base64url')
    .slice(0, 27)}"`;
  const headers = cacheHeaders(etag);
  return matchesEtag(reader.headers['if-none-match'], etag) ? reply.empty(304, headers) : reply.text(text, headers);
}
