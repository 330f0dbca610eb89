import { describe, expect, it } from '@jest/globals';
import { nearestName } from './nearest-name.ts';

const KNOWN = ['chart', 'subgroups', 'rules', 'model', 'stages', 'ewma'];

describe('nearestName', () => {
  it.each([
    ['Chart', 'chart'],
    ['subgroup', 'subgroups'],
    ['rule', 'rules'],
    ['modle', 'model'],
    ['stage', 'stages'],
    ['ewm', 'ewma'],
    ['colour', undefined],
    ['', undefined],
    ['x'.repeat(100_000), undefined],
  ])('finds for %.20s the name %s', (written, name) => {
    expect(nearestName(written, KNOWN)).toBe(name);
  });
});
