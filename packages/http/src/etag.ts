/**
 * Matches an entity tag against `If-None-Match` (`weak` comparison) or `If-Match` (`strong`): a list of tags, or `*`. Tags without
 * quotation marks are accepted too, since some clients lose the marks.
 * spec: decisions.md 6.4
 */
export function matchesEtag(header: string | undefined, etag: string, comparison: 'weak' | 'strong' = 'weak'): boolean {
  return header !== undefined && etagMatcher(header, comparison)(etag);
}

/** As {@link matchesEtag} for many tags: the header is read once. */
export function etagMatcher(header: string, comparison: 'weak' | 'strong' = 'weak'): (etag: string) => boolean {
  if (header.trim() === '*') return () => true;
  const isWeak = (tag: string) => tag.startsWith('W/');
  const opaque = (tag: string) => tag.replace(/^W\//, '').replace(/^"(.*)"$/, '$1');
  const isStrong = comparison === 'strong';
  const tags = [...header.matchAll(/(?:W\/)?(?:"[^"]*"|[^\s,"]+)/g)].map(([tag]) => tag);
  const listed = new Set(tags.filter((tag) => !isStrong || !isWeak(tag)).map(opaque));
  return (etag) => !(isStrong && isWeak(etag)) && listed.has(opaque(etag));
}
