import type { Principal } from '@sinebar/access-control';
import { readVersionComment } from '@sinebar/contracts';
import type { ShownUsers } from './shown-users.ts';

/** Returns a comment as a reader may see it; `undefined` where nothing of it is shown. */
export type ShowComment = (comment: string, reader: Principal) => string | undefined;

/** Leaves names of users out of comments that are written as `[user]: reason`. */
export function showComments(shown: ShownUsers): ShowComment {
  if (shown === 'all') return (comment) => comment;
  return (comment, { name }) => {
    const read = readVersionComment(comment);
    if (read === undefined || (shown === 'own' && read.user === name)) return comment;
    return read.reason === '' ? undefined : read.reason;
  };
}
