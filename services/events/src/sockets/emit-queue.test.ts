import { describe, expect, it } from '@jest/globals';
import { EventEmitter } from 'node:events';
import type { Socket as Connection } from 'engine.io';
import { EmitQueue } from './emit-queue.ts';
import { PacedConnection } from './paced-connection.ts';
import { PendingWrites } from './pending-writes.ts';

const KIB = 1024;

/** A connection whose network takes the buffer only in `drain`. */
class BufferedConnection extends EventEmitter {
  transport = { name: 'websocket', writable: true };
  buffer: { type: string; data?: string }[] = [];

  write(data: string): void {
    this.emit('packetCreate', { type: 'message', data });
    this.buffer.push({ type: 'message', data });
  }

  /** @returns what goes to the network */
  drain(): { type: string; data?: string }[] {
    const packets = this.buffer;
    this.emit('flush', packets);
    this.buffer = [];
    this.emit('drain');
    return packets;
  }
}

function open() {
  const connection = new BufferedConnection();
  const full: PacedConnection[] = [];
  const writes = new PendingWrites();
  const paced = new PacedConnection(connection as unknown as Connection, writes, (which) => full.push(which));
  const queue = new EmitQueue(paced);
  paced.sessions.add({ flush: () => queue.flush(), flushToPoll: (length) => queue.handOver(length), chooseWay: () => undefined });
  /** Sends a text of this many characters as the event at `sequence`. */
  const send = (sequence: number, length = 20 * KIB) => {
    const text = String(sequence).padEnd(length);
    queue.push(() => connection.write(text), length, { epoch: 'e', sequence, index: 0 });
  };
  const sequences = (packets: { data?: string }[]) => packets.flatMap(({ data }) => (data === undefined ? [] : Number(data)));
  /** A broadcast that is on its way to the connection. */
  const broadcast = (text: string) =>
    writes.add([connection as unknown as Connection], { texts: [text], text, frames: [Buffer.from(text)] });
  return { connection, paced, queue, full, send, sequences, broadcast };
}

describe('the queue in front of emit', () => {
  it('hands over until 64 KiB wait in the connection, and the rest in order when that has drained', () => {
    const { connection, full, queue, send, sequences } = open();
    for (let sequence = 1; sequence <= 6; sequence += 1) send(sequence);
    expect(full).toHaveLength(1);
    expect(queue.waitingLength).toBe(120 * KIB);
    expect(sequences(connection.drain())).toEqual([1, 2, 3, 4]);
    expect(sequences(connection.drain())).toEqual([5, 6]);
    expect(queue.waitingLength).toBe(0);
  });

  it('hands over behind a broadcast that is on its way', () => {
    const { connection, send, sequences, broadcast } = open();
    broadcast('1');
    send(2);
    for (let sequence = 3; sequence <= 6; sequence += 1) send(sequence);
    broadcast('7');
    expect(sequences(connection.drain())).toEqual([1, 2, 3, 4, 5]);
    expect(sequences(connection.drain())).toEqual([7, 6]);
  });

  it('withdraws the events that were not handed over, and keeps everything else', () => {
    const { connection, queue, send, sequences } = open();
    for (let sequence = 1; sequence <= 6; sequence += 1) send(sequence);
    queue.push(() => connection.write('7'), 1);
    expect(queue.withdrawEvents()).toEqual({ epoch: 'e', sequence: 5, index: 0 });
    expect(queue.withdrawEvents()).toBeUndefined();
    expect(sequences(connection.drain())).toEqual([1, 2, 3, 4]);
    expect(sequences(connection.drain())).toEqual([7]);
  });

  it('gives everything that waits to one poll, and an event to a waiting poll at once', () => {
    const { connection, paced, send, sequences } = open();
    connection.transport = { name: 'polling', writable: false };
    for (let sequence = 1; sequence <= 3; sequence += 1) send(sequence, KIB);
    expect(connection.buffer).toEqual([]);
    paced.beforePoll();
    expect(sequences(connection.drain())).toEqual([1, 2, 3]);
    connection.transport.writable = true;
    send(4, KIB);
    expect(sequences(connection.drain())).toEqual([4]);
  });

  it('adds a ping every 64 KiB', () => {
    const { connection, send } = open();
    const pings: number[] = [];
    for (let sequence = 1; sequence <= 8; sequence += 1) {
      send(sequence);
      if (connection.drain().some(({ type }) => type === 'ping')) pings.push(sequence);
    }
    expect(pings).toEqual([4, 8]);
  });

  it('resolves when enough has drained', async () => {
    const { connection, queue, send } = open();
    for (let sequence = 1; sequence <= 6; sequence += 1) send(sequence);
    let drained = false;
    const waiting = queue.drainedTo(50 * KIB, new AbortController().signal).then(() => (drained = true));
    await Promise.resolve();
    expect(drained).toBe(false);
    connection.drain();
    await waiting;
    await expect(queue.drainedTo(0, AbortSignal.abort(new Error('closed')))).rejects.toThrow('closed');
  });
});
