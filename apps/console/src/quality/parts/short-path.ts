/** Returns the last name of a path with several, the others left out: `… / Frame` of `Car door / Frame`. */
export function shortPath(path: string): string {
  const names = path.split(' / ');
  return names.length > 1 ? `… / ${names.at(-1)}` : path;
}
