import { describe, expect, it } from '@jest/globals';
import { shortPath } from './short-path';

describe('a short path', () => {
  it('ends with the nearest name, which tells items of one name apart', () => {
    expect(shortPath('Plant / Line 1 / Door 007')).toBe('… / Door 007');
  });
  it('stays as it is with one name', () => {
    expect(shortPath('Car door')).toBe('Car door');
  });
});
