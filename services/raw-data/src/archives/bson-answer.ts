import { createHash } from 'node:crypto';
import { ServiceError, type RawDataInformation } from '@sinebar/contracts';
import { Long, serialize } from 'bson';
import { formatMd5, type Md5Format } from '../objects/md5.ts';
import { readAhead } from './zip/read-ahead.ts';

/** A file of an answer. Its bytes are opened shortly before they are written. */
export interface AnsweredFile {
  fileName: string;
  sizeBytes: number;
  /** Shared by all files of an archive. */
  archiveInfo: RawDataInformation;
  open: () => AsyncIterable<Buffer>;
}

/** Largest length that fits the signed 32-bit number of a BSON document. */
export const MAX_BSON_BYTES = 2 ** 31 - 1;

/** Limits for reading ahead: each file is a request to the store; at most one megabyte is in memory. */
const AHEAD = { atOnce: 4, wholeBytes: 256 * 1024 };

const DOCUMENT = 3;
const BINARY = 5;
const END = Buffer.of(0);
const ANY_DIGEST = '0'.repeat(32);

/**
 * Writes a BSON document whose root is an array with one element per file, `{fileName, size, data, md5, archiveInfo}`.
 * Its length is known before the first file is read: `md5` follows `data` and always has the same length.
 * spec: raw-data-service.md, Archive lookup, Rules 3; decisions.md 6.3, 6.8
 */
export class BsonAnswer {
  private readonly files: readonly AnsweredFile[];
  private readonly md5Format: Md5Format;
  private readonly archiveInfos = new Map<RawDataInformation, Buffer>();
  readonly length: number;

  /** @throws ServiceError 400 when the files exceed {@link MAX_BSON_BYTES} */
  constructor(files: readonly AnsweredFile[], md5Format: Md5Format) {
    this.files = files;
    this.md5Format = md5Format;
    const nameBytes = (i: number) => 1 + String(i).length + 1;
    this.length = files.reduce((sum, file, i) => sum + nameBytes(i) + this.fileLength(file), 4 + 1);
    if (this.length > MAX_BSON_BYTES) {
      throw new ServiceError(
        'InvalidRequest',
        `The answer would have ${this.length} bytes, and a BSON document has at most ${MAX_BSON_BYTES}. ` +
          'Ask for fewer files at once, or for one with ArchiveContent.',
      );
    }
  }

  /** @throws what opening or reading a file throws */
  async *chunks(): AsyncGenerator<Buffer> {
    yield int32(this.length);
    let i = 0;
    for await (const [file, content] of readAhead(this.files, AHEAD)) {
      yield Buffer.concat([Buffer.of(DOCUMENT), cstring(String(i++)), int32(this.fileLength(file)), this.beforeData(file)]);
      const hash = createHash('md5');
      for await (const chunk of content) {
        hash.update(chunk);
        yield chunk;
      }
      yield this.afterData(file, hash.digest('hex'));
    }
    yield END;
  }

  private fileLength(file: AnsweredFile): number {
    return 4 + this.beforeData(file).length + file.sizeBytes + this.afterData(file, ANY_DIGEST).length;
  }

  private beforeData({ fileName, sizeBytes }: AnsweredFile): Buffer {
    const data = [Buffer.of(BINARY), cstring('data'), int32(Math.min(sizeBytes, MAX_BSON_BYTES)), Buffer.of(0)];
    return Buffer.concat([members({ fileName, size: integer(sizeBytes) }), ...data]);
  }

  private afterData({ archiveInfo }: AnsweredFile, digest: string): Buffer {
    return Buffer.concat([members({ md5: formatMd5(digest, this.md5Format) }), this.archiveInfo(archiveInfo), END]);
  }

  private archiveInfo(information: RawDataInformation): Buffer {
    const known = this.archiveInfos.get(information);
    if (known) return known;
    const written = members({ archiveInfo: { ...information, size: integer(information.size) } });
    this.archiveInfos.set(information, written);
    return written;
  }
}

/** BSON would store a number above 32 bits as a float64. */
function integer(value: number): number | Long {
  return value > MAX_BSON_BYTES ? Long.fromNumber(value) : value;
}

/** Serializes the members of a document without its header and end. */
function members(document: object): Buffer {
  return Buffer.from(serialize(document)).subarray(4, -1);
}

function cstring(text: string): Buffer {
  return Buffer.from(`${text}\0`, 'latin1');
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
}
