import { createHmac, randomBytes } from 'node:crypto';
import type { AccessPolicy, PolicyUser } from '@sinebar/access-control';
import { pause } from '@sinebar/concurrency';
import { ServiceError } from '@sinebar/contracts';
import { networkOf } from '@sinebar/http';
import { type Logger } from '@sinebar/runtime';
import { LRUCache } from 'lru-cache';
import { AttemptLimit } from './attempt-limit.ts';
import { parseBasicCredentials, type BasicCredentials } from './basic-credentials.ts';
import { hashOfNothing, PasswordVerifier } from './password-hash.ts';

export interface BasicAuthenticationOptions {
  policy: () => AccessPolicy;
  log: Logger;
  /** Least duration of a wrong sign-in in milliseconds. */
  failureMs?: number;
  /** Monotonic clock in milliseconds. */
  nowMs?: () => number;
}

interface Verified {
  /** Hash against which the password was checked; a changed hash ends the entry. */
  hash: string;
  untilMs: number;
}

/** Time for which a verified password is not hashed again. */
const REMEMBER_MS = 60_000;
const MAX_REMEMBERED = 10_000;
/** Most remembered addresses of users: failures elsewhere cannot lock a user out at an address with an earlier sign-in. */
const MAX_KNOWN_NETWORKS = 10_000;
const FAILURES_BY_ADDRESS = { burst: 60, forgetMs: 1_000 };
const FAILURES_BY_USER = { burst: 10, forgetMs: 10_000 };

/** Reason of a refusal; the authenticator adds the ways to sign in. */
export class WrongCredentials extends Error {}

/**
 * Authenticates by name and password (RFC 7617).
 * Answers and their durations do not reveal whether a user exists. spec: decisions.md 8.1
 */
export class BasicAuthentication {
  private readonly options: Required<BasicAuthenticationOptions>;
  private readonly verifier = new PasswordVerifier();
  private readonly verified = new LRUCache<string, Verified>({ max: MAX_REMEMBERED });
  private readonly running = new Map<string, Promise<PolicyUser>>();
  private readonly knownNetworks = new LRUCache<string, true>({ max: MAX_KNOWN_NETWORKS });
  private readonly byAddress: AttemptLimit;
  private readonly byUser: AttemptLimit;
  /** Key of this process, so that entries in memory do not reveal the password. */
  private readonly secret = randomBytes(32);

  constructor(options: BasicAuthenticationOptions) {
    this.options = { failureMs: 500, nowMs: () => performance.now(), ...options };
    const { nowMs } = this.options;
    this.byAddress = new AttemptLimit({ ...FAILURES_BY_ADDRESS, nowMs });
    this.byUser = new AttemptLimit({ ...FAILURES_BY_USER, nowMs });
  }

  /**
   * @param encoded the header after `Basic`
   * @throws WrongCredentials; ServiceError 429 after too many failures, 503 when too many sign in at once
   */
  async signIn(encoded: string, address: string): Promise<PolicyUser> {
    const credentials = parseBasicCredentials(encoded);
    if (!credentials) throw new WrongCredentials('The credentials are no user name and password in Base64.');
    const key = this.keyOf(JSON.stringify([credentials.name, credentials.password]));
    const user = this.options.policy().userNamed(credentials.name);
    const known = this.verified.get(key);
    if (user && known && known.hash === user.password && known.untilMs > this.options.nowMs()) return user;
    const running = this.running.get(key);
    if (running) return running;
    const attempt = this.attempt(credentials, key, address).finally(() => this.running.delete(key));
    this.running.set(key, attempt);
    return attempt;
  }

  /** Forgets passwords that the new policy does not contain. */
  policyChanged(): void {
    const hashes = new Set(this.options.policy().users.map(({ password }) => password));
    for (const [key, { hash }] of this.verified) if (!hashes.has(hash)) this.verified.delete(key);
  }

  private async attempt({ name, password }: BasicCredentials, key: string, address: string): Promise<PolicyUser> {
    const { policy, nowMs, failureMs, log } = this.options;
    const begunMs = nowMs();
    const network = networkOf(address);
    const networkKey = this.keyOf(JSON.stringify([name, network]));
    const isKnown = this.knownNetworks.get(networkKey) === true;
    const userKey = isKnown ? networkKey : this.keyOf(name);
    // Failures of others at a shared address must not lock out users who signed in from there: their attempts are limited by user and
    // address.
    const waitMs = Math.max(isKnown ? 0 : this.byAddress.waitMs(network), this.byUser.waitMs(userKey));
    if (waitMs > 0) {
      throw new ServiceError('TooManyRequests', 'There were too many wrong passwords. Try again later.', {
        retryAfterSeconds: Math.ceil(waitMs / 1000),
      });
    }
    const user = policy().userNamed(name);
    const right = await this.verifier.verify(user?.password ?? this.hashOfNobody(name), password);
    // Reads the user again: the policy may have changed meanwhile.
    const now = policy().userNamed(name);
    if (right && user && now?.password === user.password) {
      this.verified.set(key, { hash: user.password, untilMs: nowMs() + REMEMBER_MS });
      this.knownNetworks.set(networkKey, true);
      return now;
    }
    this.byAddress.failed(network);
    this.byUser.failed(userKey);
    // Logs only existing names, because some people type a password in their place.
    log.warn({ address, user: user?.name ?? '(no such user)' }, 'wrong user name or password');
    await pause(Math.max(0, failureMs - (nowMs() - begunMs)));
    throw new WrongCredentials('User name or password is wrong.');
  }

  /** Returns a hash with the cost of a user's hash, always the same for a name. */
  private hashOfNobody(name: string): string {
    const { users } = this.options.policy();
    const index = users.length === 0 ? 0 : createHmac('sha256', this.secret).update(name).digest().readUInt32BE(0) % users.length;
    return hashOfNothing(users[index]?.password);
  }

  private keyOf(text: string): string {
    return createHmac('sha256', this.secret).update(text).digest('base64');
  }
}
