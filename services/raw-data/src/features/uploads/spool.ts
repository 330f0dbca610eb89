import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rm, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { ServiceError } from '@sinebar/contracts';
import { storageFull, codeOf } from '../blobs/blob-store.js';
import { thisProcess, type SpoolOwner } from './spool-owner.js';

/** A received body on the disk. */
export interface SpooledFile {
  path: string;
  sizeBytes: number;
  /** 32 hexadecimal digits. */
  md5: string;
  /** Removes the file; never throws. */
  discard(): Promise<void>;
}

/** What this process has in its spool. */
export interface SpoolUsage {
  /** Bodies that are being received. */
  receiving: number;
  bytes: number;
}

export interface ReceiveOptions {
  /** Longest body, bytes; `undefined`: no limit. */
  limitBytes: number | undefined;
  signal: AbortSignal;
}

/** Bytes collected in memory before they are written in one call. */
const WRITE_BYTES = 1024 * 1024;
/** A spool file that nobody has written to for this long belongs to a process that is gone, milliseconds. */
const ABANDONED_AFTER_MS = 24 * 3600 * 1000;

/**
 * Takes request bodies to the disk before anything else sees them: their size and checksum are known before a store is asked to keep them, and a client
 * that breaks off leaves nothing anywhere else.
 */
export class Spool {
  private readonly folder: string;
  private readonly owner: SpoolOwner;
  private readonly used: SpoolUsage = { receiving: 0, bytes: 0 };

  /** @param owner whose files are known by their names */
  constructor(folder: string, owner: SpoolOwner = thisProcess()) {
    this.folder = folder;
    this.owner = owner;
  }

  get usage(): Readonly<SpoolUsage> {
    return this.used;
  }

  /**
   * Creates the folder and removes what a crash left in it.
   * @param shared other processes may write to it: what is young is kept, unless its process is known to be gone
   */
  async prepare(now: Date, shared: boolean): Promise<void> {
    await mkdir(this.folder, { recursive: true });
    for (const name of await readdir(this.folder)) {
      const path = join(this.folder, name);
      const found = await stat(path).catch(() => undefined);
      if (!found?.isFile() || !name.endsWith('.upload')) continue;
      if (!shared || now.getTime() - found.mtimeMs > ABANDONED_AFTER_MS || this.owner.isGone(name)) await rm(path, { force: true });
    }
  }

  /**
   * Writes the whole stream to a file.
   * @throws ServiceError 413 above the limit, 400 when the stream ends early, 503 when the disk is full; the signal's reason on abort. Nothing is left then.
   */
  async receive(source: Readable, options: ReceiveOptions): Promise<SpooledFile> {
    const path = join(this.folder, `${this.owner.prefix}${randomUUID()}.upload`);
    const file = await this.create(path);
    let bytes = 0;
    const onBytes = (count: number) => {
      bytes += count;
      this.used.bytes += count;
    };
    const onGone = () => {
      this.used.bytes -= bytes;
      bytes = 0;
    };
    this.used.receiving += 1;
    try {
      const { sizeBytes, md5 } = await writeAll(source, file, options, onBytes);
      await file.close();
      const discard = () =>
        rm(path, { force: true })
          .then(onGone)
          .catch(() => undefined);
      return { path, sizeBytes, md5, discard };
    } catch (error) {
      onGone();
      await file.close().catch(() => undefined);
      await rm(path, { force: true });
      throw codeOf(error) === 'ENOSPC' || codeOf(error) === 'EDQUOT' ? storageFull(error) : error;
    } finally {
      this.used.receiving -= 1;
    }
  }

  /** Programs that clean temporary folders may have taken ours while it was empty. */
  private async create(path: string): Promise<FileHandle> {
    try {
      return await open(path, 'wx');
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw codeOf(error) === 'ENOSPC' ? storageFull(error) : error;
      await mkdir(this.folder, { recursive: true });
      return await open(path, 'wx');
    }
  }
}

/** The checksum is fed as the bytes arrive: a Transform in between halves the throughput. */
function writeAll(
  source: Readable,
  file: FileHandle,
  { limitBytes, signal }: ReceiveOptions,
  onBytes: (count: number) => void,
): Promise<{ sizeBytes: number; md5: string }> {
  return new Promise((resolve, reject) => {
    const hash = createHash('md5');
    let sizeBytes = 0;
    let waiting: Buffer[] = [];
    let waitingBytes = 0;
    let writing: Promise<void> = Promise.resolve();
    let over = false;

    const finish = (settle: () => void) => {
      if (over) return;
      over = true;
      source.off('data', onData);
      source.off('end', onEnd);
      source.off('close', onClose);
      signal.removeEventListener('abort', onAbort);
      // A running write must not outlive the file it writes to.
      writing.then(settle, settle);
    };
    // The error listener stays: a broken connection reports twice, and the second report must find somebody.
    const fail = (error: Error) => finish(() => reject(error));
    const flush = (): Promise<void> => {
      const [buffers, count] = [waiting, waitingBytes];
      waiting = [];
      waitingBytes = 0;
      writing = writing.then(() => writeFully(file, buffers)).then(() => onBytes(count));
      return writing;
    };
    let isWriting = false;
    // While one batch is written the next one arrives; only when that is full too the sender has to wait.
    const writeNext = (): void => {
      if (over || waitingBytes < WRITE_BYTES) return;
      if (isWriting) {
        source.pause();
        return;
      }
      isWriting = true;
      flush().then(() => {
        isWriting = false;
        writeNext();
        if (!over) source.resume();
      }, fail);
    };
    const onData = (chunk: Buffer) => {
      hash.update(chunk);
      sizeBytes += chunk.length;
      if (limitBytes !== undefined && sizeBytes > limitBytes) return fail(tooLarge(limitBytes));
      waiting.push(chunk);
      waitingBytes += chunk.length;
      writeNext();
    };
    const onEnd = () => {
      flush().then(() => finish(() => resolve({ sizeBytes, md5: hash.digest('hex') })), fail);
    };
    const onClose = () => {
      if (!source.readableEnded) fail(new ServiceError('IncompleteBody', 'the body ended before it was complete; nothing was stored'));
    };
    const onAbort = () => fail(signal.reason as Error);

    source.on('data', onData);
    source.on('end', onEnd);
    source.on('error', (error) =>
      fail(new ServiceError('IncompleteBody', 'the body could not be read to its end; nothing was stored', { cause: error })),
    );
    source.on('close', onClose);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    else if (source.destroyed) onClose();
  });
}

/** One call may write less than it was given. */
async function writeFully(file: FileHandle, buffers: Buffer[]): Promise<void> {
  let rest = buffers;
  while (rest.length > 0) {
    const { bytesWritten } = await file.writev(rest);
    rest = behind(rest, bytesWritten);
  }
}

function behind(buffers: readonly Buffer[], count: number): Buffer[] {
  let skip = count;
  const rest: Buffer[] = [];
  for (const buffer of buffers) {
    if (skip >= buffer.length) skip -= buffer.length;
    else {
      rest.push(buffer.subarray(skip));
      skip = 0;
    }
  }
  return rest;
}

export function tooLarge(limitBytes: number): ServiceError {
  return new ServiceError('BodyTooLarge', `the file is larger than ${limitBytes} bytes, the limit of this server`);
}
