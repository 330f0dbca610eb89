/** Scheme and host of an absolute target, the first segment of the path, and the slashes around it. */
const FIRST_SEGMENT = /^((?:https?:\/\/[^/?#]*)?)\/+([^/?#]*)(\/*)/i;

/**
 * Makes one slash of several before and behind the first segment of a target, which is the prefix of a service.
 * Clients join a base address that ends in a slash with a path that begins with one. Further slashes may belong to a name, and `%2F` is not
 * a slash of the address; both stay.
 * spec: decisions.md 1.4
 */
export function mergePrefixSlashes(target: string): string {
  return target.replace(
    FIRST_SEGMENT,
    (_all, host: string, first: string, behind: string) => `${host}/${first}${behind === '' ? '' : '/'}`,
  );
}

/** Tells whether a path, or a target without its query, has an empty segment: two slashes in a row. */
export function hasEmptySegment(path: string): boolean {
  return path.replace(/^https?:\/\//i, '').includes('//');
}
