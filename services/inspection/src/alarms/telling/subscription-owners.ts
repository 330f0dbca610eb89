import type { Claims, Principal } from '@sinebar/access-control';
import { userKeyOf } from '@sinebar/access-control';
import type { AbsentUsers } from '@sinebar/authentication';
import type { PauseReason } from '@sinebar/contracts';
import type { Database } from '@sinebar/database';
import type { Logger } from '@sinebar/runtime';
import { LRUCache } from 'lru-cache';
import { mayTell } from './receiver-rights.ts';
import { renewOwner, type Owner, type Subscription } from './subscription-store.ts';

const DAY_MS = 86_400_000;
/** Claims of a user are written at most so often. */
const RENEW_MS = 60_000;
const MAX_REMEMBERED = 10_000;
const TIMEOUT_MS = 5000;
/** Claims about a single token, which say nothing about its user. */
const TOKEN_CLAIMS = new Set(['iat', 'exp', 'nbf', 'jti', 'nonce', 'at_hash', 'c_hash', 's_hash', 'auth_time', 'sid', 'session_state']);

export interface SubscriptionOwnersDependencies {
  database: Database;
  users: AbsentUsers;
  /** Domains whose addresses everybody may have told, in lower case. */
  mailDomains: readonly string[];
  /** Days after its last token for which a user has the rights of its claims. */
  offlineDays: number;
  /** Whether the server can send mail. */
  hasMail: boolean;
  now: () => Date;
  log: Logger;
}

/** Tells what the owners of subscriptions may read and have told while they are not asking. */
export class SubscriptionOwners {
  private readonly deps: SubscriptionOwnersDependencies;
  private readonly writing = new Set<Promise<void>>();
  private readonly renewed = new LRUCache<string, number>({ max: MAX_REMEMBERED });

  constructor(deps: SubscriptionOwnersDependencies) {
    this.deps = deps;
    deps.users.onToken((principal) => this.renew(principal));
  }

  /** Returns what is kept of a user with subscriptions. */
  ownerOf(principal: Principal): Owner {
    const { name, claims } = principal;
    return { userKey: userKeyOf(principal), name, claims: claims ? claimsOfUser(claims) : null, seenAt: this.deps.now() };
  }

  /**
   * Finds the rights of an owner as they are now.
   * @returns why a subscription sends nothing instead, if so
   */
  rightsFor(subscription: Subscription): { principal: Principal } | { paused: PauseReason } {
    const { receiver, hasSecret, path, owner } = subscription;
    const found = this.principalOf(owner);
    if ('paused' in found) return found;
    const { principal } = found;
    if (!mayTell(principal, receiver, this.deps.mailDomains)) return { paused: 'receiver' };
    if (path === null) return { paused: 'part' };
    const readable = principal.scopeOf('measurement:read');
    if (!readable.includes(path) && !readable.prefixes.some((prefix) => prefix.startsWith(path))) return { paused: 'right' };
    if (receiver.kind === 'webhook' && !hasSecret) return { paused: 'secret' };
    if (receiver.kind === 'email' && !this.deps.hasMail) return { paused: 'mail' };
    return found;
  }

  /** Finds the rights of a user by now. */
  principalOf({ userKey, name, claims, seenAt }: Owner): { principal: Principal } | { paused: 'user' | 'signIn' } {
    const { users, offlineDays, now } = this.deps;
    const principal = users.principalOf({ userKey, name, claims: claims ?? undefined });
    if (!principal) return { paused: 'user' };
    if (claims && principal.claims && now().getTime() - seenAt.getTime() > offlineDays * DAY_MS) return { paused: 'signIn' };
    return { principal };
  }

  /** Resolves when nothing is being written. */
  async stop(): Promise<void> {
    await Promise.all(this.writing);
  }

  private renew(principal: Principal): void {
    const { database, now, log } = this.deps;
    const owner = this.ownerOf(principal);
    const nowMs = now().getTime();
    const before = this.renewed.get(owner.userKey);
    if (before !== undefined && Math.abs(nowMs - before) < RENEW_MS) return;
    this.renewed.set(owner.userKey, nowMs);
    const work = { signal: AbortSignal.timeout(TIMEOUT_MS), statementTimeoutMs: TIMEOUT_MS };
    const write = database
      .write(work, (session) => renewOwner(session, owner))
      .catch((error: unknown) => {
        this.renewed.delete(owner.userKey);
        log.warn({ err: error }, 'the claims of a user with alarm subscriptions could not be kept; trying again at the next request');
      })
      .finally(() => this.writing.delete(write));
    this.writing.add(write);
  }
}

function claimsOfUser(claims: Claims): Record<string, unknown> {
  return Object.fromEntries(Object.entries(claims).filter(([name]) => !TOKEN_CLAIMS.has(name)));
}
