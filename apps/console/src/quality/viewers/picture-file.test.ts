import { describe, expect, it } from '@jest/globals';
import { isCutPicture } from './picture-file';

const PNG = [0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 1, 2, 3, 4];
/** A picture inside of its head, a scan, and the end. */
const JPEG = [0xff, 0xd8, 0xff, 0xda, 1, 0xff, 0xd9, 0xff, 0xda, 1, 0xff, 0, 2, 0xff, 0xd9];
const WEBP = [0x52, 0x49, 0x46, 0x46, 4, 0, 0, 0, 1, 2, 3, 4];

describe('a picture', () => {
  it.each([
    ['PNG', PNG],
    ['JPEG', JPEG],
    ['WebP', WEBP],
  ])('in %s is cut when its last bytes are missing', (_format, bytes) => {
    expect(isCutPicture(Uint8Array.from(bytes))).toBe(false);
    expect(isCutPicture(Uint8Array.from(bytes.slice(0, -2)))).toBe(true);
  });

  it('in JPEG may have bytes behind its end', () => {
    expect(isCutPicture(Uint8Array.from([...JPEG, 0, 0xff, 1, 2]))).toBe(false);
  });

  it('in a format of which nothing is known is not cut', () => {
    expect(isCutPicture(Uint8Array.of(1, 2, 3))).toBe(false);
  });
});
