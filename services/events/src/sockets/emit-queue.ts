import type { EventPosition } from '@sinebar/contracts';
import { SendQueue } from '../connections/send-queue.ts';
import type { PacedConnection } from './paced-connection.ts';

/** Send queue of a Socket.IO client: calls of `emit` and acknowledgements that wait until its connection has room. */
export class EmitQueue extends SendQueue<() => void> {
  private readonly connection: PacedConnection;
  private isFlushing = false;

  constructor(connection: PacedConnection) {
    super();
    this.connection = connection;
  }

  override get waitingLength(): number {
    return super.waitingLength + this.connection.bufferedLength;
  }

  override push(emit: () => void, length: number, firstEvent?: EventPosition): void {
    this.connection.writePending();
    if (this.isEmpty && this.connection.room > 0) emit();
    else super.push(emit, length, firstEvent);
  }

  override flush(): void {
    // The connection may drain during a call of `emit`, which calls this method again.
    if (this.isFlushing) return;
    this.isFlushing = true;
    try {
      while (!this.isEmpty && this.connection.room > 0) this.handOver(this.connection.room);
    } finally {
      this.isFlushing = false;
      this.progress.notify();
    }
  }

  /** Hands over waiting items up to this length, whether the connection has room or not. */
  handOver(maxLength: number): void {
    this.connection.writePending();
    for (const emit of this.take(maxLength)) emit();
  }
}
