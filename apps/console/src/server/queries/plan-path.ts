import { childMarkedPath, type PlanItemKind } from '@sinebar/query-language';

/** Path of the root part. */
const ROOT = '/';

/**
 * Splits a path such as `PPC:/car door/frame/gap left/` into its names; the root has none.
 * spec: decisions.md 4.2
 */
export function namesOf(path: string): string[] {
  const from = path.indexOf('/') + 1;
  const names = path.slice(from).match(/(?:[^\\/]|\\.)+/gs) ?? [];
  return names.map((name) => name.replace(/\\(.)/gs, '$1'));
}

/** Returns the name of the last element of a path, or the empty text for the root. */
export function nameOf(path: string): string {
  return namesOf(path).at(-1) ?? '';
}

/** Writes a path without its type marker, as parameters of the interface take it: `/car door/frame`; the root is `/`. */
export function plainPathOf(path: string): string {
  const unmarked = path.slice(path.indexOf('/'));
  return unmarked === ROOT ? unmarked : unmarked.replace(/\/$/, '');
}

/** Writes names as a path without type marker: `/car door/frame`. */
export function plainPathFrom(names: readonly string[]): string {
  return `/${names.map((name) => name.replace(/[\\/]/g, String.raw`\$&`)).join('/')}`;
}

/** Returns the path of the item above, with its type marker; that of an item below the root is `/`. */
export function parentPathOf(path: string): string {
  const names = namesOf(path);
  if (names.length < 2) return ROOT;
  return `${path.slice(0, names.length - 1)}:${plainPathFrom(names.slice(0, -1))}/`;
}

/** Returns the path of the part that holds a characteristic, with its type marker; a part holds itself. */
export function ownerPathOf(path: string): string {
  const depth = /^P*/.exec(path)?.[0].length ?? 0;
  return depth === 0 ? ROOT : `${'P'.repeat(depth)}:${plainPathFrom(namesOf(path).slice(0, depth))}/`;
}

/** Writes the path of an item with this name directly below another one. */
export function childPathOf(parent: string, kind: PlanItemKind, name: string): string {
  return childMarkedPath(parent, { kind, name });
}
