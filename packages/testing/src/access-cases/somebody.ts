import { pathOfPlace } from './places.js';

/** A `Principal` in every respect; this package knows no other. */
export interface Somebody {
  name: string;
  rightsKey: string;
  partsWith: (right: string) => { prefix: string }[];
  holds: (right: string) => boolean;
}

/** Reads `plan:read /A, catalog:write`: rights of which those on parts have a path; `nothing` holds none. */
export function grantsOf(who: string): { right: string; part: string | undefined }[] {
  if (who === 'nothing') return [];
  return who.split(', ').map((grant) => {
    const [, right, part] = /^([a-zA-Z]+:(?:read|write))(?: (\/.*))?$/s.exec(grant) ?? [];
    if (right === undefined) throw new Error(`not a grant: ${grant}`);
    return { right, part };
  });
}

/** Somebody who holds exactly these grants. */
export function somebodyWith(who: string): Somebody {
  const grants = grantsOf(who);
  return {
    name: who,
    rightsKey: who,
    partsWith: (right) =>
      grants.flatMap((grant) => (grant.right === right && grant.part !== undefined ? [{ prefix: pathOfPlace(grant.part) }] : [])),
    holds: (right) => grants.some((grant) => grant.right === right && grant.part === undefined),
  };
}
