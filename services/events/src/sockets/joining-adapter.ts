import type { Socket as Connection } from 'engine.io';
import { Adapter, type BroadcastOptions } from 'socket.io-adapter';
import { Encoder, type Packet } from 'socket.io-parser';
import type { Namespace } from 'socket.io';
import { framesOf } from './joined-frames.ts';
import type { PendingWrites } from './pending-writes.ts';

interface Broadcast {
  packet: Packet;
  rooms: ReadonlySet<string>;
}

/**
 * Adapter that writes several broadcasts to each socket in one piece.
 * The adapter of Socket.IO writes each broadcast to each socket: the first one at once, the others when the socket has accepted it. With a
 * thousand sockets a write costs more than everything else about a broadcast (docs/decisions/0033-fan-out.md).
 */
export class JoiningAdapter extends Adapter {
  private readonly packets = new Encoder();
  /** Connections by room: finding those of a thousand sockets would delay the first write. */
  private readonly connections = new Map<string, readonly Connection[]>();
  private held: Broadcast[] | undefined;

  constructor(namespace: Namespace) {
    super(namespace);
    for (const change of ['join-room', 'leave-room']) this.on(change, (room: string) => this.connections.delete(room));
  }

  /**
   * Joins the broadcasts that `work` makes, for the sockets that are in their rooms now.
   * They have rooms, and no socket is in two of them. Nothing is written yet, because a write may let another session of the same
   * connection join.
   */
  join(work: () => void, writes: PendingWrites): void {
    const held: Broadcast[] = [];
    this.held = held;
    try {
      work();
    } finally {
      this.held = undefined;
    }
    const encoded = held.map(({ packet }) => this.packets.encode({ ...packet, nsp: this.namespace.name })[0] as string);
    for (const { rooms, indexes } of roomsWithEqual(held)) {
      const texts = indexes.map((index) => encoded[index] as string);
      const frames = framesOf(texts.map((data) => ({ type: 'message', data })));
      const piece = { texts, text: texts.join(''), frames: [frames] } as const;
      for (const room of rooms) writes.add(this.connectionsIn(room), piece);
    }
  }

  override broadcast(packet: Packet, options: BroadcastOptions): void {
    if (this.held) this.held.push({ packet, rooms: options.rooms });
    else super.broadcast(packet, options);
  }

  private connectionsIn(room: string): readonly Connection[] {
    let found = this.connections.get(room);
    if (!found) {
      found = [...(this.rooms.get(room) ?? [])].flatMap((id) => this.namespace.sockets.get(id)?.conn ?? []);
      this.connections.set(room, found);
    }
    return found;
  }

  private get namespace(): Namespace {
    return this.nsp as Namespace;
  }
}

/** Groups rooms that get the same broadcasts. @returns the indexes of these broadcasts in the list */
function roomsWithEqual(broadcasts: readonly Broadcast[]): Iterable<{ rooms: string[]; indexes: number[] }> {
  const indexesByRoom = new Map<string, number[]>();
  broadcasts.forEach(({ rooms }, index) => {
    for (const room of rooms) indexesByRoom.set(room, [...(indexesByRoom.get(room) ?? []), index]);
  });
  const groups = new Map<string, { rooms: string[]; indexes: number[] }>();
  for (const [room, indexes] of indexesByRoom) {
    const key = indexes.join();
    const group = groups.get(key);
    if (group) group.rooms.push(room);
    else groups.set(key, { rooms: [room], indexes });
  }
  return groups.values();
}
