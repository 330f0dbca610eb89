// Preloaded into the product (`node --import`): appends the longest turn of its event loop since the line before to TURN_TIMES_FILE, fifty
// times a second: as processor time without garbage collection, as the delay that a timer had, and as the longest garbage collection,
// milliseconds. On a busy machine a delay is mostly a wait for a processor. A collection depends on all that the process did before.
import { appendFileSync, readFileSync } from 'node:fs';
import { monitorEventLoopDelay, performance, PerformanceObserver } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const file = process.env['TURN_TIMES_FILE'];
const LOOK_MS = 2;
const WRITE_MS = 20;
/** Collections are reported some turns after the one that they interrupt. */
const REPORT_MS = 2 * WRITE_MS;

if (isMainThread && file !== undefined) {
  const delays = monitorEventLoopDelay({ resolution: LOOK_MS });
  delays.enable();
  let collections = [];
  new PerformanceObserver((list) => collections.push(...list.getEntries())).observe({ entryTypes: ['gc'] });
  let turns = [];
  let ranMs = processorTime();
  let endedAt = performance.now();
  setInterval(() => {
    const now = processorTime();
    turns.push({ from: endedAt, to: performance.now(), ranMs: now - ranMs });
    ranMs = now;
    endedAt = performance.now();
  }, LOOK_MS).unref();
  setInterval(() => {
    const until = performance.now() - REPORT_MS;
    const own = turns.filter(({ to }) => to <= until).map((turn) => turn.ranMs - collectedIn(turn, collections));
    const collected = collections.filter(({ startTime }) => startTime <= until).map(({ duration }) => duration);
    appendFileSync(file, `${Math.max(0, ...own)} ${delays.max / 1e6} ${Math.max(0, ...collected)}\n`);
    turns = turns.filter(({ to }) => to > until);
    collections = collections.filter(({ startTime }) => startTime > until - 1000);
    delays.reset();
  }, WRITE_MS).unref();
}

/** Time of the collections within a turn. */
function collectedIn({ from, to }, collections) {
  return collections.reduce(
    (sum, { startTime, duration }) => sum + Math.max(0, Math.min(to, startTime + duration) - Math.max(from, startTime)),
    0,
  );
}

/** Processor time of the thread of the event loop since its start. */
function processorTime() {
  return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}
