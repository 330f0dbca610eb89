import { createHash, type Hash } from 'node:crypto';
import { Transform, Writable, type TransformCallback } from 'node:stream';

/** Passes bytes through, counts them and computes digests. */
export class Measured extends Transform {
  bytes = 0;
  private readonly hashes: Record<string, Hash>;
  private readonly onBytes: ((count: number) => void) | undefined;

  constructor(algorithms: readonly ('sha256' | 'md5')[], onBytes?: (count: number) => void) {
    super();
    this.hashes = Object.fromEntries(algorithms.map((algorithm) => [algorithm, createHash(algorithm)]));
    this.onBytes = onBytes;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.bytes += chunk.length;
    for (const hash of Object.values(this.hashes)) hash.update(chunk);
    this.onBytes?.(chunk.length);
    done(null, chunk);
  }

  /** Returns the hexadecimal digest after the last byte. */
  digest(algorithm: 'sha256' | 'md5'): string {
    return this.hashes[algorithm]?.digest('hex') ?? '';
  }
}

/** Makes a stream that discards its input, for computing only a digest. */
export function discard(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}
