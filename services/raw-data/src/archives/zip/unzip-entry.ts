import { PassThrough, Readable } from 'node:stream';
import unzipper, { type ArchiveSource } from 'unzipper';
import type { ArchiveEntry } from '../archive-directory.js';

const END_BYTES = 22;
const IN_ZIP64_FIELD = 0xffffffff;

/**
 * Inflates one entry with `unzipper`. It gets the entry alone, with a directory of our own making, so that nothing of an archive reaches it but the
 * compressed bytes; and its stream fails when the source fails, which by itself it would not notice, so that whoever reads it would wait for ever.
 * @param stored the compressed bytes, exactly as many as the entry says and at least one
 * @returns to be read to its end or destroyed; inflated bytes are not checked
 */
export async function unzipEntry(stored: AsyncIterable<Buffer>, entry: ArchiveEntry): Promise<Readable> {
  const [directory, header] = [directoryOf(entry), localHeaderOf(entry)];
  const source: ArchiveSource = {
    size: () => Promise.resolve(directory.length),
    stream: (offset) => new PassThrough().end(directory.subarray(offset)),
  };
  const { files } = await unzipper.Open.custom(source, { tailSize: END_BYTES });
  const bytes = Readable.from(withHeader(header, stored), { objectMode: false });
  source.stream = () => bytes;
  const inflated = (files[0] as (typeof files)[number]).stream();
  inflated.on('error', () => bytes.destroy());
  inflated.once('close', () => bytes.destroy());
  bytes.on('error', (error) => inflated.destroy(error));
  return inflated;
}

async function* withHeader(header: Buffer, stored: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield header;
  yield* stored;
}

function localHeaderOf({ method }: ArchiveEntry): Buffer {
  const header = Buffer.alloc(30);
  header.write('PK\x03\x04', 'latin1');
  header.writeUInt16LE(method, 8);
  return header;
}

/** A directory of one entry without a name at the place 0, with its end record. */
function directoryOf({ method, storedBytes, sizeBytes }: ArchiveEntry): Buffer {
  const zip64 = Buffer.alloc(4 + 16);
  zip64.writeUInt16LE(1, 0);
  zip64.writeUInt16LE(16, 2);
  zip64.writeBigUInt64LE(BigInt(sizeBytes), 4);
  zip64.writeBigUInt64LE(BigInt(storedBytes), 12);
  const record = Buffer.alloc(46);
  record.write('PK\x01\x02', 'latin1');
  record.writeUInt16LE(method, 10);
  record.writeUInt32LE(IN_ZIP64_FIELD, 20);
  record.writeUInt32LE(IN_ZIP64_FIELD, 24);
  record.writeUInt16LE(zip64.length, 30);
  const end = Buffer.alloc(END_BYTES);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(record.length + zip64.length, 12);
  return Buffer.concat([record, zip64, end]);
}
