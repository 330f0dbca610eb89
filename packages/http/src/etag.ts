/**
 * Whether an `If-None-Match` (`weak` comparison) or `If-Match` (`strong`) header names the entity tag: a list of tags, or `*`. Tags without quotation marks are
 * taken as well, since some clients lose them when they hand a value through.
 * spec: decisions.md 6.4
 */
export function matchesEtag(header: string | undefined, etag: string, comparison: 'weak' | 'strong' = 'weak'): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  const isWeak = (tag: string) => tag.startsWith('W/');
  const opaque = (tag: string) => tag.replace(/^W\//, '').replace(/^"(.*)"$/, '$1');
  return [...header.matchAll(/(?:W\/)?(?:"[^"]*"|[^\s,"]+)/g)].some(([tag]) => {
    if (comparison === 'strong' && (isWeak(tag) || isWeak(etag))) return false;
    return opaque(tag) === opaque(etag);
  });
}
