import { describe, expect, it } from '@jest/globals';
import { Adapter } from 'socket.io-adapter';
import { Encoder, PacketType } from 'socket.io-parser';
import { textsOf } from './frames.fixture.ts';
import { JoiningAdapter } from './joining-adapter.ts';
import { PendingWrites } from './pending-writes.ts';

interface Write {
  text: string;
  /** Frames that a WebSocket transport sends instead of the text. */
  frames: Buffer | undefined;
}

/** A namespace with sockets in rooms, which remembers what is written to each. */
class Sockets {
  readonly sockets = new Map<string, unknown>();
  readonly writes = new Map<string, Write[]>();
  readonly name = '/events';
  readonly server = { encoder: new Encoder() };

  add(id: string, transport = 'websocket'): void {
    const written: Write[] = [];
    const write = (text: string, options?: { wsPreEncodedFrame?: Buffer[] }) =>
      void written.push({ text, frames: options?.wsPreEncodedFrame && Buffer.concat(options.wsPreEncodedFrame) });
    const client = { writeToEngine: (texts: string[]) => texts.forEach((text) => write(text)) };
    this.sockets.set(id, { id, client, conn: { transport: { name: transport }, write } });
    this.writes.set(id, written);
  }

  /** Texts that a socket gets, by write. */
  received(id: string): string[][] {
    return (this.writes.get(id) ?? []).map(({ text, frames }) => (frames ? textsOf(frames) : [`4${text}`]));
  }
}

function adapterOf<A extends Adapter>(sockets: Sockets, rooms: Record<string, string[]>, Kind: new (namespace: never) => A): A {
  const adapter = new Kind(sockets as never);
  for (const [room, ids] of Object.entries(rooms)) for (const id of ids) void adapter.addAll(id, new Set([room]));
  return adapter;
}

/** Writes the broadcasts that `work` makes. */
function join(adapter: JoiningAdapter, work: () => void): void {
  const writes = new PendingWrites();
  adapter.join(work, writes);
  writes.writeAll();
}
const emit = (adapter: Adapter, rooms: readonly string[], name: string) =>
  adapter.broadcast({ type: PacketType.EVENT, data: [name] }, { rooms: new Set(rooms), except: new Set(), flags: {} });
const packet = (name: string) => `42/events,["${name}"]`;

describe('joined broadcasts', () => {
  it('reach each socket in one write, in their order', () => {
    const sockets = new Sockets();
    for (const id of ['a', 'b', 'c']) sockets.add(id);
    const adapter = adapterOf(sockets, { red: ['a', 'b'], blue: ['c'] }, JoiningAdapter);
    join(adapter, () => {
      emit(adapter, ['red', 'blue'], 'first');
      emit(adapter, ['red'], 'second');
      emit(adapter, ['blue', 'red'], 'third');
    });
    expect(sockets.received('a')).toEqual([['first', 'second', 'third'].map(packet)]);
    expect(sockets.received('c')).toEqual([['first', 'third'].map(packet)]);
    // Encoded once for all sockets of a room.
    expect(sockets.writes.get('a')?.[0]?.text).toBe(sockets.writes.get('b')?.[0]?.text);
  });

  it('reach no socket of another room', () => {
    const sockets = new Sockets();
    sockets.add('a');
    const adapter = adapterOf(sockets, { red: ['a'] }, JoiningAdapter);
    join(adapter, () => emit(adapter, ['blue'], 'first'));
    expect(sockets.received('a')).toEqual([]);
  });

  it('are written one by one to long polling, which has no frames', () => {
    const sockets = new Sockets();
    sockets.add('a', 'polling');
    const adapter = adapterOf(sockets, { red: ['a'] }, JoiningAdapter);
    join(adapter, () => ['first', 'second'].forEach((name) => emit(adapter, ['red'], name)));
    expect(sockets.received('a')).toEqual([[packet('first')], [packet('second')]]);
  });

  it('reach the sockets that were in the rooms when they were made', () => {
    const sockets = new Sockets();
    for (const id of ['a', 'b']) sockets.add(id);
    const adapter = adapterOf(sockets, { red: ['a'] }, JoiningAdapter);
    const writes = new PendingWrites();
    adapter.join(() => emit(adapter, ['red'], 'first'), writes);
    void adapter.addAll('b', new Set(['red']));
    writes.writeAll();
    expect(sockets.received('a')).toEqual([[packet('first')]]);
    expect(sockets.received('b')).toEqual([]);
  });

  it('reach the sockets of today, not those of the broadcast before', () => {
    const sockets = new Sockets();
    for (const id of ['a', 'b', 'c']) sockets.add(id);
    const adapter = adapterOf(sockets, { red: ['a', 'b'] }, JoiningAdapter);
    join(adapter, () => emit(adapter, ['red'], 'first'));
    void adapter.addAll('c', new Set(['red']));
    void adapter.del('a', 'red');
    adapter.delAll('b');
    join(adapter, () => emit(adapter, ['red'], 'second'));
    expect(sockets.received('a')).toEqual([[packet('first')]]);
    expect(sockets.received('b')).toEqual([[packet('first')]]);
    expect(sockets.received('c')).toEqual([[packet('second')]]);
  });

  it('are not written when one of them could not be made, and later ones are', () => {
    const sockets = new Sockets();
    sockets.add('a');
    const adapter = adapterOf(sockets, { red: ['a'] }, JoiningAdapter);
    const fail = () =>
      join(adapter, () => {
        emit(adapter, ['red'], 'first');
        throw new Error('hopeless');
      });
    expect(fail).toThrow('hopeless');
    emit(adapter, ['red'], 'later');
    expect(sockets.received('a')).toEqual([[packet('later')]]);
  });

  it('are needed because Socket.IO writes each broadcast by itself', () => {
    const sockets = new Sockets();
    sockets.add('a');
    const adapter = adapterOf(sockets, { red: ['a'] }, Adapter);
    for (const name of ['first', 'second']) emit(adapter, ['red'], name);
    expect(sockets.writes.get('a')).toHaveLength(2);
  });
});
