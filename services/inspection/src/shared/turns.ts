import { setImmediate as nextTurn } from 'node:timers/promises';

/** Items that are worked on in one turn of the event loop: a few milliseconds. */
const ITEMS_PER_TURN = 500;

/** Yields the items; other requests continue between slices of them. */
export async function* inTurns<T>(items: Iterable<T>): AsyncGenerator<readonly T[]> {
  let slice: T[] = [];
  for (const item of items) {
    slice.push(item);
    if (slice.length < ITEMS_PER_TURN) continue;
    yield slice;
    slice = [];
    await nextTurn();
  }
  if (slice.length > 0) yield slice;
}

/** Maps a long list; other requests continue between slices of it. */
export async function mapInTurns<T, R>(items: readonly T[], map: (item: T, index: number) => R): Promise<R[]> {
  const mapped: R[] = [];
  for await (const slice of inTurns(items)) for (const item of slice) mapped.push(map(item, mapped.length));
  return mapped;
}
