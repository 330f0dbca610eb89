import { appendFileSync, readFileSync } from 'node:fs';

/** Turns that take less processor time are not written. */
const LONG_TURN_MS = 3;

// Preloaded into a service on Linux (`node --import`): writes each long turn of its event loop to the file that TURN_TIMES_FILE names, as
// processor time and as time in the run queue, ms. On a busy machine a delay of the event loop is mostly the latter.
const file = process.env['TURN_TIMES_FILE'];
if (file !== undefined) {
  let [ranMs, waitedMs] = threadTimes();
  setInterval(() => {
    const [nowRanMs, nowWaitedMs] = threadTimes();
    if (nowRanMs - ranMs > LONG_TURN_MS) appendFileSync(file, `${nowRanMs - ranMs} ${nowWaitedMs - waitedMs}\n`);
    [ranMs, waitedMs] = [nowRanMs, nowWaitedMs];
  }, 1).unref();
}

/** Times of the thread of the event loop since its start. */
function threadTimes(): [ranMs: number, waitedMs: number] {
  const [ranNs = 0, waitedNs = 0] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ').map(Number);
  return [ranNs / 1e6, waitedNs / 1e6];
}
