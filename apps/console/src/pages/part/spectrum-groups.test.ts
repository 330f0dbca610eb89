import { describe, expect, it } from '@jest/globals';
import { spectrumGroups, type CountedChild } from './spectrum-groups';

const part = (name: string, characteristics: number): CountedChild => ({ kind: 'part', uuid: name, name, characteristics });
const own = (name: string, characteristics = 1): CountedChild => ({ kind: 'characteristic', uuid: name, name, characteristics });

describe('groups of the spectrum', () => {
  it('joins own characteristics, and cuts at each part below', () => {
    const groups = spectrumGroups(
      ['inLimits', 'outOfTolerance', 'inLimits', 'inWarning', 'noData', 'inLimits'],
      [own('a'), own('b', 2), part('Frame', 2), part('Seal', 1)],
      'Car door',
    );
    expect(groups.map(({ name, statuses }) => `${name}: ${statuses.join(' ')}`)).toEqual([
      'Car door: inLimits outOfTolerance inLimits',
      'Frame: inWarning noData',
      'Seal: inLimits',
    ]);
  });

  it('leaves out parts without characteristics', () => {
    expect(spectrumGroups(['inLimits'], [part('Empty', 0), part('Frame', 1)], 'Car door').map(({ name }) => name)).toEqual(['Frame']);
  });

  it('shows one group when both answers are of different states of the plan', () => {
    expect(spectrumGroups(['inLimits', 'inLimits'], [part('Frame', 1)], 'Car door')).toEqual([
      { name: 'Car door', statuses: ['inLimits', 'inLimits'] },
    ]);
  });

  it('is empty for a part without characteristics', () => {
    expect(spectrumGroups([], [], 'Car door')).toEqual([]);
  });
});
