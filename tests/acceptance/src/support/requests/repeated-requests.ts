import { setTimeout as pause } from 'node:timers/promises';
import { count } from '../product/disturbance.js';

/** Maximum unavailability of a service; a longer one fails the test. */
const LIMIT_MS = 60_000;

interface Repeatable<Answer> {
  send: () => Promise<Answer>;
  stateOf: (answer: Answer) => { status: number; retryAfter: string | undefined };
  /**
   * Finds out before a repetition whether the change was made all the same.
   * @param sentMs when it was sent first, since 1970
   * @returns what stands for its answer, or nothing when it was not made or when a repetition will tell
   */
  look?: (sentMs: number) => Promise<Answer | undefined>;
}

/** Repeats what is answered with 503 and `Retry-After`, and nothing else: any other failure is one of the product. */
export async function throughRestarts<Answer>({
  send,
  stateOf,
  look,
}: Repeatable<Answer>): Promise<{ answer: Answer; wasRefused: boolean }> {
  const sentMs = Date.now();
  let answer = await send();
  let wasRefused = false;
  for (;;) {
    const { status, retryAfter } = stateOf(answer);
    if (status !== 503 || !(Number(retryAfter) > 0) || Date.now() > sentMs + LIMIT_MS) return { answer, wasRefused };
    wasRefused = true;
    count('requests repeated after 503');
    await pause(Number(retryAfter) * 1000);
    const found = await look?.(sentMs);
    if (found !== undefined) {
      count('of these found done already');
      return { answer: found, wasRefused: false };
    }
    answer = await send();
  }
}

/**
 * Status of a request whose first answers were 503. Its outcome was unknown then: an entity that exists already, or is deleted already,
 * shows that it was done.
 */
export function afterRefusals(method: string | undefined, status: number): number {
  const meant = method === 'POST' && status === 409 ? 201 : method === 'DELETE' && status === 404 ? 200 : status;
  if (meant !== status) count('of these found done already');
  return meant;
}
