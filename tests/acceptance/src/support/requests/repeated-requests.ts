import { setTimeout as pause } from 'node:timers/promises';
import { count } from '../disturbance.ts';

/** Longest outage of a service; a longer one fails the test. */
const LIMIT_MS = 60_000;

interface Repeatable<Answer> {
  send: () => Promise<Answer>;
  stateOf: (answer: Answer) => { status: number; retryAfter: string | undefined };
  /**
   * Checks before a repetition whether the change was made already.
   * @param sentMs time of the first attempt, since 1970
   * @returns a replacement for its answer, or nothing when it was not made or the repetition will show it
   */
  look?: (sentMs: number) => Promise<Answer | undefined>;
}

/** Repeats requests that are answered with 503 and `Retry-After`; any other failure is an error of the product. */
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

/** Status of a request after answers with 503. If the entity exists already, or is deleted already, an earlier attempt succeeded. */
export function afterRefusals(method: string | undefined, status: number): number {
  const meant = method === 'POST' && status === 409 ? 201 : method === 'DELETE' && status === 404 ? 200 : status;
  if (meant !== status) count('of these found done already');
  return meant;
}
