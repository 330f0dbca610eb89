const NAMELESS = /^[/\s\p{Cc}]*$/u;

/** Splits names at slashes; `\/` and `\\` are characters of a name. */
export function namesOf(path: string): string[] {
  return (path.match(/(?:[^\\/]|\\.|\\$)+/g) ?? [])
    .map((name) => name.replace(/\\([\\/])/g, '$1').trim())
    .filter((name) => name.length > 0);
}

/** Whether a path has no name. */
export function isNameless(path: string): boolean {
  return NAMELESS.test(path);
}
