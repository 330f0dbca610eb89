import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipFile {
  name: string;
  content: Buffer;
  /** Size stated in the archive, valid or not. */
  sizeBytes?: number;
  crc?: number;
  /** Offset of the local header of another entry. */
  offset?: number;
}

const NO_CONTENT = Buffer.alloc(0);

/** Writes a zip archive; files without content are stored, others deflated. */
export function zipArchive(files: readonly ZipFile[], comment = ''): Buffer {
  const parts: Buffer[] = [];
  const records: Buffer[] = [];
  let at = 0;
  for (const file of files) {
    const name = Buffer.from(file.name);
    const stored = file.content.length > 0 ? deflateRawSync(file.content, { level: 1 }) : NO_CONTENT;
    const described = Buffer.alloc(26);
    described.writeUInt16LE(20, 0);
    described.writeUInt16LE(0x800, 2);
    described.writeUInt16LE(stored.length > 0 ? 8 : 0, 4);
    described.writeUInt32LE(file.crc ?? crc32(file.content), 10);
    described.writeUInt32LE(stored.length, 14);
    described.writeUInt32LE(file.sizeBytes ?? file.content.length, 18);
    described.writeUInt16LE(name.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(file.offset ?? at, 10);
    parts.push(Buffer.from('PK\x03\x04'), described, name, stored);
    records.push(Buffer.from('PK\x01\x02\x14\x00'), described, place, name);
    at += 30 + name.length + stored.length;
  }
  const directory = Buffer.concat(records);
  const end = Buffer.alloc(18);
  // Writers without zip64 count entries modulo 65,536.
  end.writeUInt16LE(files.length % 2 ** 16, 4);
  end.writeUInt16LE(files.length % 2 ** 16, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(at, 12);
  end.writeUInt16LE(comment.length, 16);
  return Buffer.concat([...parts, directory, Buffer.from('PK\x05\x06'), end, Buffer.from(comment)]);
}
