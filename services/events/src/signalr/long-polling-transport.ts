import type { ServerResponse } from 'node:http';
import type { HubConnection, HubTransport } from './hub-connection.ts';

/** Transport that answers each poll as soon as a message is available. */
export class LongPollingTransport implements HubTransport {
  readonly name = 'LongPolling';
  readonly keepsItselfAlive = true;
  private readonly connection: HubConnection;
  private readonly pollMs: number;
  private readonly nowMs: () => number;
  private waiting: { response: ServerResponse; timer: NodeJS.Timeout } | undefined;
  private idleMs: number;

  constructor(connection: HubConnection, pollMs: number, nowMs: () => number) {
    this.connection = connection;
    this.pollMs = pollMs;
    this.nowMs = nowMs;
    this.idleMs = nowMs();
  }

  idleSinceMs(): number | undefined {
    return this.waiting ? undefined : this.idleMs;
  }

  /** Answers with waiting messages, or waits for one. An earlier waiting poll is ended: its client repeated it or has disconnected. */
  poll(response: ServerResponse): void {
    this.answer(204);
    const timer = setTimeout(() => this.answer(200), this.pollMs);
    this.waiting = { response, timer };
    response.once('close', () => {
      if (this.waiting?.response === response) this.take();
    });
    this.connection.writeTo((text, done) => {
      const poll = this.take();
      poll?.once('finish', done);
      // A part of the answer may be lost and cannot be sent again: the client must reconnect instead of missing events.
      poll?.once('close', () => poll.writableFinished || this.connection.abort());
      poll?.writeHead(200, { 'Content-Type': 'text/plain' }).end(text);
    });
  }

  close(): void {
    this.answer(204);
  }

  abort(): void {
    this.answer(204);
  }

  private answer(status: 200 | 204): void {
    const poll = this.take();
    poll?.writeHead(status, { ...(status === 200 && { 'Content-Type': 'text/plain', 'Content-Length': 0 }) }).end();
  }

  private take(): ServerResponse | undefined {
    const { waiting } = this;
    if (!waiting) return undefined;
    clearTimeout(waiting.timer);
    this.waiting = undefined;
    this.idleMs = this.nowMs();
    this.connection.writeTo(undefined);
    return waiting.response;
  }
}
