import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { RawDataInformation } from '@sinebar/contracts';
import { deserialize, type Binary } from 'bson';
import { formatMd5 } from '../objects/md5.ts';
import { BsonAnswer, MAX_BSON_BYTES, type AnsweredFile } from './bson-answer.ts';

const information: RawDataInformation = {
  target: { entity: 'Value', uuid: '05040c4c-f0af-46b8-810e-30c0c00a379e|b4c5a3e0-6e1c-4a8e-9d1f-000000000001' },
  key: 7,
  fileName: 'Größe.zip',
  mimeType: 'application/zip',
  lastModified: '2026-11-20T10:00:00.250Z',
  created: '2026-11-20T10:00:00.000Z',
  size: 6 * 2 ** 30,
  md5: '6ab0f6bd-01b3-0aa8-e550-21085b820393',
};

function file(fileName: string, content: Buffer): AnsweredFile {
  async function* chunks() {
    for (let at = 0; at < content.length; at += 1000) yield await Promise.resolve(content.subarray(at, at + 1000));
  }
  return { fileName, sizeBytes: content.length, archiveInfo: information, open: chunks };
}

async function written(answer: BsonAnswer): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer.chunks()) chunks.push(chunk);
  return Buffer.concat(chunks);
}

describe('BSON answers', () => {
  it.each(['guid', 'hex'] as const)('are arrays of files with a known length, md5 as %s [R85, D6.3, D6.8]', async (format) => {
    const contents = Array.from({ length: 12 }, (_, i) => randomBytes(i * 977));
    const answer = new BsonAnswer(
      contents.map((content, i) => file(`folder/ß ${i}`, content)),
      format,
    );
    const bytes = await written(answer);
    expect(bytes.length).toBe(answer.length);
    const read = deserialize(bytes) as Record<string, { data: Binary }>;
    expect(Object.keys(read)).toEqual(contents.map((_, i) => String(i)));
    for (const [i, content] of contents.entries()) {
      const { data, ...rest } = read[String(i)] as { data: Binary };
      expect(data.sub_type).toBe(0);
      expect(Buffer.from(data.buffer).equals(content)).toBe(true);
      const md5 = formatMd5(createHash('md5').update(content).digest('hex'), format);
      expect(rest).toEqual({ fileName: `folder/ß ${i}`, size: content.length, md5, archiveInfo: information });
    }
  });

  it('are empty arrays for empty queries', async () => {
    const bytes = await written(new BsonAnswer([], 'guid'));
    expect(bytes).toEqual(Buffer.from([5, 0, 0, 0, 0]));
  });

  it('write integers of any size as integers', async () => {
    const bytes = await written(new BsonAnswer([file('x', Buffer.from('abc'))], 'guid'));
    const read = deserialize(bytes, { promoteValues: false }) as Record<
      string,
      { size: unknown; archiveInfo: { key: unknown; size: unknown } }
    >;
    expect(read['0']?.size).toMatchObject({ _bsontype: 'Int32', value: 3 });
    expect(read['0']?.archiveInfo.key).toMatchObject({ _bsontype: 'Int32', value: 7 });
    expect(read['0']?.archiveInfo.size).toMatchObject({ _bsontype: 'Long', low: 0x80000000 | 0, high: 1 });
  });

  it('are refused when they exceed the maximum size of a document [D6.8]', () => {
    const large = { ...file('large', Buffer.alloc(0)), sizeBytes: 2 ** 30 };
    expect(new BsonAnswer([large], 'guid').length).toBeGreaterThan(2 ** 30);
    expect(() => new BsonAnswer([large, large], 'guid')).toThrow(expect.objectContaining({ status: 400 }));
    const largest = MAX_BSON_BYTES - new BsonAnswer([file('large', Buffer.alloc(0))], 'guid').length;
    expect(new BsonAnswer([{ ...large, sizeBytes: largest }], 'guid').length).toBe(MAX_BSON_BYTES);
    expect(() => new BsonAnswer([{ ...large, sizeBytes: largest + 1 }], 'guid')).toThrow('Ask for fewer files');
    expect(() => new BsonAnswer([{ ...large, sizeBytes: 2 ** 45 }], 'guid')).toThrow('Ask for fewer files');
  });
});
