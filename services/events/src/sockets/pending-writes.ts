import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Socket as Connection } from 'engine.io';

/** Broadcasts that a connection gets in one write. */
export interface Piece {
  texts: readonly string[];
  /** All texts as one, for those that count what waits in a connection. */
  text: string;
  /** The WebSocket frames of all texts; all connections get this same array, by which `joinFrames` recognises a piece. */
  frames: readonly [Buffer];
}

/** Duration of writes after which everything else gets a turn. */
const SLICE_MS = 3;

/**
 * Broadcasts that are on their way to their connections.
 * A thousand writes take many milliseconds, so requests get turns in between. The position of the live clients is already behind these
 * broadcasts: before anything else happens to a connection, {@link writeTo} completes it.
 */
export class PendingWrites {
  private readonly waiting = new Map<Connection, readonly Piece[]>();
  private readonly nowMs: () => number;
  private running: Promise<void> | undefined;

  constructor(nowMs = () => performance.now()) {
    this.nowMs = nowMs;
  }

  add(connections: Iterable<Connection>, piece: Piece): void {
    const alone = [piece];
    for (const connection of connections) {
      const pieces = this.waiting.get(connection);
      this.waiting.set(connection, pieces ? [...pieces, piece] : alone);
    }
  }

  /** Writes what waits for this connection. */
  writeTo(connection: Connection): void {
    const pieces = this.waiting.get(connection);
    if (!pieces) return;
    this.waiting.delete(connection);
    for (const piece of pieces) write(connection, piece);
  }

  /** Writes everything in this turn of the event loop. */
  writeAll(): void {
    for (const connection of this.waiting.keys()) this.writeTo(connection);
  }

  /** Writes everything in slices. @returns `undefined` if one slice was enough */
  writeInSlices(): Promise<void> | undefined {
    if (this.running) return this.running;
    if (this.writeSlice()) return undefined;
    this.running = this.writeRest().finally(() => (this.running = undefined));
    return this.running;
  }

  private async writeRest(): Promise<void> {
    do await nextTurn();
    while (!this.writeSlice());
  }

  /** @returns true if nothing waits any more */
  private writeSlice(): boolean {
    const endMs = this.nowMs() + SLICE_MS;
    for (const connection of this.waiting.keys()) {
      if (this.nowMs() >= endMs) return false;
      this.writeTo(connection);
    }
    return true;
  }
}

function write(connection: Connection, { texts, text, frames }: Piece): void {
  // Engine.IO passes the frames on as they are.
  const options = { compress: false, wsPreEncodedFrame: frames };
  if (connection.transport.name === 'websocket') connection.write(text, options);
  else for (const one of texts) connection.write(one);
}
