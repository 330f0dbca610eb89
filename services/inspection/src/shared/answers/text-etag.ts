import { createHash } from 'node:crypto';
import { ServiceError } from '@sinebar/contracts';
import { matchesEtag, reply, REVALIDATED, type Reply } from '@sinebar/http';

/** An answer as text, and its strong validator. */
export interface TextWithEtag {
  text: string;
  etag: string;
}

export function withEtag(text: string): TextWithEtag {
  return { text, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"` };
}

/**
 * Refuses a change of what has changed since the client read it.
 * @param what begins the sentence, such as "The note"
 * @throws ServiceError 412
 */
export function requireMatch(ifMatch: string | undefined, etag: string, what: string): void {
  if (ifMatch === undefined || matchesEtag(ifMatch, etag, 'strong')) return;
  throw new ServiceError('PreconditionFailed', `${what} has changed. Read it again.`, { headers: { ETag: etag } });
}

/** Answers a text, or 304 if the client has it. Its validator is also a condition of changes, so the answer is not to be compressed. */
export function replyText(ifNoneMatch: string | undefined, { text, etag }: TextWithEtag): Reply {
  const headers = { ETag: etag, 'Cache-Control': REVALIDATED, Vary: 'Authorization' };
  return matchesEtag(ifNoneMatch, etag) ? reply.empty(304, headers) : reply.text(text, headers);
}
