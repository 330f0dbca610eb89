import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** Size of the young generation of the thread, MB: rendering leaves much garbage. */
const YOUNG_GENERATION_MB = 192;

/** The thread in which the files of the page run, one after the other: other tests must not see the globals of a browser. */
let thread;

function start() {
  const started = new Worker(new URL('thread.mjs', import.meta.url), {
    execArgv: ['--conditions=browser'],
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
  });
  const forget = () => {
    if (thread === started) thread = undefined;
  };
  started.once('error', forget).once('exit', forget);
  return started;
}

/** Runs a file of tests of the page as the native runner does, in a thread with the globals of a browser. */
export default async function runFile(globalConfig, config, _environment, _runtime, testPath) {
  thread ??= start();
  const answered = new AbortController();
  const { signal } = answered;
  thread.ref();
  thread.postMessage({ globalConfig, config, testPath });
  try {
    const [{ result, error }] = await Promise.race([once(thread, 'message', { signal }), ended(thread, signal)]);
    if (error) throw error;
    return result;
  } finally {
    answered.abort();
    thread?.unref();
  }
}

async function ended(started, signal) {
  await once(started, 'exit', { signal });
  throw new Error('The thread of the tests of the page has ended.');
}
