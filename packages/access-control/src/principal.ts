import type { PartRight, ServerRight } from '@sinebar/contracts';
import { PathScope } from './path-scope.ts';

export { PART_RIGHTS, SERVER_RIGHTS, withIncludedRights, type PartRight, type Right, type ServerRight } from '@sinebar/contracts';

/** Claims of a token whose signature was checked. */
export type Claims = Readonly<Record<string, unknown>>;

/** The authenticated user of a request and its rights. */
export interface Principal {
  /** Name for logs; empty in access mode `none`. */
  name: string;
  /**
   * Identifies a user: equal only for the same user and the same way to sign in, since names of different ways may collide.
   * When missing, the name identifies the user.
   */
  userKey?: string;
  /** Claims of the accepted token; missing for other ways to sign in. */
  claims?: Claims;
  /** Principals with equal keys have equal rights: event rooms and cache entries are shared by it. */
  rightsKey: string;
  scopeOf(right: PartRight): PathScope;
  holds(right: ServerRight): boolean;
}

/** Returns the key by which limits, ownership and logs identify a user; empty for anonymous users. */
export function userKeyOf({ userKey, name }: Pick<Principal, 'userKey' | 'name'>): string {
  return userKey ?? name;
}

/** Data of a user that are kept to find the rights later. */
export interface StoredUser {
  userKey: string;
  name: string;
  /** Claims of the last accepted token; missing for other ways to sign in. */
  claims?: Claims | undefined;
}

/** The principal of access mode `none`: every request has all rights. */
export const EVERYONE: Principal = {
  name: '',
  rightsKey: 'all',
  scopeOf: () => PathScope.EVERYTHING,
  holds: () => true,
};
