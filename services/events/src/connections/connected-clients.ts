import type { StreamPosition } from '@sinebar/message-bus';
import type { Logger } from '@sinebar/runtime';
import { Audience } from '../audience/audience.js';
import { behindMessage } from '../dispatch/resume-point.js';
import type { ListeningClient } from './listening-client.js';

/** All clients of a gateway, whatever protocol they speak, and what happens to all of them. */
export class ConnectedClients implements Iterable<ListeningClient> {
  readonly audience = new Audience();
  private readonly clients = new Set<ListeningClient>();
  private readonly log: Logger;
  /** When the credentials of some client end or are to be warned about next, milliseconds since 1970. */
  private nextSignInCheckMs = Infinity;
  private slow = 0;

  constructor(log: Logger) {
    this.log = log;
  }

  /** How often a live client was too slow and was moved to catching up. */
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

  /** Tells the live clients that messages were lost to them; events go on behind the position. */
  announceGap(position: StreamPosition): void {
    for (const client of [...this.clients]) if (client.isLive) client.sendGap(position);
  }

  /**
   * Gives every client the rights of the policy that is in force now. Runs without a wait in between, so that no event comes amid, and all leave before
   * the first comes back: a set of rights that keeps its key may mean something else now.
   */
  policyChanged(): void {
    const suspended = [...this.clients].map((client) => ({ client, wasLive: client.suspend() }));
    for (const { client, wasLive } of suspended) client.resume(wasLive);
  }

  /** Called before each message as well: nothing is sent on credentials that have ended. */
  checkSignIns(): void {
    const now = Date.now();
    if (now < this.nextSignInCheckMs) return;
    this.nextSignInCheckMs = Infinity;
    for (const client of [...this.clients]) this.checkAt(client.checkSignIn(now));
  }

  /** Looks at the credentials of a client that are new. */
  signedIn(client: ListeningClient): void {
    this.checkAt(client.checkSignIn(Date.now()));
  }

  moveSlowClients(position: StreamPosition | undefined): void {
    if (!position) return;
    for (const client of this.clients) {
      if (!client.isLive || !client.isFull()) continue;
      this.log.info({ position }, 'a client does not read as fast as events come and is moved to catching up');
      this.slow += 1;
      client.fallBehind(behindMessage(position));
    }
  }

  private checkAt(atMs: number): void {
    this.nextSignInCheckMs = Math.min(this.nextSignInCheckMs, atMs);
  }
}
