import { PathScope } from './path-scope.js';

/** Rights on a part path and everything below it (spec: decisions.md 8.2). */
export const PART_RIGHTS = ['plan:read', 'plan:write', 'measurement:read', 'measurement:write', 'rawData:read', 'rawData:write'] as const;
export type PartRight = (typeof PART_RIGHTS)[number];

/** Rights on the whole server (spec: decisions.md 8.2). */
export const SERVER_RIGHTS = ['configuration:write', 'catalog:write'] as const;
export type ServerRight = (typeof SERVER_RIGHTS)[number];

export type Right = PartRight | ServerRight;

/** Who makes a request. */
export interface Principal {
  /** Shown in logs; empty when nobody has to sign in. */
  name: string;
  /**
   * Tells users apart: equal only for the same user signed in in the same way, since names are given out by each way on its own.
   * Without it the name does.
   */
  userKey?: string;
  /** Principals with equal keys have equal rights: event rooms and cache entries are shared by it. */
  rightsKey: string;
  /** The paths on which the principal holds `right`. */
  scopeOf(right: PartRight): PathScope;
  holds(right: ServerRight): boolean;
}

/** @returns what limits, ownership and logs tell users apart by; empty for anonymous users */
export function userKeyOf({ userKey, name }: Pick<Principal, 'userKey' | 'name'>): string {
  return userKey ?? name;
}

/** Access mode `none`: everybody may do everything. */
export const EVERYONE: Principal = {
  name: '',
  rightsKey: 'all',
  scopeOf: () => PathScope.EVERYTHING,
  holds: () => true,
};
