import type { Socket as Connection } from 'engine.io';
import { Adapter, type BroadcastOptions } from 'socket.io-adapter';
import { Encoder, type Packet } from 'socket.io-parser';
import type { Namespace } from 'socket.io';
import { framesOf } from './joined-frames.js';

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
  private held: Broadcast[] | undefined;

  /**
   * Joins the broadcasts that `work` makes. They have rooms, and no socket is in two of them.
   * @returns a function that writes them to the sockets that are in these rooms now, because a write may let another session of the same
   * connection join
   */
  join(work: () => void): () => void {
    const held: Broadcast[] = [];
    this.held = held;
    try {
      work();
    } finally {
      this.held = undefined;
    }
    const texts = held.map(({ packet }) => this.packets.encode({ ...packet, nsp: this.namespace.name })[0] as string);
    const pieces = [...roomsWithEqual(held)].map(({ rooms, places }) => ({
      connections: this.connectionsIn(rooms),
      texts: places.map((place) => texts[place] as string),
    }));
    return () => {
      for (const piece of pieces) write(piece);
    };
  }

  override broadcast(packet: Packet, options: BroadcastOptions): void {
    if (this.held) this.held.push({ packet, rooms: options.rooms });
    else super.broadcast(packet, options);
  }

  private connectionsIn(rooms: readonly string[]): Connection[] {
    return rooms.flatMap((room) => [...(this.rooms.get(room) ?? [])]).flatMap((id) => this.namespace.sockets.get(id)?.conn ?? []);
  }

  private get namespace(): Namespace {
    return this.nsp as Namespace;
  }
}

function write({ connections, texts }: { connections: readonly Connection[]; texts: readonly string[] }): void {
  const frames = framesOf(texts.map((data) => ({ type: 'message', data })));
  // Engine.IO passes the frames on as they are, and the text to those that count what waits.
  const options = { compress: false, wsPreEncodedFrame: [frames] };
  const text = texts.join('');
  for (const connection of connections) {
    if (connection.transport.name === 'websocket') connection.write(text, options);
    else for (const one of texts) connection.write(one);
  }
}

/** Groups rooms that get the same broadcasts. @returns the places of these broadcasts in the list */
function roomsWithEqual(broadcasts: readonly Broadcast[]): Iterable<{ rooms: string[]; places: number[] }> {
  const placesOf = new Map<string, number[]>();
  broadcasts.forEach(({ rooms }, place) => {
    for (const room of rooms) placesOf.set(room, [...(placesOf.get(room) ?? []), place]);
  });
  const groups = new Map<string, { rooms: string[]; places: number[] }>();
  for (const [room, places] of placesOf) {
    const key = places.join();
    const group = groups.get(key);
    if (group) group.rooms.push(room);
    else groups.set(key, { rooms: [room], places });
  }
  return groups.values();
}
