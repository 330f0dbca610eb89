import { parseMarkedPath } from '@sinebar/query-language';

/** Returns the name of the last element of a path such as `PPC:/Car door/Frame/Gap left/`, or the empty text for the root. */
export function nameOf(path: string): string {
  return parseMarkedPath(path).at(-1)?.name ?? '';
}

/** Writes the path without its kinds, as parameters of the interface take it: `/Car door/Frame`. */
export function plainPathOf(path: string): string {
  return path.slice(path.indexOf(':') + 1).replace(/(?<=.)\/$/, '') || '/';
}
