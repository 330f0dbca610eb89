import { createHash } from 'node:crypto';
import { EVERYONE, PART_RIGHTS, SERVER_RIGHTS, type PartRight, type Principal, type Right, type ServerRight } from '../principal.js';
import { withoutNested, type ReadableParts } from '../readable-parts.js';

/** One right that a policy gives: on the subtree with this stored path, or, without one, on the whole server. */
export interface GrantedRight {
  right: Right;
  prefix: string | undefined;
}

/** What a set of grants allows, whatever their order and how often they say the same. */
export interface Rights {
  /** Equal for equal rights. */
  key: string;
  parts: ReadonlyMap<PartRight, ReadableParts>;
  server: ReadonlySet<ServerRight>;
}

export function isServerRight(right: Right): right is ServerRight {
  return (SERVER_RIGHTS as readonly string[]).includes(right);
}

/** The union of the grants; a subtree inside another one adds nothing. */
export function unionOf(grants: readonly GrantedRight[]): Rights {
  const parts = new Map<PartRight, ReadableParts>();
  for (const right of PART_RIGHTS) {
    const prefixes = new Set(grants.flatMap((grant) => (grant.right === right && grant.prefix !== undefined ? [grant.prefix] : [])));
    parts.set(right, prefixes.has('') ? 'all' : withoutNested([...prefixes].map((prefix) => ({ prefix }))));
  }
  const server = new Set(SERVER_RIGHTS.filter((right) => grants.some((grant) => grant.right === right)));
  return { key: keyOf(parts, server), parts, server };
}

export function principalWith(name: string, userKey: string, rights: Rights): Principal {
  return {
    name,
    userKey,
    rightsKey: rights.key,
    partsWith: (right) => rights.parts.get(right) ?? [],
    holds: (right) => rights.server.has(right),
  };
}

function keyOf(parts: Rights['parts'], server: Rights['server']): string {
  const ranges = PART_RIGHTS.map((right) => {
    const readable = parts.get(right) ?? [];
    return readable === 'all' ? readable : readable.map(({ prefix }) => prefix);
  });
  if (ranges.every((range) => range === 'all') && server.size === SERVER_RIGHTS.length) return EVERYONE.rightsKey;
  return createHash('sha256')
    .update(JSON.stringify([ranges, SERVER_RIGHTS.filter((right) => server.has(right))]))
    .digest('base64url');
}
