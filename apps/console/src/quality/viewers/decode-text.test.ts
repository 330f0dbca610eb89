import { describe, expect, it } from '@jest/globals';
import { decodeText } from './decode-text';

describe('bytes as text', () => {
  it.each<[encoding: string, bytes: number[], text: string | undefined]>([
    ['UTF-8', [0x4d, 0xc3, 0xa4], 'Mä'],
    ['UTF-8 with a mark', [0xef, 0xbb, 0xbf, 0x4d], 'M'],
    ['UTF-16 with the low byte first', [0xff, 0xfe, 0x4d, 0, 0xe4, 0], 'Mä'],
    ['UTF-16 with the high byte first', [0xfe, 0xff, 0, 0x4d, 0, 0xe4], 'Mä'],
    ['Windows-1252', [0x4d, 0xe4, 0x80], 'Mä€'],
    ['no text', [0x4d, 0, 1, 2], undefined],
    ['nothing', [], ''],
  ])('reads %s', (_encoding, bytes, text) => {
    expect(decodeText(Uint8Array.from(bytes), true)).toBe(text);
  });

  it('leaves out a letter that is cut at the end of a beginning', () => {
    expect(decodeText(Uint8Array.of(0x4d, 0xc3), false)).toBe('M');
  });
});
