import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** Time in milliseconds that an answer takes, so that processes are killed meanwhile. */
const ANSWER_MS = 50;

/** Receives the webhooks of a subscription. */
export class MessageReceiver {
  /** Ids of the messages that named an alarm, by its uuid. */
  readonly messages = new Map<string, Set<string>>();
  readonly problems: string[] = [];
  received = 0;
  private readonly server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('error', () => undefined);
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      this.take(String(request.headers['webhook-id'] ?? ''), Buffer.concat(chunks).toString());
      void pause(ANSWER_MS).then(() => response.end());
    });
  });

  /** @returns its address */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/alarms`;
  }

  async stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.server.closeAllConnections();
    await closed;
  }

  private take(id: string, body: string): void {
    const { data } = JSON.parse(body) as { data: { count: number; alarms: { uuid: string }[] } };
    this.received += 1;
    if (id === '') this.problems.push('a message had no id');
    if (data.count !== data.alarms.length) this.problems.push(`message ${id} names ${data.alarms.length} of ${data.count} alarms`);
    for (const { uuid } of data.alarms) {
      const ids = this.messages.get(uuid) ?? new Set();
      this.messages.set(uuid, ids.add(id));
    }
  }
}
