import { describe, expect, it } from '@jest/globals';
import { emptiedChanges } from './status-changes.ts';

describe('changes of a characteristic without values', () => {
  const listed = (now: 'inLimits' | 'noData', process: 'capable' | 'unknown') =>
    emptiedChanges(7, { now, process }, 0).map(({ kind, before, after }) => `${kind} ${before} ${after}`);

  it('are those of both statuses', () => {
    expect(listed('inLimits', 'capable')).toEqual(['now inLimits noData', 'process capable unknown']);
  });
  it('are none of a status that said so before, when all values were excluded', () => {
    expect(listed('noData', 'unknown')).toEqual([]);
  });
});
