import { setTimeout as pause } from 'node:timers/promises';
import { median, table } from '../figures.ts';
import { processorSeconds } from '../process-memory.ts';
import type { ClientFleet } from './clients/client-fleet.ts';
import { SENDERS, type Sender } from './fan-out-senders.ts';
import { CLIENTS, measureInTurn } from './in-turn.ts';
import { ALL_PLANTS } from './plants.ts';
import { atSteadyRate } from './steady-rate.ts';

const ROUNDS = 2;
const FIRST_RATE = 20;
const GROWTH = 1.35;
const STEP_MS = 3000;
const HALF_MS = 5000;
const OVERLOAD = 2.5;
const OVERLOAD_MS = 6000;
/** Share of the messages that must have come when the last write is made. */
const KEPT = 0.9;
const DRAIN_MS = 120_000;
const PROMPT_MS = 100;

interface Figures {
  /** Highest number of messages that the clients received in a second, at any rate of writes. */
  highest: number;
  /** The same at {@link OVERLOAD} times as many writes. */
  overloaded: number;
  /** Highest number of messages in a second at which 99 of 100 came in less than {@link PROMPT_MS}. */
  prompt: number;
  /** Time from a write to its messages at half of the highest number. */
  halfP50Ms: number;
  halfP99Ms: number;
  /** Processor time of the process with the sockets for each message, microseconds, at half and overloaded. */
  halfCpuUs: number;
  overloadedCpuUs: number;
}

/** Measures a thousand clients that see everything: one process and three, against a Socket.IO server that stores nothing. */
export async function measureFanOutToAll(rounds = ROUNDS): Promise<string> {
  const measured = await measureInTurn(SENDERS, rounds, measure);
  const rows = Object.entries(measured).map(([name, all]) => {
    const of = (figure: (figures: Figures) => number) => median(all.map(figure));
    const ratios = all.map(({ highest }, i) => highest / (measured.bare[i] as Figures).highest);
    return [
      name,
      Math.round(of(({ highest }) => highest)).toString(),
      median(ratios).toFixed(2),
      of(({ overloaded, highest }) => overloaded / highest).toFixed(2),
      Math.round(of(({ prompt }) => prompt)).toString(),
      of(({ halfP50Ms }) => halfP50Ms),
      of(({ halfP99Ms }) => halfP99Ms),
      of(({ halfCpuUs }) => halfCpuUs),
      of(({ overloadedCpuUs }) => overloadedCpuUs),
    ];
  });
  const goals = ['goal', '', '0.8 for one process, 1.2 for three', 'at least 0.9', '', '', `below ${PROMPT_MS}`, '', ''];
  return table(
    [
      `${CLIENTS} clients that see everything`,
      'messages/s',
      '/ bare',
      `at ${OVERLOAD} times the writes / highest`,
      `messages/s with a p99 below ${PROMPT_MS} ms`,
      'p50 ms at half',
      'p99 ms at half',
      'processor µs/message at half',
      'overloaded',
    ],
    [...rows, goals],
  );
}

async function measure({ server, write, stop }: Sender, fleet: ClientFleet): Promise<Figures> {
  try {
    await fleet.open(
      server.url,
      Array.from({ length: CLIENTS }, () => ({ token: ALL_PLANTS })),
    );
    const pid = server.servicePid('events');
    /** @returns messages per second while writes are made, and the times of all messages */
    const at = async (rate: number, durationMs: number) => {
      await fleet.begin();
      const usedS = processorSeconds(pid);
      const begunMs = performance.now();
      const writing = atSteadyRate(rate, durationMs, write);
      await pause(durationMs);
      const { total } = await fleet.report();
      const perSecond = (total / (performance.now() - begunMs)) * 1000;
      const sent = (await writing) * CLIENTS;
      const all = await fleet.received(sent, DRAIN_MS);
      if (all.total !== sent) throw new Error(`${all.total} of ${sent} messages came`);
      const cpuUs = ((processorSeconds(pid) - usedS) * 1e6) / sent;
      const { p50Ms, p99Ms } = all;
      console.error(`${server.name}: ${JSON.stringify({ rate, perSecond, p50Ms, p99Ms, cpuUs })}`);
      return { perSecond, p50Ms, p99Ms, cpuUs };
    };
    await at(FIRST_RATE, STEP_MS);
    let [highest, prompt] = [0, 0];
    // A second miss ends the search, because other programs of the machine may cause one.
    for (let rate = FIRST_RATE, misses = 0; misses < 2; rate *= GROWTH) {
      const { perSecond, p99Ms } = await at(rate, STEP_MS);
      highest = Math.max(highest, perSecond);
      if (p99Ms < PROMPT_MS) prompt = Math.max(prompt, perSecond);
      if (perSecond < rate * CLIENTS * KEPT) misses += 1;
    }
    const half = await at(highest / CLIENTS / 2, HALF_MS);
    const overload = await at((highest / CLIENTS) * OVERLOAD, OVERLOAD_MS);
    return {
      highest,
      overloaded: overload.perSecond,
      prompt,
      halfP50Ms: half.p50Ms,
      halfP99Ms: half.p99Ms,
      halfCpuUs: half.cpuUs,
      overloadedCpuUs: overload.cpuUs,
    };
  } finally {
    await fleet.closeClients();
    await stop();
  }
}
