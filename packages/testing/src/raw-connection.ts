import { connect, type Socket } from 'node:net';
import { eventually } from './eventually.ts';

/** Sends requests that no HTTP client library sends, byte by byte. */
export class RawConnection {
  private readonly socket: Socket;
  private text = '';
  private isClosed = false;

  constructor(port: number) {
    this.socket = connect(port, '127.0.0.1');
    this.socket.on('data', (bytes) => (this.text += bytes.toString('latin1')));
    this.socket.on('error', () => undefined);
    this.socket.once('close', () => (this.isClosed = true));
  }

  send(bytes: string | Buffer): void {
    this.socket.write(bytes);
  }

  /** Sends the head of a request, and `body` behind it. */
  request(line: string, headers: Readonly<Record<string, string>>, body: string | Buffer = ''): void {
    const lines = [`${line} HTTP/1.1`, 'Host: localhost', ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
    this.send(`${lines.join('\r\n')}\r\n\r\n`);
    this.send(body);
  }

  /** Waits until the received text matches, and returns it. */
  async until(pattern: RegExp): Promise<string> {
    return eventually(
      () => {
        if (!pattern.test(this.text)) throw new Error(`received so far: ${this.text}`);
        return this.text;
      },
      `${String(pattern)} arrives`,
    );
  }

  /** Ends the own side, and waits for the end of the other. @returns everything that was received */
  async end(): Promise<string> {
    this.socket.end();
    await eventually(() => this.isClosed, 'the server closes the connection');
    return this.text;
  }
}
