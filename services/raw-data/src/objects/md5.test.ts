import { describe, expect, it } from '@jest/globals';
import { formatMd5, parseMd5 } from './md5.ts';

const DIGEST = 'bdf6b06ab301a80ae55021085b820393';
const GUID = '6ab0f6bd-01b3-0aa8-e550-21085b820393';
const BASE64 = 'vfawarMBqArlUCEIW4IDkw==';

describe('md5 texts', () => {
  it('are written as a .NET GUID or as plain digits [R20, D6.3]', () => {
    expect(formatMd5(DIGEST, 'guid')).toBe(GUID);
    expect(formatMd5(DIGEST, 'hex')).toBe(DIGEST);
  });

  it.each([
    BASE64,
    `"${BASE64}"`,
    ` ${BASE64} `,
    DIGEST,
    DIGEST.toUpperCase(),
    `"${DIGEST}"`,
    GUID,
    `{${GUID.toUpperCase()}}`,
    GUID.replaceAll('-', ''),
  ])('are read from %s [R68, R100, D6.2, D6.3]', (text) => {
    expect(parseMd5(text)).toContain(DIGEST);
  });

  it('do not match another digest', () => {
    expect(parseMd5('AAAAAAAAAAAAAAAAAAAAAQ==')).toEqual(['00000000000000000000000000000001']);
    expect(parseMd5(BASE64)).toEqual([DIGEST]);
  });

  it.each(['00000000000000000000000000000000', '00000000-0000-0000-0000-000000000000', 'AAAAAAAAAAAAAAAAAAAAAA=='])(
    'count as not sent when zero: %s',
    (text) => {
      expect(parseMd5(text)).toEqual([]);
    },
  );

  it.each(['', 'abc', DIGEST.slice(1), `${DIGEST}0`, 'bdf6b06a-b301a80ae55021085b820393', BASE64.slice(2), 'x'.repeat(32)])(
    'are refused as %j',
    (text) => {
      expect(parseMd5(text)).toBeUndefined();
    },
  );
});
