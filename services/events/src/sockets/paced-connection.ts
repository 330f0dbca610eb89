import type { Socket as Connection } from 'engine.io';
import type { PendingWrites } from './pending-writes.ts';

/** Characters that may wait in the buffer of a connection, where they cannot be withdrawn. */
const MAX_BUFFERED_LENGTH = 64 * 1024;
const PING_EVERY_LENGTH = 64 * 1024;

/** A Socket.IO client on a connection; one connection may carry several, in different namespaces. */
export interface PacedSession {
  /** Hands over what waits, as far as the connection has room. */
  flush(): void;
  /** Hands over one piece of what waits to the next poll. */
  flushToPoll(maxLength: number): void;
  /** Chooses between broadcasts and the queue of the session. */
  chooseWay(): void;
}

/** An Engine.IO connection, and how much more can be handed over to it. */
export class PacedConnection {
  readonly sessions = new Set<PacedSession>();
  private readonly connection: Connection;
  private readonly writes: PendingWrites;
  private readonly onFull: (connection: PacedConnection) => void;
  private buffered = 0;
  private sincePing = 0;

  constructor(connection: Connection, writes: PendingWrites, onFull: (connection: PacedConnection) => void) {
    this.connection = connection;
    this.writes = writes;
    this.onFull = onFull;
    connection.on('packetCreate', ({ type, data }: { type: string; data?: unknown }) => {
      if (type === 'message' && typeof data === 'string') this.count(data.length);
    });
    connection.on('flush', (packets: { type: string }[]) => this.addPing(packets));
    connection.on('drain', () => {
      this.buffered = 0;
      this.flushSessions();
    });
    connection.on('upgrade', () => this.flushSessions());
  }

  /** Characters in the buffer of the connection. */
  get bufferedLength(): number {
    return this.buffered;
  }

  /** Characters that can be handed over now. */
  get room(): number {
    // A poll takes the first packet at once; what follows would wait for the next poll and could not be withdrawn.
    if (this.isPolling) return this.connection.transport.writable ? 1 : 0;
    return MAX_BUFFERED_LENGTH - this.buffered;
  }

  /** True if events can be sent to the connection together with others. */
  get takesBroadcasts(): boolean {
    return !this.isPolling && this.room > 0;
  }

  /** Writes the broadcasts that are on their way to the connection; call it before its state changes and before anything else is sent. */
  writePending(): void {
    this.writes.writeTo(this.connection);
  }

  /** Call it before a poll is passed on: the poll takes everything in the buffer in one answer. */
  beforePoll(): void {
    if (!this.isPolling) return;
    for (const session of this.sessions) session.flushToPoll(MAX_BUFFERED_LENGTH);
  }

  private get isPolling(): boolean {
    return this.connection.transport.name === 'polling';
  }

  private flushSessions(): void {
    for (const session of this.sessions) session.flush();
  }

  private count(length: number): void {
    this.buffered += length;
    this.sincePing += length;
    if (this.buffered >= MAX_BUFFERED_LENGTH) this.onFull(this);
  }

  /**
   * Adds a ping to the packets that go to the network next.
   * The regular ping waits behind megabytes in network buffers, and both sides would close the connection when these take longer than the
   * heartbeat allows. A slow client that still reads must not be disconnected.
   */
  private addPing(packets: { type: string }[]): void {
    if (this.isPolling || this.sincePing < PING_EVERY_LENGTH) return;
    this.sincePing = 0;
    packets.push({ type: 'ping' });
  }
}
