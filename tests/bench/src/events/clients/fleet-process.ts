import { nowNs, STAMP_PREFIX, stampNs } from '../plants.ts';
import { WireClient } from './wire-client.ts';
import type { FleetOrder, FleetReport } from './client-fleet.ts';

/** Runs many clients in a separate process, controlled by {@link ClientFleet}. */
const OPENING_AT_ONCE = 50;
const clients: WireClient[] = [];
/** Number of events by latency. Sorting millions of latencies would stop the clients while they are measured. */
const BUCKETS_PER_MS = 10;
const latencies = new Uint32Array(60_000 * BUCKETS_PER_MS);
let count = 0;
let total = 0;
let since = 0;
let uuidOffset = -1;
let lastAtNs = 0;

/** Reads the clock for each event: several events in one read are rare. */
function onEvent(buffer: Buffer, start: number, end: number): void {
  total += 1;
  lastAtNs = nowNs();
  if (since === 0) return;
  if (uuidOffset < 0) uuidOffset = buffer.indexOf(STAMP_PREFIX, start) - start;
  if (uuidOffset + 36 > end - start) return;
  const stamp = stampNs(buffer, start + uuidOffset);
  if (stamp < since) return;
  const bucket = Math.floor(((lastAtNs - stamp) / 1e6) * BUCKETS_PER_MS);
  latencies[Math.min(Math.max(bucket, 0), latencies.length - 1)]! += 1;
  count += 1;
}

async function open(url: string, auths: readonly unknown[]): Promise<void> {
  for (let i = 0; i < auths.length; i += OPENING_AT_ONCE) {
    const some = auths.slice(i, i + OPENING_AT_ONCE);
    clients.push(...(await Promise.all(some.map((auth) => WireClient.open(url, auth, onEvent)))));
  }
}

function report(): FleetReport {
  return { total, measured: count, p50Ms: latencyMs(0.5), p99Ms: latencyMs(0.99), lastAtNs };
}

/** The latency that this share of the events does not exceed, to 0.1 ms and at most a minute. */
function latencyMs(share: number): number {
  let rest = count * share;
  const bucket = latencies.findIndex((events) => (rest -= events) <= 0);
  return count === 0 ? Number.NaN : (bucket + 1) / BUCKETS_PER_MS;
}

process.on('message', (order: FleetOrder) => {
  const answer = (done: FleetReport | { error: string }) => process.send?.(done);
  switch (order.do) {
    case 'open':
      open(order.url, order.auths).then(
        () => answer(report()),
        (error: Error) => answer({ error: error.message }),
      );
      return;
    case 'begin':
      // Counts events made from now on; those in flight belong to the time before.
      [count, total, since, uuidOffset] = [0, 0, nowNs(), -1];
      latencies.fill(0);
      answer(report());
      return;
    case 'report':
      answer(report());
      return;
    case 'close':
      for (const client of clients.splice(0)) client.close();
      answer(report());
  }
});
process.on('disconnect', () => process.exit());
