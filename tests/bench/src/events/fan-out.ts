import { median, table } from '../figures.ts';
import { startBareSockets, startGateway, type Product } from '../product.ts';
import { makeBenchStream, type BenchStream } from './bench-stream.ts';
import type { ClientFleet } from './clients/client-fleet.ts';
import { CLIENTS, measureInTurn } from './in-turn.ts';
import { PLANTS, PLANTS_PER_SET, RIGHTS_SETS, stampedChange } from './plants.ts';
import { atSteadyRate } from './steady-rate.ts';

const ROUNDS = 3;
const RECEIVERS = (CLIENTS / RIGHTS_SETS) * PLANTS_PER_SET;
const LOW_RATE = 50;
const LOW_RATE_MS = 8000;
const STEP_MS = 4000;
const FIRST_RATE = 60;
const GROWTH = 1.3;
/** Number of bisections between the last kept rate and the first missed one. */
const REFINEMENTS = 3;
const LATE_MS = 100;
const DRAIN_MS = 15_000;

interface Figures {
  lowP50Ms: number;
  lowP99Ms: number;
  highestRate: number;
}

/** Measures a thousand clients in 20 sets of rights, against a Socket.IO server with the same rooms and source. */
export async function measureFanOut(): Promise<string> {
  const stream = await makeBenchStream();
  const starts = { bare: startBareSockets, gateway: startGateway };
  let figures: Record<keyof typeof starts, Figures[]>;
  try {
    figures = await measureInTurn(starts, ROUNDS, (server, fleet) => measure(server, stream, fleet));
  } finally {
    await stream.remove();
  }
  const { bare, gateway } = figures;
  const of = (figures: Figures[], name: keyof Figures) => median(figures.map((figure) => figure[name]));
  const row = (what: string, name: keyof Figures, goal: string) => {
    const [ours, theirs] = [of(gateway, name), of(bare, name)];
    return [what, ours, theirs, (ours / theirs).toFixed(2), goal];
  };
  return table(
    [`${CLIENTS} clients, ${RECEIVERS} receivers of each event`, 'gateway', 'bare Socket.IO', 'gateway / bare', 'goal'],
    [
      row(`${LOW_RATE} events per second: p50 ms`, 'lowP50Ms', ''),
      row(`${LOW_RATE} events per second: p99 ms`, 'lowP99Ms', 'at most 1.5'),
      row(`highest rate with a p99 below ${LATE_MS} ms, events per second`, 'highestRate', 'at least 0.8, then 1.0'),
    ],
  );
}

async function measure(server: Product, stream: BenchStream, fleet: ClientFleet): Promise<Figures> {
  try {
    await fleet.open(
      server.url,
      Array.from({ length: CLIENTS }, (_, i) => ({ token: String(i % RIGHTS_SETS) })),
    );
    const timesAt = async (rate: number, durationMs: number) => {
      await fleet.begin();
      const sent = await atSteadyRate(rate, durationMs, (i) => stream.publish(stampedChange(i % PLANTS)));
      const { total, ...times } = await fleet.received(sent * RECEIVERS, DRAIN_MS);
      if (server.name === 'gateway' && total !== sent * RECEIVERS) throw new Error(`${total} of ${sent * RECEIVERS} events came`);
      return times;
    };
    await timesAt(FIRST_RATE, STEP_MS);
    const low = await timesAt(LOW_RATE, LOW_RATE_MS);
    const inTime = async (rate: number) => (await timesAt(rate, STEP_MS)).p99Ms <= LATE_MS;
    // A second attempt tolerates a disturbance by other programs of the machine.
    const keeps = async (rate: number) => (await inTime(rate)) || (await inTime(rate));
    let kept = LOW_RATE;
    let tooMuch = FIRST_RATE;
    while (await keeps(tooMuch)) [kept, tooMuch] = [tooMuch, tooMuch * GROWTH];
    for (let i = 0; i < REFINEMENTS; i += 1) {
      const between = (kept + tooMuch) / 2;
      if (await keeps(between)) kept = between;
      else tooMuch = between;
    }
    return { lowP50Ms: low.p50Ms, lowP99Ms: low.p99Ms, highestRate: kept };
  } finally {
    await fleet.closeClients();
    await server.stop();
  }
}
