import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { ServiceError } from '@sinebar/contracts';
import { Semaphore } from '@sinebar/concurrency';

/** 19 MiB and 2 passes, as OWASP recommends for argon2id. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;

const NEVER = new AbortController().signal;

/** @returns a hash for the access policy, with a new salt */
export function hashPassword(password: string): Promise<string> {
  return hash(bytesOf(password), { ...COST, outputLen: HASH_BYTES });
}

/**
 * Returns a hash that no password has and that costs as much as `like`.
 * It is checked for unknown users, so that their sign-in takes as long as others.
 * @param like an argon2id hash; by default the cost is that of `hashPassword`
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
      throw new ServiceError('Overloaded', 'Too many users sign in at this moment. Try again in a few seconds.', { retryAfterSeconds: 3 });
    }
    this.waiting += 1;
    try {
      return await this.semaphore.run(NEVER, () => verify(hashed, bytesOf(password)));
    } finally {
      this.waiting -= 1;
    }
  }
}

/** Normalises Unicode, so that equal letters are the same password (RFC 7617, RFC 8265). */
function bytesOf(password: string): Buffer {
  return Buffer.from(password.normalize('NFC'));
}
