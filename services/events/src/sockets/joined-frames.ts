import type { Server as Engine, Socket as Connection } from 'engine.io';

/** Packet that Engine.IO passes to a transport. */
interface Packet {
  type: string;
  data?: unknown;
  options?: { wsPreEncodedFrame?: readonly Buffer[] };
}

const TEXT_FRAME = 0x81;
/** Engine.IO type letters of packets that can be joined: messages, and the pings among them. */
const LETTERS: Readonly<Record<string, number>> = { message: '4'.charCodeAt(0), ping: '2'.charCodeAt(0) };

/**
 * Joins waiting packets into one buffer: Engine.IO makes one write of each packet, of two pieces when it is a broadcast
 * (docs/decisions/dependencies.md).
 * A message with a thousand measurements is a thousand packets, and so is each step of a replay. Packets other than texts and pings, and
 * transports other than WebSocket, are not changed.
 */
export function joinFrames(engine: Engine): void {
  const broadcasts = new JoinedBroadcasts();
  // Engine.IO passes this same array to the transport next.
  engine.on('flush', ({ transport }: Connection, packets: Packet[]) => {
    if (transport.name !== 'websocket' || isOneFrame(packets)) return;
    const frames = broadcasts.framesOf(packets) ?? (packets.length > 1 && packets.every(isText) ? framesOf(packets) : undefined);
    if (frames) packets.splice(0, packets.length, { type: 'message', options: { wsPreEncodedFrame: [frames] } });
  });
}

/** The frames of the last broadcasts, which wait for many connections at the same time and are joined once for all of them. */
class JoinedBroadcasts {
  private last: readonly unknown[] = [];
  private frames: Buffer | undefined;

  /** @returns `undefined` if a packet is no broadcast */
  framesOf(packets: readonly Packet[]): Buffer | undefined {
    const encoded = packets.map(({ options }) => options?.wsPreEncodedFrame);
    if (!encoded.every((frame) => frame !== undefined)) return undefined;
    // All connections get the same array from a broadcast.
    if (!this.frames || encoded.length !== this.last.length || !encoded.every((frame, i) => frame === this.last[i])) {
      this.last = encoded;
      this.frames = Buffer.concat(encoded.flat());
    }
    return this.frames;
  }
}

function isOneFrame([first, ...others]: Packet[]): boolean {
  return others.length === 0 && first?.options?.wsPreEncodedFrame?.length === 1;
}

function isText({ type, data }: Packet): boolean {
  return type === 'message' ? typeof data === 'string' : type === 'ping' && data === undefined;
}

/** The WebSocket frames of all packets, one after the other (RFC 6455, 5.2); those of a server are not masked. */
export function framesOf(packets: readonly Packet[]): Buffer {
  return Buffer.concat(packets.flatMap((packet) => packet.options?.wsPreEncodedFrame ?? frameOf(packet)));
}

function frameOf({ type, data = '' }: Packet): Buffer {
  const length = 1 + Buffer.byteLength(data as string);
  const frame = Buffer.allocUnsafe(headerBytes(length) + length);
  const at = writeHeader(frame, 0, length);
  frame[at] = LETTERS[type] as number;
  frame.write(data as string, at + 1);
  return frame;
}

function headerBytes(length: number): number {
  return length < 126 ? 2 : length < 65_536 ? 4 : 10;
}

function writeHeader(frames: Buffer, at: number, length: number): number {
  frames[at] = TEXT_FRAME;
  if (length < 126) {
    frames[at + 1] = length;
    return at + 2;
  }
  if (length < 65_536) {
    frames[at + 1] = 126;
    return frames.writeUInt16BE(length, at + 2);
  }
  frames[at + 1] = 127;
  return frames.writeBigUInt64BE(BigInt(length), at + 2);
}
