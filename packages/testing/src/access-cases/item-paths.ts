import { formatMarkedPath, parseMarkedPath, parseUnmarkedPath, storedPath, type PathElement } from '@sinebar/query-language';

/** Plan of the cases. Parts have no type marker, characteristics have theirs. Every part has its own path as the value of an attribute. */
export const PARTS = [
  '/',
  '/A',
  '/A/sub',
  '/A/sub/deep',
  '/AB',
  '/AB/sub',
  '/B',
  '/B/sub',
  // One name with a slash in it: a sibling of A, not below it.
  '/A\\/sub',
  '/Ärger',
  '/Straße',
  '/X',
  '/X/sub',
] as const;

export const CHARACTERISTICS = [
  'PC:/A/c/',
  'PCC:/A/c/d/',
  'PPC:/A/sub/c/',
  'PC:/AB/c/',
  'PC:/B/c/',
  'PPC:/B/sub/c/',
  'PC:/A\\/sub/c/',
  // The characteristic has the same name as the part.
  'C:/X/',
] as const;

/**
 * Parts with one measurement, which has a value of the characteristic `c`; each of the four has a file: part, characteristic, measurement
 * and value.
 */
export const MEASURED = ['/A', '/A/sub', '/AB', '/B', '/B/sub', '/A\\/sub'] as const;

/** Returns the stored path of an item, against which rights are checked. */
export function storedPathOf(itemPath: string): string {
  return storedPath(elementsOf(itemPath));
}

/** Returns the path of an item with its type marker, as in payloads and bodies. */
export function markedPathOf(itemPath: string): string {
  return formatMarkedPath(elementsOf(itemPath));
}

function elementsOf(itemPath: string): PathElement[] {
  if (/^[PC]*:/.test(itemPath)) return parseMarkedPath(itemPath);
  return parseUnmarkedPath(itemPath).map((name) => ({ kind: 'part', name }));
}

export function characteristicOf(part: string): string {
  const found = CHARACTERISTICS.find((itemPath) => storedPathOf(itemPath) === `${storedPathOf(part)}cc/`);
  if (found === undefined) throw new Error(`${part} is not among the measured parts`);
  return found;
}
