import { setImmediate as nextTurn } from 'node:timers/promises';

/** Time for which long work may hold the event loop, milliseconds. */
const TURN_MS = 10;
/** Items of a slice: a statement for them takes a few milliseconds. */
const ITEMS_PER_SLICE = 500;

/** Lets other requests run while a large file or request is handled. */
export class Turns {
  private begin = performance.now();

  /** Whether it is the turn of others; then await {@link pass}. */
  get isOver(): boolean {
    return performance.now() - this.begin >= TURN_MS;
  }

  async pass(): Promise<void> {
    await nextTurn();
    this.begin = performance.now();
  }
}

/** Yields slices of the items; other requests continue between them. */
export async function* inTurns<T>(items: Iterable<T>, length = ITEMS_PER_SLICE): AsyncGenerator<readonly T[]> {
  let slice: T[] = [];
  for (const item of items) {
    slice.push(item);
    if (slice.length < length) continue;
    yield slice;
    slice = [];
    await nextTurn();
  }
  if (slice.length > 0) yield slice;
}

/** Maps a long list; other requests continue meanwhile. */
export async function mapInTurns<T, R>(items: Iterable<T>, map: (item: T, index: number) => R, turns: Turns = new Turns()): Promise<R[]> {
  const mapped: R[] = [];
  for (const item of items) {
    if (turns.isOver) await turns.pass();
    mapped.push(map(item, mapped.length));
  }
  return mapped;
}
