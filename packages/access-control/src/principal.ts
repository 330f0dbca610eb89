import type { PartRight, ServerRight } from '@sinebar/contracts';
import { PathScope } from './path-scope.ts';

export { PART_RIGHTS, SERVER_RIGHTS, withIncludedRights, type PartRight, type Right, type ServerRight } from '@sinebar/contracts';

/** The authenticated user of a request and its rights. */
export interface Principal {
  /** Name for logs; empty in access mode `none`. */
  name: string;
  /**
   * Identifies a user: equal only for the same user and the same way to sign in, since names of different ways may collide.
   * When missing, the name identifies the user.
   */
  userKey?: string;
  /** Principals with equal keys have equal rights: event rooms and cache entries are shared by it. */
  rightsKey: string;
  scopeOf(right: PartRight): PathScope;
  holds(right: ServerRight): boolean;
}

/** Returns the key by which limits, ownership and logs identify a user; empty for anonymous users. */
export function userKeyOf({ userKey, name }: Pick<Principal, 'userKey' | 'name'>): string {
  return userKey ?? name;
}

/** The principal of access mode `none`: every request has all rights. */
export const EVERYONE: Principal = {
  name: '',
  rightsKey: 'all',
  scopeOf: () => PathScope.EVERYTHING,
  holds: () => true,
};
