import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { zipPieces } from '@sinebar/testing/zip-writer';

const ENTRY = randomBytes(8 * 2 ** 20);
const SMALL = randomBytes(10 * 1024);
/** Name of the small entry in the middle of the archive. */
export const SMALL_ENTRY = 'folder/small.bin';

/** An uncompressed archive of so many entries of 8 MiB with one of 10 KiB in their middle, piece by piece. */
export function storedZip(entries: number): Generator<Buffer> {
  const crc = crc32(ENTRY);
  const written = Array.from({ length: entries + 1 }, (_, i) =>
    i === entries >> 1
      ? { name: SMALL_ENTRY, content: SMALL, method: 0 }
      : { name: `folder/large ${i}.bin`, content: ENTRY, crc, method: 0 },
  );
  return zipPieces(written);
}
