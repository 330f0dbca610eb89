import type { StreamPosition } from '@sinebar/message-bus';
import type { Logger } from '@sinebar/runtime';
import { Audience } from '../audience/audience.ts';
import { behindMessage } from '../dispatch/resume-point.ts';
import type { ListeningClient } from './listening-client.ts';

/** All clients of a gateway, over every protocol. */
export class ConnectedClients implements Iterable<ListeningClient> {
  readonly audience = new Audience();
  private readonly clients = new Set<ListeningClient>();
  private readonly log: Logger;
  /** Time of the next expiry or warning of any client's credentials, milliseconds since 1970. */
  private nextSignInCheckMs = Infinity;
  private slow = 0;

  constructor(log: Logger) {
    this.log = log;
  }

  /** Number of times that a slow live client was moved to catch-up. */
  get slowCount(): number {
    return this.slow;
  }

  [Symbol.iterator](): Iterator<ListeningClient> {
    return this.clients[Symbol.iterator]();
  }

  add(client: ListeningClient): void {
    this.clients.add(client);
  }

  remove(client: ListeningClient): void {
    this.clients.delete(client);
  }

  count(wanted: (client: ListeningClient) => boolean = () => true): number {
    let found = 0;
    for (const client of this.clients) if (wanted(client)) found += 1;
    return found;
  }

  /** Tells the live clients that messages were lost; events continue after the position. */
  announceGap(position: StreamPosition): void {
    for (const client of [...this.clients]) if (client.isLive) client.sendGap(position);
  }

  /**
   * Applies the new policy to all clients.
   * Runs synchronously, so no event comes in between. All clients leave their rooms before the first returns, because a rights key may now
   * stand for other rights.
   */
  policyChanged(): void {
    const suspended = [...this.clients].map((client) => ({ client, wasLive: client.suspend() }));
    for (const { client, wasLive } of suspended) client.resume(wasLive);
  }

  /** Ends clients whose credentials have expired. Also called before each message, so that nothing is sent on expired credentials. */
  checkSignIns(): void {
    const now = Date.now();
    if (now < this.nextSignInCheckMs) return;
    this.nextSignInCheckMs = Infinity;
    for (const client of [...this.clients]) this.checkAt(client.checkSignIn(now));
  }

  /** Schedules the check of new credentials. */
  signedIn(client: ListeningClient): void {
    this.checkAt(client.checkSignIn(Date.now()));
  }

  moveSlowClients(position: StreamPosition | undefined): void {
    if (!position) return;
    for (const client of this.clients) {
      if (!client.isLive || !client.isFull()) continue;
      this.log.info({ position }, 'a slow client is moved to catch-up');
      this.slow += 1;
      client.fallBehind(behindMessage(position));
    }
  }

  private checkAt(atMs: number): void {
    this.nextSignInCheckMs = Math.min(this.nextSignInCheckMs, atMs);
  }
}
