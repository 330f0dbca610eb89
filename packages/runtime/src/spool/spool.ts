import { createHash, randomUUID } from 'node:crypto';
import { open, readdir, rm, stat, utimes, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { errorCode } from '@sinebar/concurrency';
import { ServiceError } from '@sinebar/contracts';
import { makePrivateFolder, PRIVATE_FILE_MODE } from '../private-files.ts';
import { isDiskFull, storageFull } from './disk-full.ts';
import { thisProcess, type SpoolOwner } from './spool-owner.ts';
import { StreamBatches } from './stream-batches.ts';

/** A received body on the disk. */
export interface SpooledFile {
  path: string;
  sizeBytes: number;
  /** 32 hexadecimal digits. */
  md5: string;
  /** Removes the file; never throws. */
  discard(): Promise<void>;
}

export interface SpoolUsage {
  receiving: number;
  bytes: number;
}

export interface ReceiveOptions {
  limitBytes: number | undefined;
  /** Announced size of the body in bytes: a body without room is refused before it is read. */
  announcedBytes?: number | undefined;
  /** Further check while the body grows. @returns the reason for a refusal */
  check?: ((sizeBytes: number) => ServiceError | undefined) | undefined;
  /** Called before the first byte is read, when nothing is known that refuses the body. */
  onBegin?: (() => void) | undefined;
  signal: AbortSignal;
}

export interface SpoolOptions {
  /** Limit in bytes for all files of this process; 0 or undefined is no limit. */
  quotaBytes?: number | undefined;
  /** Whether other processes may write to the folder; default: true. */
  isShared?: boolean;
  /** Owner of the files, by their names. */
  owner?: SpoolOwner;
}

/** Bytes collected in memory before they are written in one call. */
const WRITE_BYTES = 1024 * 1024;
/** Retry delay in seconds: running uploads end within seconds or minutes. */
const QUOTA_RETRY_S = 10;
/** Age in milliseconds after which a spool file that nobody touches belongs to an ended process. */
const ABANDONED_AFTER_MS = 10 * 60 * 1000;

/** Writes request bodies to disk: size and checksum are known before they are stored, and an aborted upload stores nothing. */
export class Spool {
  readonly folder: string;
  readonly isShared: boolean;
  readonly quotaBytes: number;
  private readonly owner: SpoolOwner;
  private readonly used: SpoolUsage = { receiving: 0, bytes: 0 };
  /** Paths of the files that are received or still needed. */
  private readonly files = new Set<string>();

  constructor(folder: string, { quotaBytes, isShared = true, owner = thisProcess() }: SpoolOptions = {}) {
    this.folder = folder;
    this.isShared = isShared;
    this.quotaBytes = quotaBytes || Infinity;
    this.owner = owner;
  }

  get usage(): Readonly<SpoolUsage> {
    return this.used;
  }

  /**
   * Creates the folder and removes the files of a crashed process.
   * In a shared one recent files are kept, unless their process is known to have ended.
   */
  async prepare(now: Date): Promise<void> {
    await makePrivateFolder(this.folder);
    for (const name of await readdir(this.folder)) {
      const path = join(this.folder, name);
      const found = await stat(path).catch(() => undefined);
      if (!found?.isFile() || !name.endsWith('.upload')) continue;
      if (!this.isShared || now.getTime() - found.mtimeMs > ABANDONED_AFTER_MS || this.owner.hasEnded(name))
        await rm(path, { force: true });
    }
  }

  /** Touches the files of this process, so that other processes keep them. Call it more often than every 10 minutes. */
  async touch(now: Date): Promise<void> {
    // A file may have been discarded meanwhile.
    await Promise.all([...this.files].map((path) => utimes(path, now, now).catch(() => undefined)));
  }

  /**
   * Writes the whole stream to a file.
   * @throws ServiceError 413 above a limit, 400 when the stream ends early, 503 when the disk or the quota is full; the signal's reason.
   * The file is removed then.
   */
  async receive(source: Readable, options: ReceiveOptions): Promise<SpooledFile> {
    const refusal = this.quotaProblem(options.announcedBytes ?? 0, options.announcedBytes ?? 0);
    if (refusal) throw refusal;
    const path = join(this.folder, `${this.owner.prefix}${randomUUID()}.upload`);
    const file = await this.create(path);
    this.files.add(path);
    let bytes = 0;
    const admit = (count: number) => {
      const problem = this.quotaProblem(count, bytes + count) ?? options.check?.(bytes + count);
      if (problem) return problem;
      bytes += count;
      this.used.bytes += count;
      return undefined;
    };
    const onClose = () => {
      this.files.delete(path);
      this.used.bytes -= bytes;
      bytes = 0;
    };
    this.used.receiving += 1;
    try {
      options.onBegin?.();
      const { sizeBytes, md5 } = await writeAll(source, file, options, admit);
      await file.close();
      const discard = () =>
        rm(path, { force: true })
          .then(onClose)
          .catch(() => undefined);
      return { path, sizeBytes, md5, discard };
    } catch (error) {
      onClose();
      await file.close().catch(() => undefined);
      await rm(path, { force: true });
      throw isDiskFull(error) ? storageFull(error) : error;
    } finally {
      this.used.receiving -= 1;
    }
  }

  /** Creates the folder again if a clean-up of temporary files has removed it. */
  private async create(path: string): Promise<FileHandle> {
    const create = () => open(path, 'wx', PRIVATE_FILE_MODE);
    try {
      return await create();
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw isDiskFull(error) ? storageFull(error) : error;
      await makePrivateFolder(this.folder);
      return await create();
    }
  }

  /** @param moreBytes bytes to add @param ownBytes bytes of the same body so far */
  private quotaProblem(moreBytes: number, ownBytes: number): ServiceError | undefined {
    const { quotaBytes } = this;
    if (ownBytes > quotaBytes) {
      const message = `The file is larger than the ${quotaBytes} bytes that this server keeps for uploads (SINEBAR_SPOOL_BYTES).`;
      return new ServiceError('BodyTooLarge', message);
    }
    if (this.used.bytes + moreBytes <= quotaBytes) return undefined;
    const message =
      `Other uploads take up the ${quotaBytes} bytes that this server keeps for them (SINEBAR_SPOOL_BYTES). ` +
      'Send the file again later.';
    return new ServiceError('Overloaded', message, { retryAfterSeconds: QUOTA_RETRY_S });
  }
}

/** Hashes the bytes as they arrive. The file is written by one call at a time; none of them runs when this function ends. */
async function writeAll(
  source: Readable,
  file: FileHandle,
  { limitBytes, signal }: ReceiveOptions,
  admit: (count: number) => ServiceError | undefined,
): Promise<{ sizeBytes: number; md5: string }> {
  const hash = createHash('md5');
  let sizeBytes = 0;
  const accept = (chunk: Buffer) => {
    hash.update(chunk);
    sizeBytes += chunk.length;
    if (limitBytes !== undefined && sizeBytes > limitBytes) throw tooLarge(limitBytes);
    const refusal = admit(chunk.length);
    if (refusal) throw refusal;
  };
  for await (const batch of new StreamBatches(source, { fullBytes: WRITE_BYTES, accept, broken: incompleteBody, signal })) {
    await writeFully(file, batch);
  }
  return { sizeBytes, md5: hash.digest('hex') };
}

/** A source that knows what is wrong says so itself. */
function incompleteBody(cause: Error | undefined): ServiceError {
  if (cause instanceof ServiceError) return cause;
  return cause
    ? new ServiceError('IncompleteBody', 'The body could not be read to its end. Nothing was stored.', { cause })
    : new ServiceError('IncompleteBody', 'The body ended before it was complete. Nothing was stored.');
}

/** Repeats the call, which may write only some of the bytes. */
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
  return new ServiceError(
    'BodyTooLarge',
    `The file is larger than ${limitBytes} bytes, the limit of this server (SINEBAR_MAX_FILE_BYTES).`,
  );
}
