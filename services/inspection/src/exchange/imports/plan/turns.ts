import { setImmediate as nextTurn } from 'node:timers/promises';

/** Time for which an import may hold the event loop, milliseconds. */
const TURN_MS = 10;

/** Lets other requests run while the plan of a large file is handled. */
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
