import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { ImageJob, ImageLimits, ImageOutcome } from './image-job.ts';
import { extractFirstPage } from './pdf-page.ts';

/** Reads pages of PDFs in its own process, as the image process does with images. A thread reads, so that this one can watch its memory. */

const HEAP_MIB = 256;
const LOOK_AT_MEMORY_MS = 20;

if (isMainThread) {
  process.on('message', (job: ImageJob) => void answer(job).then((outcome) => process.send?.(outcome)));
  process.on('disconnect', () => process.exit());
  const limits = JSON.parse(process.argv[2] ?? '{}') as ImageLimits;
  setInterval(() => {
    if (process.memoryUsage.rss() > limits.memoryBytes) process.kill(process.pid, 'SIGKILL');
  }, LOOK_AT_MEMORY_MS).unref();
} else {
  const { path, maxBytes = 0 } = workerData as ImageJob;
  parentPort!.postMessage(await extractFirstPage(path, maxBytes));
}

function answer(job: ImageJob): Promise<ImageOutcome> {
  return new Promise((resolve) => {
    const thread = new Worker(fileURLToPath(import.meta.url), { workerData: job, resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB } });
    thread.once('message', resolve);
    thread.once('error', () => resolve({ refused: 'damaged' }));
  });
}
