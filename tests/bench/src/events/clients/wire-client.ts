import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';

/** Called for the text of one event, from `start` to `end` of the buffer. */
export type OnEvent = (buffer: Buffer, start: number, end: number) => void;

const TEXT_FRAME = 0x81;
const PING = '2'.charCodeAt(0);
const MESSAGE = '4'.charCodeAt(0);
const CONNECT = '0'.charCodeAt(0);
const EVENT = '2'.charCodeAt(0);

/**
 * A minimal Socket.IO client, because a thousand of them must not take the processor from the measured server.
 * It uses namespace `/` over WebSocket, answers heartbeats, and passes events on unparsed.
 */
export class WireClient {
  private readonly tcp: Socket;
  private rest: Buffer | undefined;
  private inFrames = false;
  private connected: () => void = () => undefined;
  private failed: (error: Error) => void = () => undefined;
  private readonly auth: unknown;
  private readonly onEvent: OnEvent;

  private constructor(url: URL, auth: unknown, onEvent: OnEvent) {
    this.auth = auth;
    this.onEvent = onEvent;
    this.tcp = connect(Number(url.port), url.hostname);
    this.tcp.setNoDelay(true);
    this.tcp.write(
      `GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: ${url.host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
    );
    this.tcp.on('data', (chunk: Buffer) => this.read(chunk));
    this.tcp.on('error', (error) => this.failed(error));
    this.tcp.on('close', () => this.failed(new Error('the server ended the connection')));
  }

  /** Connects. @throws when the server refuses; a later end is an uncaught error, because the benchmark cannot continue */
  static async open(url: string, auth: unknown, onEvent: OnEvent): Promise<WireClient> {
    const client = new WireClient(new URL(url), auth, onEvent);
    await new Promise<void>((resolve, reject) => {
      client.connected = resolve;
      client.failed = reject;
    });
    client.failed = (error) => {
      throw error;
    };
    return client;
  }

  close(): void {
    this.failed = () => undefined;
    this.tcp.destroy();
  }

  private read(chunk: Buffer): void {
    let buffer = this.rest ? Buffer.concat([this.rest, chunk]) : chunk;
    this.rest = undefined;
    if (!this.inFrames) {
      const end = buffer.indexOf('\r\n\r\n');
      if (end < 0) {
        this.rest = buffer;
        return;
      }
      if (!buffer.toString('latin1', 0, 12).endsWith('101')) this.failed(new Error(buffer.toString('latin1', 0, 300)));
      this.inFrames = true;
      buffer = buffer.subarray(end + 4);
    }
    let at = 0;
    while (at + 2 <= buffer.length) {
      const short = (buffer[at + 1] as number) & 127;
      const start = at + (short < 126 ? 2 : short === 126 ? 4 : 10);
      if (start > buffer.length) break;
      const length = short < 126 ? short : short === 126 ? buffer.readUInt16BE(at + 2) : Number(buffer.readBigUInt64BE(at + 2));
      const end = start + length;
      if (end > buffer.length) break;
      if (buffer[at] === TEXT_FRAME) this.readPacket(buffer, start, end);
      at = end;
    }
    // A copy, because a few bytes would keep a whole chunk alive.
    if (at < buffer.length) this.rest = Buffer.from(buffer.subarray(at));
  }

  private readPacket(buffer: Buffer, start: number, end: number): void {
    const type = buffer[start];
    if (type === MESSAGE) {
      if (buffer[start + 1] === EVENT) this.onEvent(buffer, start, end);
      else if (buffer[start + 1] === CONNECT) this.connected();
      else this.failed(new Error(buffer.toString('latin1', start, end)));
    } else if (type === CONNECT) this.send(`40${JSON.stringify(this.auth)}`);
    else if (type === PING) this.send('3');
  }

  /** Frames of clients are masked; this mask changes nothing. */
  private send(text: string): void {
    const data = Buffer.from(text);
    if (data.length > 125) throw new Error('too long for a short frame');
    this.tcp.write(Buffer.concat([Buffer.from([TEXT_FRAME, 0x80 | data.length, 0, 0, 0, 0]), data]));
  }
}
