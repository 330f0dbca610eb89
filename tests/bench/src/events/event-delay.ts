import { median, table } from '../figures.ts';
import { ClientFleet, type FleetReport } from './clients/client-fleet.ts';
import { SENDERS, type Sender } from './fan-out-senders.ts';
import { CLIENTS } from './in-turn.ts';
import { ALL_PLANTS } from './plants.ts';
import { atSteadyRate } from './steady-rate.ts';

export type ServerName = keyof typeof SENDERS;

const NAMES = Object.keys(SENDERS) as ServerName[];
const RATES = [5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 120, 140, 160];
const ROUNDS = 5;
const STEP_MS = 4000;
const WARM_UP = { rate: 20, durationMs: 5000 };
const DRAIN_MS = 60_000;
/** The measurement ends above the highest rate at which the bare server's p99 is below. */
const PROMPT_MS = 100;

type Times = Pick<FleetReport, 'p50Ms' | 'p99Ms'>;

/**
 * Measures how late a thousand clients that see everything get an event, at rates that a bare Socket.IO server carries.
 * All servers run at the same time and get the events of each rate in turn, so that a change of the machine's speed meets all of them.
 */
export async function measureEventDelay(rates: readonly number[] = RATES, rounds = ROUNDS): Promise<string> {
  const started: { name: ServerName; sender: Sender; fleet: ClientFleet }[] = [];
  const rows: string[][] = [];
  try {
    for (const name of NAMES) {
      const sender = await SENDERS[name]();
      const fleet = new ClientFleet();
      started.push({ name, sender, fleet });
      await fleet.open(
        sender.server.url,
        Array.from({ length: CLIENTS }, () => ({ token: ALL_PLANTS })),
      );
    }
    for (const { sender, fleet } of started) await timesAt(sender, fleet, WARM_UP.rate, WARM_UP.durationMs);
    for (const rate of rates) {
      const measured = Object.fromEntries(NAMES.map((name) => [name, []])) as unknown as Record<ServerName, Times[]>;
      for (let round = 0; round < rounds; round += 1) {
        for (const { name, sender, fleet } of started) measured[name].push(await timesAt(sender, fleet, rate, STEP_MS));
      }
      rows.push(rowOf(rate, measured));
      console.error(rows.at(-1)?.join(' | '));
      if (median(measured.bare.map(({ p99Ms }) => p99Ms)) >= PROMPT_MS) break;
    }
  } finally {
    for (const { sender, fleet } of started) {
      await fleet.stop();
      await sender.stop();
    }
  }
  const goals = ['goal', '', '', 'at most 1.3', 'at most 1.3', '', 'at most 2', 'at most 2', ''];
  return table(
    ['events/s', 'bare p50, ms', 'p99', ...NAMES.slice(1).flatMap((name) => [`${name}: p50 / bare`, 'p99 / bare', 'p50, p99 ms'])],
    [...rows, goals],
  );
}

/** Medians of the times and of the ratios of each round. */
function rowOf(rate: number, measured: Record<ServerName, Times[]>): string[] {
  const timeOf = (name: ServerName, of: keyof Times) => median(measured[name].map((times) => times[of])).toPrecision(3);
  const ratioOf = (name: ServerName, of: keyof Times) =>
    median(measured[name].map((times, round) => times[of] / (measured.bare[round] as Times)[of])).toFixed(2);
  return [
    String(rate),
    timeOf('bare', 'p50Ms'),
    timeOf('bare', 'p99Ms'),
    ...NAMES.slice(1).flatMap((name) => [
      ratioOf(name, 'p50Ms'),
      ratioOf(name, 'p99Ms'),
      `${timeOf(name, 'p50Ms')}, ${timeOf(name, 'p99Ms')}`,
    ]),
  ];
}

/** @throws when not all clients got all events */
async function timesAt({ server, write }: Sender, fleet: ClientFleet, rate: number, durationMs: number): Promise<Times> {
  await fleet.begin();
  const sent = (await atSteadyRate(rate, durationMs, write)) * CLIENTS;
  const report = await fleet.received(sent, DRAIN_MS);
  if (report.total !== sent) throw new Error(`${server.name}: ${report.total} of ${sent} messages came`);
  return report;
}
