import { programFile, type Logger } from '@sinebar/runtime';
import type { ImageJob, ImageLimits, ImageOutcome, Refusal } from './image-job.ts';
import { ImageProcessEnded, ImageTookTooLong, ImageWorker } from './image-worker.ts';

export interface ThumbnailMakerDependencies {
  log: Logger;
  limits?: ImageLimits | undefined;
  script?: URL | undefined;
}

/** There are cameras of 100 megapixels; the memory is enough for most of their images. */
export const IMAGE_LIMITS: ImageLimits = { pixels: 100_000_000, memoryBytes: 512 * 2 ** 20, timeMs: 30_000 };
const IDLE_MS = 60_000;
const SCRIPT = programFile(import.meta.url, './image-process.ts');
/** Takes pages from PDFs. */
export const PDF_SCRIPT = programFile(import.meta.url, './pdf-process.ts');

/** No thumbnail can ever be made of these bytes. The message ends the sentence "There is no thumbnail: …". */
export class NoThumbnailError extends Error {
  override readonly name = 'NoThumbnailError';
  /** Reason of the image process for a refusal, where it gave one. */
  readonly refusal: Refusal | undefined;

  constructor(message: string, refusal?: Refusal) {
    super(message);
    this.refusal = refusal;
  }
}

/** Makes thumbnails in separate processes: one per concurrent job, kept for a while for the next job. */
export class ThumbnailMaker {
  private readonly log: Logger;
  private readonly limits: ImageLimits;
  private readonly script: URL;
  private readonly idle = new Map<ImageWorker, NodeJS.Timeout>();
  private isMissingLibraryLogged = false;

  constructor({ log, limits = IMAGE_LIMITS, script = SCRIPT }: ThumbnailMakerDependencies) {
    this.log = log;
    this.limits = limits;
    this.script = script;
  }

  /** @throws NoThumbnailError; ServiceError 503 when no process can be started; the signal's reason */
  async make(job: ImageJob, signal: AbortSignal): Promise<{ bytes: Uint8Array; mimeType: string }> {
    if (this.limits.memoryBytes === 0) throw new NoThumbnailError('this server makes none');
    const worker = this.takeIdle() ?? new ImageWorker(this.script, this.limits);
    const outcome = await worker.run(job, signal).catch((error: unknown): never => {
      if (error instanceof ImageTookTooLong) throw new NoThumbnailError(`it takes longer than ${this.limits.timeMs / 1000} s to read`);
      if (error instanceof ImageProcessEnded) throw new NoThumbnailError('reading it takes too much memory');
      throw error;
    });
    this.keep(worker);
    return this.accepted(outcome);
  }

  stop(): void {
    for (const [worker, timer] of this.idle) {
      clearTimeout(timer);
      worker.kill();
    }
    this.idle.clear();
  }

  private accepted(outcome: ImageOutcome): { bytes: Uint8Array; mimeType: string } {
    if (!('refused' in outcome)) return outcome;
    switch (outcome.refused) {
      case 'pixels':
        throw new NoThumbnailError(`it has more than ${this.limits.pixels} pixels`, 'pixels');
      case 'damaged':
        throw new NoThumbnailError('it is damaged', 'damaged');
      case 'size':
        throw new NoThumbnailError('its first page is too large', 'size');
      case 'encrypted':
        throw new NoThumbnailError('it is encrypted', 'encrypted');
      case 'unsupported':
        if (!this.isMissingLibraryLogged) this.log.warn('there is no image library for this platform: no file has a thumbnail');
        this.isMissingLibraryLogged = true;
        throw new NoThumbnailError('this server cannot read images');
    }
  }

  private takeIdle(): ImageWorker | undefined {
    for (const [worker, timer] of this.idle) {
      clearTimeout(timer);
      this.idle.delete(worker);
      if (worker.isUsable) return worker;
    }
    return undefined;
  }

  private keep(worker: ImageWorker): void {
    const end = () => {
      this.idle.delete(worker);
      worker.kill();
    };
    this.idle.set(worker, setTimeout(end, IDLE_MS).unref());
  }
}
