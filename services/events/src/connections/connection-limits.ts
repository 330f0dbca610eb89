import { ServiceError } from '@sinebar/contracts';

export interface ConnectionLimitsOptions {
  /** Maximum connections of one user; 0: no limit. Anonymous users are not counted. */
  perUser: number;
  /** Maximum connections from one address; 0: no limit. */
  perAddress: number;
}

/** Counts open connections by user and by address. */
export class ConnectionLimits {
  private readonly options: ConnectionLimitsOptions;
  private readonly users = new Map<string, number>();
  private readonly addresses = new Map<string, number>();

  constructor(options: ConnectionLimitsOptions) {
    this.options = options;
  }

  /** Checks the limits. @throws ServiceError 429 when one is reached */
  check(user: string, address: string): void {
    const { perUser, perAddress } = this.options;
    if (perUser > 0 && user !== '' && (this.users.get(user) ?? 0) >= perUser) {
      throw tooMany(`This user already has ${perUser} connections, as many as one user may have. Close some first.`);
    }
    if (perAddress > 0 && (this.addresses.get(address) ?? 0) >= perAddress) {
      throw tooMany(`This address already has ${perAddress} connections, as many as one address may have. Close some first.`);
    }
  }

  /** Counts a connection. @returns a function that ends its count; call it once. @throws ServiceError 429 */
  enter(user: string, address: string): () => void {
    this.check(user, address);
    add(this.users, user, 1);
    add(this.addresses, address, 1);
    return () => {
      add(this.users, user, -1);
      add(this.addresses, address, -1);
    };
  }
}

/** Limits the requests of one client in windows of one second. */
export class RequestRate {
  private windowStartMs = 0;
  private inWindow = 0;
  private refused = 0;
  private readonly perSecond: number;
  private readonly refusalsBeforeEnd: number;
  private readonly nowMs: () => number;

  /** @param perSecond requests that are answered in one second @param refusalsBeforeEnd refused requests after which the connection ends */
  constructor(perSecond: number, refusalsBeforeEnd: number, nowMs: () => number) {
    this.perSecond = perSecond;
    this.refusalsBeforeEnd = refusalsBeforeEnd;
    this.nowMs = nowMs;
  }

  next(): 'answer' | 'refuse' | 'end' {
    const now = this.nowMs();
    if (now - this.windowStartMs >= 1000) {
      this.windowStartMs = now;
      this.inWindow = 0;
    }
    this.inWindow += 1;
    if (this.inWindow <= this.perSecond) return 'answer';
    this.refused += 1;
    return this.refused > this.refusalsBeforeEnd ? 'end' : 'refuse';
  }
}

function tooMany(message: string): ServiceError {
  return new ServiceError('TooManyRequests', message, { retryAfterSeconds: 30 });
}

function add(counts: Map<string, number>, key: string, step: number): void {
  const count = (counts.get(key) ?? 0) + step;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
