/** Frames that take longer show a part of the model, ms. */
const SLOW_FRAME_MS = 1000;
/** Longest time of a frame in which a part can be turned, ms. */
const MAX_FRAME_MS = 300;
/** Triangles and points that every machine draws in that time, or nearly so. */
export const ALWAYS_DRAWN = 200_000;

/** Triangles or points that share one by which the speed of the machine is measured. */
export function trialSharers(elements: number): number {
  return Math.max(1, Math.ceil(elements / ALWAYS_DRAWN));
}

/**
 * Finds out how many triangles or points share one that is drawn, so that a machine without graphics hardware can turn the model.
 * @param frameMs time that all of them take
 */
export function sharersOf(elements: number, frameMs: number): number {
  if (frameMs <= SLOW_FRAME_MS) return 1;
  return Math.min(Math.ceil(frameMs / MAX_FRAME_MS), trialSharers(elements));
}

/**
 * Chooses every n-th triangle or point of a model.
 * @param corners of one element: 3, or 1 of a point
 * @param index corners of the elements; without it they follow each other
 * @param count corners of all elements
 * @returns the corners of those that are drawn
 */
export function thinnedIndex(corners: 1 | 3, every: number, count: number, index?: ArrayLike<number>): Uint32Array<ArrayBuffer> {
  const elements = Math.ceil(Math.floor(count / corners) / every);
  const thinned = new Uint32Array(elements * corners);
  for (let element = 0; element < elements; element += 1) {
    for (let corner = 0; corner < corners; corner += 1) {
      const from = element * every * corners + corner;
      thinned[element * corners + corner] = index?.[from] ?? from;
    }
  }
  return thinned;
}
