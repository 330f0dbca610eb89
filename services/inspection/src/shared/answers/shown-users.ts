import type { Principal } from '@sinebar/access-control';

/** Whose names answers hold. */
export const SHOWN_USERS = ['all', 'own', 'none'] as const;
export type ShownUsers = (typeof SHOWN_USERS)[number];

/** Members of answers that hold names of users. */
interface Named {
  user?: string | undefined;
  modifiedBy?: string | undefined;
}

/** Leaves out the names that a reader is not to see. */
export type HideUsers = <T extends Named>(item: T, reader: Principal) => T;

export function hideUsers(shown: ShownUsers): HideUsers {
  if (shown === 'all') return (item) => item;
  return (item, { name }) => {
    const isShown = (user: string | undefined) => shown === 'own' && user === name;
    const copy = { ...item };
    if (!isShown(copy.user)) delete copy.user;
    if (!isShown(copy.modifiedBy)) delete copy.modifiedBy;
    return copy;
  };
}
