import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { io, type Socket } from 'socket.io-client';
import { median, percentile, table } from '../figures.ts';
import { startBareSockets, type Product } from '../product.ts';
import { createPart, fetchDone, send } from '../rest-calls.ts';
import { makeBenchStream, type BenchStream } from './bench-stream.ts';
import { ALL_PLANTS, stampedChange } from './plants.ts';
import { atSteadyRate } from './steady-rate.ts';

const ROUNDS = 3;
const WARM_UP = 100;
const SINGLE = 200;
const RATE = 200;
const RATE_MS = 10_000;
const EVENT_TIMEOUT_MS = 20_000;
const LEVELS = 4;

/** A kind of change and the event that a client receives. */
interface Road {
  /** Makes a change; calls `begin` with the key of the event when the measured time starts. */
  change: (begin: (key: string) => void) => Promise<void>;
  socket: Socket;
  event: string;
  keyOf: (payload: never) => string;
}

interface Times {
  single: number[];
  atRate: number[];
  /** Ratio of the medians of the last and the first quarter of the time at the steady rate. */
  drift: number[];
}

/**
 * Measures the time from the answer of a write to its event at a stock client.
 * For comparison in the distributed form: the time from a JetStream publication until a Socket.IO server has sent it.
 */
export async function measureEventLatency(product: Product): Promise<string> {
  const distributed = product.databaseUrl !== undefined;
  const stream = await makeBenchStream();
  const bareServer = await startBareSockets();
  const part = await createPart(product.url, `event latency ${randomUUID()}`);
  const roads = { product: productRoad(product.url, part), bare: bareRoad(bareServer.url, stream) };
  const [ours, bare] = [noTimes(), noTimes()];
  try {
    // The first round is not counted: it includes compilation.
    for (let round = 0; round <= ROUNDS; round += 1) {
      await follow(roads.product, round === 0 ? noTimes() : ours);
      if (distributed) await follow(roads.bare, round === 0 ? noTimes() : bare);
    }
  } finally {
    roads.product.socket.close();
    roads.bare.socket.close();
    await bareServer.stop();
    await stream.remove();
    await fetchDone(`${product.url}/dataServiceRest/parts/${part}`, { method: 'DELETE' });
  }
  const figures = (times: number[]) => [median(times), percentile(times, 0.99)];
  const rows: (string | number)[][] = [
    ['one write at a time: answered to event received', ...figures(ours.single), ''],
    [`${RATE} writes per second: the same`, ...figures(ours.atRate), ''],
  ];
  if (distributed) {
    const ratio = (a: number[], b: number[]) => figures(a).map((value, i) => value / (figures(b)[i] as number));
    rows.push(
      ['one at a time: bare publication to event received', ...figures(bare.single), ''],
      [`${RATE} per second: the same`, ...figures(bare.atRate), ''],
      ['one at a time: product / bare', ...ratio(ours.single, bare.single), 'p99 at most 4'],
      [`${RATE} per second: product / bare`, ...ratio(ours.atRate, bare.atRate), 'p99 at most 4'],
    );
  }
  rows.push([`${RATE} per second: last quarter / first quarter`, median(ours.drift), '', 'no growth']);
  return table([`events, ${product.name}`, 'p50 ms', 'p99 ms', 'goal'], rows);
}

function noTimes(): Times {
  return { single: [], atRate: [], drift: [] };
}

function productRoad(url: string, part: string): Road {
  return {
    socket: io(`${url}/events`, { transports: ['websocket'], forceNew: true }),
    event: 'MeasurementCreated',
    keyOf: ({ MeasurementUuid }: { MeasurementUuid: string }) => MeasurementUuid,
    change: async (begin) => {
      const uuid = randomUUID();
      await send(url, 'POST', 'measurements', [{ uuid, partUuid: part, attributes: {} }]);
      begin(uuid);
    },
  };
}

function bareRoad(url: string, stream: BenchStream): Road {
  return {
    socket: io(url, { transports: ['websocket'], forceNew: true, auth: { token: ALL_PLANTS } }),
    event: 'PartModified',
    keyOf: ({ PartUuid }: { PartUuid: string }) => PartUuid,
    change: async (begin) => {
      const change = stampedChange(0);
      begin(change.subject);
      await stream.publish(change);
    },
  };
}

async function follow({ socket, event, keyOf, change }: Road, times: Times): Promise<void> {
  const begunMs = new Map<string, number>();
  const receivedMs = new Map<string, number>();
  const listener = (payload: never) => void receivedMs.set(keyOf(payload), performance.now());
  if (!socket.connected) await new Promise<void>((resolve) => socket.once('connect', resolve));
  socket.on(event, listener as (payload: unknown) => void);
  const make = () => change((key) => void begunMs.set(key, performance.now()));
  const allReceived = async () => {
    const limit = Date.now() + EVENT_TIMEOUT_MS;
    while (receivedMs.size < begunMs.size) {
      if (Date.now() > limit) throw new Error(`${begunMs.size - receivedMs.size} events did not come`);
      await pause(1);
    }
    // An event may overtake the answer of its write.
    const latencies = [...begunMs].map(([key, begun]) => Math.max(0, (receivedMs.get(key) as number) - begun));
    begunMs.clear();
    receivedMs.clear();
    return latencies;
  };
  try {
    const single: number[] = [];
    for (let i = 0; i < WARM_UP + SINGLE; i += 1) {
      await make();
      single.push(...(await allReceived()));
    }
    times.single.push(...single.slice(WARM_UP));
    await atSteadyRate(RATE, RATE_MS, make);
    const atRate = await allReceived();
    times.atRate.push(...atRate);
    const quarter = Math.floor(atRate.length / LEVELS);
    times.drift.push(median(atRate.slice(-quarter)) / median(atRate.slice(0, quarter)));
  } finally {
    socket.off(event, listener as (payload: unknown) => void);
  }
}
