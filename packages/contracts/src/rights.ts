/** Rights on a part path and everything below it (spec: decisions.md 8.2). */
export const PART_RIGHTS = [
  'plan:read',
  'plan:write',
  'measurement:read',
  'measurement:write',
  'rawData:read',
  'rawData:write',
  'note:write',
] as const;
export type PartRight = (typeof PART_RIGHTS)[number];

/** Rights on the whole server (spec: decisions.md 8.2). */
export const SERVER_RIGHTS = ['configuration:write', 'catalog:write', 'policy:write'] as const;
export type ServerRight = (typeof SERVER_RIGHTS)[number];

export type Right = PartRight | ServerRight;

/** Rights that another one includes. */
const INCLUDED_RIGHTS: Readonly<Partial<Record<Right, readonly Right[]>>> = { 'measurement:write': ['note:write'] };

/** Returns the rights together with those that they include. */
export function withIncludedRights(rights: readonly Right[]): Right[] {
  return [...new Set(rights.flatMap((right) => [right, ...(INCLUDED_RIGHTS[right] ?? [])]))];
}
