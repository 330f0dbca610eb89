import { describe, expect, it } from '@jest/globals';
import type { Socket as Connection } from 'engine.io';
import { PendingWrites, type Piece } from './pending-writes.ts';

const pieceOf = (...texts: string[]): Piece => ({ texts, text: texts.join(''), frames: [Buffer.from(texts.join(' '))] });

/** Connections that note what is written to them, each write of which takes a millisecond. */
class Connections {
  readonly written: [string, string][] = [];
  private clockMs = 0;
  readonly writes = new PendingWrites(() => this.clockMs);

  open(name: string, transport = 'websocket'): Connection {
    const write = (text: string) => {
      this.written.push([name, text]);
      this.clockMs += 1;
    };
    return { transport: { name: transport }, write } as unknown as Connection;
  }

  openAll(count: number): Connection[] {
    return Array.from({ length: count }, (_, i) => this.open(String(i)));
  }

  get names(): string[] {
    return this.written.map(([name]) => name);
  }
}

describe('broadcasts on their way', () => {
  it('are written in slices, with turns of the event loop in between', async () => {
    const connections = new Connections();
    connections.writes.add(connections.openAll(7), pieceOf('event'));
    const end = connections.writes.writeInSlices();
    const seen: number[] = [];
    const look = () => {
      seen.push(connections.written.length);
      if (connections.written.length < 7) setImmediate(look);
    };
    look();
    await end;
    expect(seen.slice(0, 2)).toEqual([3, 6]);
    expect(connections.names).toEqual(['0', '1', '2', '3', '4', '5', '6']);
  });

  it('are written at once when they are few', () => {
    const connections = new Connections();
    connections.writes.add(connections.openAll(3), pieceOf('event'));
    expect(connections.writes.writeInSlices()).toBeUndefined();
    expect(connections.names).toEqual(['0', '1', '2']);
  });

  it('reach a connection early on demand, and once', async () => {
    const connections = new Connections();
    const all = connections.openAll(6);
    connections.writes.add(all, pieceOf('event'));
    const end = connections.writes.writeInSlices();
    connections.writes.writeTo(all[5] as Connection);
    connections.writes.writeTo(all[5] as Connection);
    await end;
    expect(connections.names).toEqual(['0', '1', '2', '5', '3', '4']);
  });

  it('reach a connection in their order, those of a poll one by one', () => {
    const connections = new Connections();
    const [socket, poll] = [connections.open('socket'), connections.open('poll', 'polling')];
    for (const piece of [pieceOf('1', '2'), pieceOf('3')]) connections.writes.add([socket, poll], piece);
    connections.writes.writeAll();
    expect(connections.written).toEqual([
      ['socket', '12'],
      ['socket', '3'],
      ['poll', '1'],
      ['poll', '2'],
      ['poll', '3'],
    ]);
  });

  it('are all written in one turn when a later delivery needs it', async () => {
    const connections = new Connections();
    connections.writes.add(connections.openAll(9), pieceOf('event'));
    const end = connections.writes.writeInSlices();
    connections.writes.writeAll();
    expect(connections.written).toHaveLength(9);
    await end;
    expect(connections.written).toHaveLength(9);
  });
});
