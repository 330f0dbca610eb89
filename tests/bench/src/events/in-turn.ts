import { ClientFleet } from './clients/client-fleet.ts';

/** Clients of both measurements of the fan-out. */
export const CLIENTS = 1000;

/**
 * Measures each server in every round, so that a change of the machine's speed meets all of them.
 * @returns figures of each server, in the order of the rounds
 */
export async function measureInTurn<S, F, N extends string>(
  starts: Record<N, () => Promise<S>>,
  rounds: number,
  measure: (server: S, fleet: ClientFleet) => Promise<F>,
): Promise<Record<N, F[]>> {
  const names = Object.keys(starts) as N[];
  const figures = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<N, F[]>;
  const fleet = new ClientFleet();
  try {
    for (let round = 0; round < rounds; round += 1) {
      for (const name of names) {
        const measured = await measure(await starts[name](), fleet);
        console.error(`${name}: ${JSON.stringify(measured)}`);
        figures[name].push(measured);
      }
    }
  } finally {
    await fleet.stop();
  }
  return figures;
}
