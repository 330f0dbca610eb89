import { describe, expect, it } from '@jest/globals';
import { EventEmitter } from 'node:events';
import { Server as Engine, transports } from 'engine.io';
import { textsOf } from './frames.fixture.ts';
import { framesOf, joinFrames } from './joined-frames.ts';

interface Packet {
  type: string;
  data?: unknown;
  options?: { wsPreEncodedFrame?: Buffer[] };
}

const message = (data: string): Packet => ({ type: 'message', data, options: {} });

describe('framesOf', () => {
  it('writes texts of every length and script', () => {
    const texts = [
      '',
      'a',
      'ä€😀',
      'x'.repeat(124),
      'x'.repeat(125),
      'ü'.repeat(300),
      'y'.repeat(65_534),
      'y'.repeat(65_535),
      'z'.repeat(200_000),
    ];
    expect(textsOf(framesOf(texts.map(message)))).toEqual(texts.map((text) => `4${text}`));
  });

  it('takes frames that were encoded for several receivers', () => {
    const known: Packet = { type: 'message', data: 'b', options: { wsPreEncodedFrame: [Buffer.from([0x81, 2]), Buffer.from('4b')] } };
    expect(textsOf(framesOf([message('a'), known, message('c')]))).toEqual(['4a', '4b', '4c']);
  });

  it('takes several frames that were joined before, whose text is that of all', () => {
    const joined = framesOf([message('b'), message('c')]);
    const known: Packet = { type: 'message', data: 'bc', options: { wsPreEncodedFrame: [joined] } };
    expect(textsOf(framesOf([message('a'), known]))).toEqual(['4a', '4b', '4c']);
  });
});

/** A packet as Socket.IO makes it for all receivers of a broadcast. */
const broadcast = (data: string): Packet => ({
  type: 'message',
  data,
  options: { wsPreEncodedFrame: [Buffer.from([0x81, data.length + 1]), Buffer.from(`4${data}`)] },
});

describe('joinFrames', () => {
  const flushed = (transport: string, packets: Packet[], engine = joining()) => {
    engine.emit('flush', { transport: { name: transport } }, packets);
    return packets;
  };

  const joining = () => {
    const engine = new Engine();
    joinFrames(engine);
    return engine;
  };

  it('joins the same broadcasts once for all connections', () => {
    const engine = joining();
    const [a, b, c] = [broadcast('a'), broadcast('b'), broadcast('c')];
    const frameOf = (packets: Packet[]) => flushed('websocket', packets, engine)[0]?.options?.wsPreEncodedFrame?.[0];
    const first = frameOf([a, b]);
    expect(textsOf(first as Buffer)).toEqual(['4a', '4b']);
    expect(frameOf([{ ...a }, { ...b }])).toBe(first);
    expect(textsOf(frameOf([a, c]) as Buffer)).toEqual(['4a', '4c']);
    expect(textsOf(frameOf([a, c, b]) as Buffer)).toEqual(['4a', '4c', '4b']);
    expect(textsOf(frameOf([message('d'), a]) as Buffer)).toEqual(['4d', '4a']);
  });

  it('writes the two pieces of a broadcast together', () => {
    const [only] = flushed('websocket', [broadcast('a')]);
    expect(only?.options?.wsPreEncodedFrame).toHaveLength(1);
  });

  it('makes one of the messages that wait for a WebSocket, and of the pings among them', () => {
    const [joined, ...rest] = flushed('websocket', [message('a'), { type: 'ping', options: {} }, message('b')]);
    expect(rest).toEqual([]);
    expect(textsOf(joined?.options?.wsPreEncodedFrame?.[0] as Buffer)).toEqual(['4a', '2', '4b']);
  });

  it.each([
    ['one message', 'websocket', [message('a')]],
    ['one frame', 'websocket', [{ ...message('a'), options: { wsPreEncodedFrame: [framesOf([message('a')])] } }]],
    ['long polling', 'polling', [message('a'), message('b')]],
    ['an answer to a ping among them', 'websocket', [message('a'), { type: 'pong', data: 'probe' }]],
    ['binary data', 'websocket', [message('a'), { type: 'message', data: Buffer.from('b') }]],
  ] as [string, string, Packet[]][])('leaves %s as it is', (_what, transport, packets) => {
    expect(flushed(transport, [...packets])).toEqual(packets);
  });
});

describe('the WebSocket transport of Engine.IO', () => {
  /** Sends the packets. @returns the number of writes, and of the frames that were written as they are */
  function writesOf(packets: Packet[]): { sent: number; frames: number } {
    const writes = { sent: 0, frames: 0 };
    const websocket = Object.assign(new EventEmitter(), {
      send: () => (writes.sent += 1),
      _sender: { sendFrame: () => (writes.frames += 1) },
    });
    new transports.websocket({ _query: {}, websocket } as never).send(packets as never);
    return writes;
  }

  it('writes packets one by one, which is the reason to join them', () => {
    expect(writesOf([message('a'), message('b')])).toEqual({ sent: 2, frames: 0 });
  });

  it('writes an encoded frame as it is', () => {
    expect(writesOf([{ type: 'message', options: { wsPreEncodedFrame: [framesOf([message('a'), message('b')])] } }])).toEqual({
      sent: 0,
      frames: 1,
    });
  });
});
