/**
 * Matches an entity tag against `If-None-Match` (`weak` comparison) or `If-Match` (`strong`): a list of tags, or `*`. Tags without
 * quotation marks are accepted too, since some clients lose the marks.
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
