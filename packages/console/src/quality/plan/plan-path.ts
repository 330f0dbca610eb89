/**
 * Splits a path such as `PPC:/car door/frame/gap left/` into its names; the root has none.
 * spec: decisions.md 4.2
 */
export function namesOf(path: string): string[] {
  const from = path.indexOf('/') + 1;
  const names = path.slice(from).match(/(?:[^\\/]|\\.)+/gs) ?? [];
  return names.map((name) => name.replace(/\\(.)/gs, '$1'));
}

/** The path of a part without its type marker, as `partPath` takes it: `/car door/frame`. */
export function partPathOf(path: string): string {
  const unmarked = path.slice(path.indexOf('/'));
  return unmarked === '/' ? unmarked : unmarked.replace(/\/$/, '');
}
