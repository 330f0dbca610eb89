import { describe, expect, it } from '@jest/globals';
import { md5Text } from './md5-text';

/** `printf '' | md5sum`. */
const EMPTY = 'd41d8cd98f00b204e9800998ecf8427e';

describe('an MD5', () => {
  it.each([EMPTY, EMPTY.toUpperCase(), 'd98c1dd4-008f-04b2-e980-0998ecf8427e'])('%s is shown as md5sum prints it', (md5) => {
    expect(md5Text(md5)).toBe(EMPTY);
  });
});
