import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { ServiceError } from '@sinebar/contracts';
import { Semaphore } from '@sinebar/concurrency';

/** 19 MiB and 2 passes, as OWASP recommends for argon2id: about 20 ms. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;

const NEVER = new AbortController().signal;

/** @returns a hash for the access policy, with a salt of its own */
export function hashPassword(password: string): Promise<string> {
  return hash(bytesOf(password), { ...COST, outputLen: HASH_BYTES });
}

/**
 * A hash that costs as much to check as `like`, and that no password has: it is checked for users that do not exist, so that these take as long as others.
 * @param like an argon2id hash; without one the cost is that of `hashPassword`
 */
export function hashOfNothing(like: string | undefined): string {
  const text = (bytes: number) => randomBytes(bytes).toString('base64').replace(/=+$/, '');
  const cost = like?.split('$')[3] ?? `m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}`;
  return `$argon2id$v=19$${cost}$${text(SALT_BYTES)}$${text(HASH_BYTES)}`;
}

/** Checks passwords, a few at a time: each takes 19 MiB and one thread of the pool that also reads files. */
export class PasswordVerifier {
  private readonly semaphore: Semaphore;
  private readonly maxWaiting: number;
  private waiting = 0;

  constructor(options: { atOnce: number; maxWaiting: number } = { atOnce: 2, maxWaiting: 256 }) {
    this.semaphore = new Semaphore(options.atOnce);
    this.maxWaiting = options.maxWaiting;
  }

  /** @throws ServiceError 503 when too many wait */
  async verify(hashed: string, password: string): Promise<boolean> {
    if (this.waiting >= this.maxWaiting) {
      throw new ServiceError('Overloaded', 'too many users sign in at this moment; try again in a few seconds', { retryAfterSeconds: 3 });
    }
    this.waiting += 1;
    try {
      return await this.semaphore.run(NEVER, () => verify(hashed, bytesOf(password)));
    } finally {
      this.waiting -= 1;
    }
  }
}

/** The same letters are the same password, in whichever of its ways Unicode writes them (RFC 7617, RFC 8265). */
function bytesOf(password: string): Buffer {
  return Buffer.from(password.normalize('NFC'));
}
