import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ENTRY = randomBytes(8 * 2 ** 20);
const SMALL = randomBytes(10 * 1024);
/** Name of the small entry in the middle of the archive. */
export const SMALL_ENTRY = 'folder/small.bin';

/** Yields an uncompressed archive of entries of 8 MiB with one of 10 KiB in their middle, piece by piece. */
export function* storedZip(entries: number): Generator<Buffer> {
  const directory: Buffer[] = [];
  let offset = 0;
  const large = crc32(ENTRY);
  for (let i = 0; i <= entries; i += 1) {
    const isSmall = i === entries >> 1;
    const data = isSmall ? SMALL : ENTRY;
    const name = Buffer.from(isSmall ? SMALL_ENTRY : `folder/large ${i}.bin`);
    const common = commonHeader(isSmall ? crc32(SMALL) : large, data.length, name.length);
    const local = Buffer.concat([signature(0x04034b50), common, name]);
    yield local;
    yield data;
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([signature(0x02014b50), Buffer.from([20, 0]), common, rest, name]));
    offset += local.length + data.length;
  }
  const list = Buffer.concat(directory);
  yield list;
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries + 1, 4);
  end.writeUInt16LE(entries + 1, 6);
  end.writeUInt32LE(list.length, 8);
  end.writeUInt32LE(offset, 12);
  yield Buffer.concat([signature(0x06054b50), end]);
}

/** Builds the common part of local and directory headers: version, flags, method "stored", time, checksum, sizes, lengths. */
function commonHeader(checksum: number, size: number, nameLength: number): Buffer {
  const header = Buffer.alloc(26);
  header.writeUInt16LE(20, 0);
  header.writeUInt32LE(checksum, 10);
  header.writeUInt32LE(size, 14);
  header.writeUInt32LE(size, 18);
  header.writeUInt16LE(nameLength, 22);
  return header;
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
