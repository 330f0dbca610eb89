import { setTimeout as pause } from 'node:timers/promises';

/**
 * Calls `act` at a constant rate per second without waiting for earlier calls; a delay is caught up.
 * @returns the number of calls, when the last one has ended. @throws the first failure
 */
export async function atSteadyRate(perSecond: number, durationMs: number, act: (index: number) => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  const calls: Promise<unknown>[] = [];
  let failure: Error | undefined;
  for (;;) {
    const elapsedMs = performance.now() - begun;
    if (elapsedMs >= durationMs || failure) break;
    while (calls.length <= (elapsedMs / 1000) * perSecond) {
      calls.push(act(calls.length).catch((error: unknown) => (failure ??= error as Error)));
    }
    await pause(Math.max(0, begun + (calls.length / perSecond) * 1000 - performance.now()));
  }
  await Promise.all(calls);
  if (failure) throw failure;
  return calls.length;
}
