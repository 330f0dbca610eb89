import { describe, expect, it } from '@jest/globals';
import { Problems } from './problems.ts';
import { textBlocks } from './text-lines.ts';

interface Decoded {
  text: string;
  firstLines: number[];
  warnings: string[];
}

async function decode(bytes: Uint8Array, encoding?: string, chunkBytes = bytes.length): Promise<Decoded> {
  const problems = new Problems();
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, i) =>
    bytes.subarray(i * chunkBytes, (i + 1) * chunkBytes),
  );
  let text = '';
  const firstLines: number[] = [];
  for await (const block of textBlocks(chunks, encoding, problems)) {
    text += block.text;
    firstLines.push(block.firstLine);
  }
  return { text, firstLines, warnings: problems.summary().warnings.map(({ message }) => message) };
}

describe('encodings of text files', () => {
  it.each([
    ['gbk', Uint8Array.of(0xd6, 0xe1, 0xb3, 0xd0, 10), '轴承\n'],
    ['shift_jis', Uint8Array.of(0x83, 0x56, 0x83, 0x83, 10), 'シャ\n'],
    ['windows-1250', Uint8Array.of(0xa3, 0x6f, 0xbf, 10), 'Łoż\n'],
    ['UTF8', Buffer.from('Größe\n'), 'Größe\n'],
    ['utf-16', Buffer.from('Größe\n', 'utf16le'), 'Größe\n'],
  ])('%s is used when it is named [D11.8]', async (label, bytes, text) => {
    for (const chunkBytes of [1, 3, 1000]) expect(await decode(bytes, label, chunkBytes)).toMatchObject({ text, warnings: [] });
  });

  it('are found by a byte order mark, whatever is named', async () => {
    expect((await decode(Buffer.from('\ufeffGröße', 'utf8'), 'gbk')).text).toBe('Größe');
    expect((await decode(Buffer.from('\ufeffGröße', 'utf16le'), 'gbk')).text).toBe('Größe');
  });

  it('that are guessed are warned of once', async () => {
    const { text, warnings } = await decode(Buffer.from('Maß\nGröße\nMaß\n', 'latin1'), undefined, 4);
    expect(text).toBe('Maß\nGröße\nMaß\n');
    expect(warnings).toEqual([expect.stringMatching(/read as windows-1252.*encoding=gbk/)]);
  });

  it('of ASCII and UTF-8 are no guess', async () => {
    expect((await decode(Buffer.from('Maß\r\n10\r\n'))).warnings).toEqual([]);
  });
});

describe('line ends', () => {
  it.each(['utf-8', 'latin1', 'utf16le'] as const)('may be CR alone in a file without LF (%s)', async (encoding) => {
    const mark = encoding === 'utf16le' ? '\ufeff' : '';
    for (const chunkBytes of [1, 4, 1000]) {
      const { text } = await decode(Buffer.from(`${mark}K0100 1\rMaß\r1.5\r`, encoding), undefined, chunkBytes);
      expect(text).toBe('K0100 1\nMaß\n1.5\n');
    }
  });

  it('are never CR in a file with LF [D11.8]', async () => {
    expect((await decode(Buffer.from('a\rb\r\nc\rd'), undefined, 2)).text).toBe('a\rb\r\nc\rd');
  });

  it('of a file of CR that is longer than the longest line are found', async () => {
    const bytes = Buffer.from('1.5\r'.repeat(3 * 1024 * 1024));
    const { text, firstLines } = await decode(bytes, undefined, 65_536);
    expect(text === '1.5\n'.repeat(3 * 1024 * 1024)).toBe(true);
    expect(firstLines.length).toBeGreaterThan(1);
  });
});

describe('the end-of-file character of DOS', () => {
  it.each(['1.5\u001a', '1.5\r\n\u001a', '1.5\n\u001a\n\n', '1.5\n\u001a\u001a\0\0', '1.5\n\u001a\r\n\u001a'])(
    'is left out of %j',
    async (text) => {
      for (const chunkBytes of [1, 2, 1000]) expect((await decode(Buffer.from(text), undefined, chunkBytes)).text.trim()).toBe('1.5');
    },
  );

  it('is kept where text stands behind it', async () => {
    for (const chunkBytes of [1, 2, 1000])
      expect((await decode(Buffer.from('a\n\u001a\nb\n'), undefined, chunkBytes)).text).toBe('a\n\u001a\nb\n');
  });

  it('takes linear time', async () => {
    const text = '\u001a'.repeat(1_000_000) + 'x';
    expect((await decode(Buffer.from(text))).text).toHaveLength(1_000_001);
  });
});
