import { describe, expect, it } from '@jest/globals';
import { joinTextFiles } from './joined-files.ts';

const [PLAN, VALUES] = ['K0100 1\r\nK1001/1 Maß\r\n', '1.5\u00140\r\n'] as const;
const joined = async (files: readonly (Uint8Array<ArrayBuffer> | string)[], encoding?: string) =>
  Buffer.from(
    await (
      await joinTextFiles(
        files.map((file) => new Blob([file])),
        encoding,
      )
    ).arrayBuffer(),
  );
const encoded = (text: string, encoding: BufferEncoding) => Uint8Array.from(Buffer.from(text, encoding));
const UTF8 = `\ufeff${PLAN}\n${VALUES}`;

describe('files that are joined', () => {
  it('stay as they are in encodings that can be joined', async () => {
    expect(await joined([PLAN, VALUES])).toEqual(Buffer.from(`${PLAN}\n${VALUES}`));
    expect(await joined([encoded(PLAN, 'latin1'), VALUES])).toEqual(Buffer.from(`${PLAN}\n${VALUES}`, 'latin1'));
  });

  it.each([
    ['UTF-16 with marks', encoded(`\ufeff${PLAN}`, 'utf16le'), encoded(`\ufeff${VALUES}`, 'utf16le')],
    ['UTF-16 without marks', encoded(PLAN, 'utf16le'), encoded(VALUES, 'utf16le')],
    ['UTF-16 and ASCII', encoded(`\ufeff${PLAN}`, 'utf16le'), encoded(VALUES, 'latin1')],
    ['Windows-1252 and UTF-16', encoded(PLAN, 'latin1'), encoded(`\ufeff${VALUES}`, 'utf16le')],
    ['UTF-8 with marks', encoded(`\ufeff${PLAN}`, 'utf8'), encoded(`\ufeff${VALUES}`, 'utf8')],
  ])('are decoded each by itself: %s', async (_, plan, values) => {
    expect((await joined([plan, values])).toString()).toBe(UTF8);
  });

  it('are decoded by the encoding that is named', async () => {
    const name = Uint8Array.of(0xd6, 0xe1);
    expect((await joined([name, VALUES], 'gbk')).toString()).toBe(`\ufeff轴\n${VALUES}`);
    expect((await joined([encoded(`\ufeff${PLAN}`, 'utf8'), name], 'gbk')).toString()).toBe(`\ufeff${PLAN}\n轴`);
  });

  it('may end lines by CR alone, and end as files of DOS do', async () => {
    expect((await joined(['K0100 1\rK1001/1 P\r', '1.5\r'])).toString()).toBe('\ufeffK0100 1\nK1001/1 P\n\n1.5\n');
    expect((await joined([`${PLAN}\u001a`, `${VALUES}\u001a\0\0`])).toString()).toBe(UTF8);
  });

  it('may be one', async () => expect(await joined([VALUES], 'gbk')).toEqual(Buffer.from(VALUES)));
});
