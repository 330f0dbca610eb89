import { describe, expect, it } from '@jest/globals';
import { layoutOf } from './layout';

describe('layoutOf', () => {
  it('has the drawn widths at 1440 px', () => {
    expect(layoutOf(1152)).toMatchObject({ kind: 'wide', individuals: 548, histogram: 164, probability: 220, indices: 540 });
  });
  it.each([704, 980, 1152, 1600, 358])('fills a content of %d px and no more', (width) => {
    const { kind, individuals, histogram, probability, newest } = layoutOf(width);
    const row =
      kind === 'wide'
        ? 48 + individuals + 16 + histogram + 16 + probability + 140
        : kind === 'narrow'
          ? 48 + newest + 16 + histogram + 16 + probability + 140
          : 48 + histogram + 16 + probability;
    expect(row).toBe(width);
  });
});
