/** Uuid of the root part of every server (spec: decisions.md 4.1). */
export const ROOT_PART_UUID = '00000000-0000-0000-0000-000000000000';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Reads a uuid as clients write it: any case, optionally in braces, blanks around it ignored.
 * @returns lower case with hyphens and without braces, or `undefined` when the text is no uuid.
 * spec: decisions.md 1.3
 */
export function parseUuid(text: string): string | undefined {
  let candidate = text.trim();
  if (candidate.startsWith('{') && candidate.endsWith('}')) candidate = candidate.slice(1, -1).trim();
  candidate = candidate.toLowerCase();
  return UUID.test(candidate) ? candidate : undefined;
}
