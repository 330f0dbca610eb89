// Preloaded into the product (`node --import`): appends the longest turn of its event loop since the line before to TURN_TIMES_FILE, fifty
// times a second: as processor time, and as the delay that a timer had, milliseconds. On a busy machine a delay is mostly a wait for a processor.
import { appendFileSync, readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const file = process.env['TURN_TIMES_FILE'];
const LOOK_MS = 2;
const WRITE_MS = 20;

if (isMainThread && file !== undefined) {
  const delays = monitorEventLoopDelay({ resolution: LOOK_MS });
  delays.enable();
  let ranMs = processorTime();
  let longestMs = 0;
  setInterval(() => {
    const now = processorTime();
    longestMs = Math.max(longestMs, now - ranMs);
    ranMs = now;
  }, LOOK_MS).unref();
  setInterval(() => {
    appendFileSync(file, `${longestMs} ${delays.max / 1e6}\n`);
    longestMs = 0;
    delays.reset();
  }, WRITE_MS).unref();
}

/** Processor time of the thread of the event loop since its start. */
function processorTime() {
  return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}
