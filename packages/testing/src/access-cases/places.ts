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

/** Returns the stored path of a place, against which rights are checked. */
export function pathOfPlace(place: string): string {
  return storedPath(elementsOf(place));
}

/** Returns the path of a place with its type marker, as in payloads and bodies. */
export function markedPathOf(place: string): string {
  return formatMarkedPath(elementsOf(place));
}

function elementsOf(place: string): PathElement[] {
  if (/^[PC]*:/.test(place)) return parseMarkedPath(place);
  return parseUnmarkedPath(place).map((name) => ({ kind: 'part', name }));
}

export function characteristicOf(part: string): string {
  const found = CHARACTERISTICS.find((place) => pathOfPlace(place) === `${pathOfPlace(part)}cc/`);
  if (found === undefined) throw new Error(`${part} is not among the measured parts`);
  return found;
}
