import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ServiceError } from '@sinebar/contracts';

/** Most bytes of a file. */
const MAX_FILE_BYTES = 2 * 1024 * 1024 * 1024;
const READ_BYTES = 256 * 1024;

/** The body of a request in a temporary file: it is read more than once. */
export interface SpooledBody {
  /** Hexadecimal. */
  md5: string;
  bytes: () => AsyncIterable<Uint8Array>;
}

/**
 * Stores a body in a temporary file, which is removed after `use`.
 * @throws ServiceError 413 the body is larger than {@link MAX_FILE_BYTES}
 */
export async function withSpooledBody<T>(
  body: AsyncIterable<Buffer>,
  signal: AbortSignal,
  use: (spooled: SpooledBody) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'sinebar-import-'));
  try {
    const file = join(folder, 'body');
    const hash = createHash('md5');
    let length = 0;
    const measured = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const chunk of chunks) {
        length += chunk.length;
        if (length > MAX_FILE_BYTES) {
          throw new ServiceError('BodyTooLarge', `the file is larger than ${MAX_FILE_BYTES} bytes; split it into several files`);
        }
        hash.update(chunk);
        yield chunk;
      }
    };
    await pipeline(body, measured, createWriteStream(file, { mode: 0o600 }), { signal });
    const bytes = () => createReadStream(file, { highWaterMark: READ_BYTES, signal }) as AsyncIterable<Uint8Array>;
    return await use({ md5: hash.digest('hex'), bytes });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
