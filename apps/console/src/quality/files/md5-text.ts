/**
 * Writes an MD5 as `md5sum` prints it.
 * @param md5 32 digits; or five groups as of a .NET GUID, whose first three are byte-reversed
 */
export function md5Text(md5: string): string {
  const groups = md5.toLowerCase().split('-');
  if (groups.length === 1) return md5.toLowerCase();
  return groups.map((group, i) => (i < 3 ? (group.match(/../g) ?? []).reverse().join('') : group)).join('');
}
