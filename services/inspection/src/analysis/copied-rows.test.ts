import { describe, expect, it } from '@jest/globals';
import { CopiedRows } from './copied-rows.ts';

const NULL = Buffer.from([0xff, 0xff, 0xff, 0xff]);

function field(text: string | null): Buffer {
  if (text === null) return NULL;
  const length = Buffer.alloc(4);
  length.writeInt32BE(text.length);
  return Buffer.concat([length, Buffer.from(text)]);
}

function copied(...rows: (string | null)[][]): Buffer {
  const head = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
  return Buffer.concat([
    head,
    ...rows.map((row) => Buffer.concat([Buffer.from([0, row.length]), ...row.map(field)])),
    Buffer.from([0xff, 0xff]),
  ]);
}

function decoded(chunks: readonly Buffer[]): (string | null)[][] {
  const rows: (string | null)[][] = [];
  const decoder = new CopiedRows(2, ({ bytes, offsets, lengths }) => {
    const texts = [0, 1].map((i) => (lengths[i] === -1 ? null : bytes.toString('latin1', offsets[i], offsets[i]! + lengths[i]!)));
    rows.push(texts);
  });
  for (const chunk of chunks) {
    decoder.write(chunk);
    while (decoder.decodeSome());
  }
  decoder.end();
  return rows;
}

describe('copied rows', () => {
  const ROWS = [
    ['a', 'long text'.repeat(20)],
    [null, ''],
    ['end', null],
  ];
  const bytes = copied(...ROWS);

  it.each([1, 2, 3, 7, 64, 1000])('are decoded from chunks of %d bytes', (size) => {
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size));
    expect(decoded(chunks)).toEqual(ROWS);
  });
  it('are decoded some at a time', () => {
    let count = 0;
    const decoder = new CopiedRows(1, () => (count += 1));
    decoder.write(copied(...Array.from({ length: 100 }, () => ['a'])));
    expect(decoder.decodeSome()).toBe(true);
    expect(count).toBeLessThan(50);
    while (decoder.decodeSome());
    expect(count).toBe(100);
  });
  it('may be none', () => expect(decoded([copied()])).toEqual([]));
  it('are refused when they were cut off', () => expect(() => decoded([bytes.subarray(0, -1)])).toThrow('incomplete'));
});
