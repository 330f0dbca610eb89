import type { Principal } from '@sinebar/access-control';
import type { ShownUsers } from './shown-users.ts';

/** Returns a comment as a reader may see it; `undefined` where nothing of it is shown. */
export type ShowComment = (comment: string, reader: Principal) => string | undefined;

/** The form of comments that the specification suggests, `[user]: reason`. spec: inspection-service.md, Parts */
const WITH_USER = /^\s*\[(.*?)\]\s*:\s*(.*)$/s;

/** Leaves names of users out of comments that are written as `[user]: reason`. */
export function showComments(shown: ShownUsers): ShowComment {
  if (shown === 'all') return (comment) => comment;
  return (comment, { name }) => {
    const [, user, reason] = WITH_USER.exec(comment) ?? [];
    if (user === undefined || (shown === 'own' && user === name)) return comment;
    return reason === '' ? undefined : reason;
  };
}
