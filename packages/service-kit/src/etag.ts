/**
 * Whether an `If-None-Match` (or `If-Match`) header names the entity tag: a list of tags, weak ones compared by their text, or `*`.
 * spec: decisions.md 6.4
 */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  const opaque = (tag: string) => tag.replace(/^W\//, '');
  return (header.match(/(?:W\/)?"[^"]*"/g) ?? []).some((tag) => opaque(tag) === opaque(etag));
}
