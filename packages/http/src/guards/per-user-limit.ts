import type { IncomingMessage } from 'node:http';
import { userKeyOf, type Principal } from '@sinebar/access-control';
import { ServiceError } from '@sinebar/contracts';
import { networkOf } from './client-address.ts';

export interface PerUserLimitOptions {
  /** Maximum concurrent requests of one user, or of one address in access mode `none`; 0: no limit. */
  limit: number;
  /** Plural noun of the limited requests, and the setting; both stand in the refusal. */
  what: string;
  setting: string;
  /** Address of the client that sent a request. */
  addressOf: (request: IncomingMessage) => string;
}

/** Tells whose share of the server a request uses. @param address of the client, for requests without sign-in */
export function sharerOf(principal: Principal, address: string): { key: string; whose: string } {
  const user = userKeyOf(principal);
  return user === '' ? { key: `address:${networkOf(address)}`, whose: 'This address' } : { key: `user:${user}`, whose: 'This user' };
}

const RETRY_AFTER_SECONDS = 2;

/** Limits the concurrent requests of one kind per user in this process, so that no user exhausts it. */
export class PerUserLimit {
  private readonly options: PerUserLimitOptions;
  private readonly running = new Map<string, number>();

  constructor(options: PerUserLimitOptions) {
    this.options = options;
  }

  /** Counts a request. @returns a function that ends its count; call it once. @throws ServiceError 429 */
  enter(principal: Principal, request: IncomingMessage): () => void {
    const { limit, what, setting, addressOf } = this.options;
    if (limit === 0) return () => undefined;
    const { key, whose } = sharerOf(principal, addressOf(request));
    const count = this.running.get(key) ?? 0;
    if (count >= limit) {
      throw new ServiceError(
        'TooManyRequests',
        `${whose} has ${limit} ${what} at the same time, which is the limit. ` +
          `Wait for one to end, or ask an administrator to raise ${setting}.`,
        { retryAfterSeconds: RETRY_AFTER_SECONDS },
      );
    }
    this.running.set(key, count + 1);
    return () => {
      const left = (this.running.get(key) ?? 1) - 1;
      if (left > 0) this.running.set(key, left);
      else this.running.delete(key);
    };
  }
}
