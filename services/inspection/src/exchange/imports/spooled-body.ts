import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ServiceError } from '@sinebar/contracts';

/** Most bytes of a file. */
const MAX_FILE_BYTES = 2 * 1024 * 1024 * 1024;
/** Most bytes of all files that are imported at the same time. */
const MAX_SPOOL_BYTES = 16 * 1024 * 1024 * 1024;
const RETRY_S = 30;

/** The body of a request in a temporary file: it is read more than once. */
export interface SpooledBody {
  /** Hexadecimal. */
  md5: string;
  sizeBytes: number;
  path: string;
  remove: () => Promise<void>;
}

/** Temporary files for the bodies of imports, with a limit for all of them together. */
export class ImportSpool {
  private readonly limitBytes: number;
  private usedBytes = 0;

  constructor(limitBytes = MAX_SPOOL_BYTES) {
    this.limitBytes = limitBytes;
  }

  /**
   * Stores a body in a temporary file until `remove` is called.
   * @throws ServiceError 413 the body is larger than {@link MAX_FILE_BYTES}, 503 other imports fill the spool
   */
  async receive(body: AsyncIterable<Buffer>, signal: AbortSignal): Promise<SpooledBody> {
    const folder = await mkdtemp(join(tmpdir(), 'sinebar-import-'));
    let sizeBytes = 0;
    const remove = async () => {
      this.usedBytes -= sizeBytes;
      sizeBytes = 0;
      await rm(folder, { recursive: true, force: true });
    };
    const file = join(folder, 'body');
    const hash = createHash('md5');
    const measured = async function* (this: ImportSpool, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const chunk of chunks) {
        sizeBytes += chunk.length;
        this.usedBytes += chunk.length;
        if (sizeBytes > MAX_FILE_BYTES) {
          throw new ServiceError('BodyTooLarge', `The file is larger than ${MAX_FILE_BYTES} bytes. Split it into several files.`);
        }
        if (this.usedBytes > this.limitBytes) {
          const message = 'The files that are imported at the moment fill the space for them. Send the file again later.';
          throw new ServiceError('Overloaded', message, { retryAfterSeconds: RETRY_S });
        }
        hash.update(chunk);
        yield chunk;
      }
    }.bind(this);
    try {
      await pipeline(body, measured, createWriteStream(file, { mode: 0o600 }), { signal });
    } catch (error) {
      await remove();
      throw error;
    }
    return { path: file, md5: hash.digest('hex'), sizeBytes, remove };
  }
}
