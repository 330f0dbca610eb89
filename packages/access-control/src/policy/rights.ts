import { createHash } from 'node:crypto';
import { EVERYONE, PART_RIGHTS, SERVER_RIGHTS, type PartRight, type Principal, type Right, type ServerRight } from '../principal.ts';
import { PathScope } from '../path-scope.ts';

/** One right that a policy grants: on the subtree with this stored path or, without one, on the whole server. */
export interface GrantedRight {
  right: Right;
  prefix: string | undefined;
}

/** Rights of a set of grants, independent of their order and of duplicates. */
export interface Rights {
  key: string;
  scopes: ReadonlyMap<PartRight, PathScope>;
  server: ReadonlySet<ServerRight>;
}

export function isServerRight(right: Right): right is ServerRight {
  return (SERVER_RIGHTS as readonly string[]).includes(right);
}

/** The union of the grants; a subtree inside another one adds nothing. */
export function unionOf(grants: readonly GrantedRight[]): Rights {
  const scopes = new Map<PartRight, PathScope>();
  for (const right of PART_RIGHTS) {
    const prefixes = grants.flatMap((grant) => (grant.right === right && grant.prefix !== undefined ? [grant.prefix] : []));
    scopes.set(right, PathScope.of(prefixes));
  }
  const server = new Set(SERVER_RIGHTS.filter((right) => grants.some((grant) => grant.right === right)));
  return { key: keyOf(scopes, server), scopes, server };
}

export function principalWith(name: string, userKey: string, rights: Rights): Principal {
  return {
    name,
    userKey,
    rightsKey: rights.key,
    scopeOf: (right) => rights.scopes.get(right) ?? PathScope.NOTHING,
    holds: (right) => rights.server.has(right),
  };
}

function keyOf(scopes: Rights['scopes'], server: Rights['server']): string {
  const ranges = PART_RIGHTS.map((right) => {
    const scope = scopes.get(right) ?? PathScope.NOTHING;
    return scope.isEverything ? 'all' : scope.prefixes;
  });
  if (ranges.every((range) => range === 'all') && server.size === SERVER_RIGHTS.length) return EVERYONE.rightsKey;
  return createHash('sha256')
    .update(JSON.stringify([ranges, SERVER_RIGHTS.filter((right) => server.has(right))]))
    .digest('base64url');
}
