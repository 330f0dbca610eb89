import { formatMarkedPath, parseMarkedPath, parseUnmarkedPath, storedPath, type PathElement } from '@sinebar/query-language';

/** The plan in which the cases take place. Parts stand without a type marker, characteristics with theirs. Every part has its own path as the value of an attribute. */
export const PARTS = [
  '/',
  '/A',
  '/A/sub',
  '/A/sub/deep',
  '/AB',
  '/AB/sub',
  '/B',
  '/B/sub',
  // One name, with a slash in it: a neighbour of A and nothing below it.
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
  // Of the same name as the part.
  'C:/X/',
] as const;

/** Parts with one measurement, which has a value of the characteristic `c`; each of the four has a file: part, characteristic, measurement and value. */
export const MEASURED = ['/A', '/A/sub', '/AB', '/B', '/B/sub', '/A\\/sub'] as const;

/** Stored path of a place, as rights are checked against. */
export function pathOfPlace(place: string): string {
  return storedPath(elementsOf(place));
}

/** The path of a place with its type marker, as payloads and bodies have it. */
export function markedPathOf(place: string): string {
  return formatMarkedPath(elementsOf(place));
}

function elementsOf(place: string): PathElement[] {
  if (/^[PC]*:/.test(place)) return parseMarkedPath(place);
  return parseUnmarkedPath(place).map((name) => ({ kind: 'part', name }));
}

/** The characteristic `c` of a measured part. */
export function characteristicOf(part: string): string {
  const found = CHARACTERISTICS.find((place) => pathOfPlace(place) === `${pathOfPlace(part)}cc/`);
  if (found === undefined) throw new Error(`${part} is not among the measured parts`);
  return found;
}
