import { formatsOf } from '@sinebar/charts';
import { describe, expect, it } from '@jest/globals';
import { toleranceText } from '../../quality/values/tolerance-text';
import type { ProcessTexts } from '../../quality/values/process';
import { processTexts } from '../../quality/values/process-texts';
import { cellFigure, cellText, csvCell, csvColumns, overviewRow, type OverviewEntry } from './overview-columns';

const EN = formatsOf('en');
const DE = formatsOf('de');
const GAP: OverviewEntry = {
  uuid: 'gap',
  path: 'PPC:/Car door/Frame/Gap left/',
  name: 'Gap left',
  count: 5000,
  now: 'aboveTolerance',
  process: 'notCapable',
  last: { time: '2026-05-08T21:41:52.000Z', value: 20.053, status: 'aboveTolerance', measurementUuid: 'm' },
  mean: 20.00934,
  standardDeviation: 0.01442,
  overall: { p: 1.157, pk: 0.943 },
  within: { p: 1.2, pk: 0.98 },
  limits: { nominal: 20, lowerTolerance: 19.95, upperTolerance: 20.05, lowerWarning: 19.96, upperWarning: 20.04, sources: {} },
  sparkline: [20, 20.053],
};

describe('row of the overview', () => {
  const row = overviewRow(GAP, 1);

  it('names the place below the part', () => {
    expect(row.group).toBe('Frame');
    expect(overviewRow(GAP, 2).group).toBe('');
  });

  it('is out of tolerance on either side', () => {
    expect(row.status).toBe('outOfTolerance');
  });

  it.each([
    ['nominal', '20.000', '20,000'],
    ['tolerance', '±0.050', '±0,050'],
    ['newest', '20.053', '20,053'],
    ['deviation', '+0.053', '+0,053'],
    ['n', '5,000', '5.000'],
    ['mean', '20.0093', '20,0093'],
    ['s', '0.0144', '0,0144'],
    ['p', '1.16', '1,16'],
    ['pk', '0.94', '0,94'],
    ['withinPk', '0.98', '0,98'],
    ['course', '', ''],
  ] as const)('shows %s as %s and %s', (column, english, german) => {
    expect(cellText(column, row, EN)).toBe(english);
    expect(cellText(column, row, DE)).toBe(german);
  });

  it('leaves cells of a characteristic without values empty', () => {
    const { last: _last, mean: _mean, overall: _overall, ...empty } = { ...GAP, count: 0, now: 'noData' as const };
    expect(cellText('newest', overviewRow(empty, 1), EN)).toBe('');
    expect(cellText('deviation', overviewRow(empty, 1), EN)).toBe('');
    expect(cellText('pk', overviewRow(empty, 1), EN)).toBe('');
    expect(overviewRow(empty, 1).status).toBe('noData');
  });

  it('is not judged without limits', () => {
    expect(overviewRow({ ...GAP, now: 'noLimits', limits: { sources: {} } }, 1).status).toBe('noLimits');
  });

  it('shows as many digits as the attribute for decimal places says', () => {
    expect(cellText('newest', overviewRow(GAP, 1, '4'), EN)).toBe('20.0530');
  });

  it('writes figures in full precision into the CSV', () => {
    expect(cellFigure('mean', row)).toBe(20.00934);
    expect(cellFigure('time', row)).toBe('2026-05-08T21:41:52.000Z');
  });

  it('has both limits in the CSV in place of the tolerance, and no drawings', () => {
    expect(csvColumns(['nominal', 'tolerance', 'bar', 's', 'course'])).toEqual(['nominal', 'lowerTolerance', 'upperTolerance', 's']);
  });
});

describe('process in the CSV', () => {
  const since = { kind: 'step', on: 'location', time: '2026-05-08T10:00:00.000Z', measurementUuid: 'm' } as const;
  const row = overviewRow({ ...GAP, process: 'notStable', since, model: { name: 'foldedNormal', asOf: since.time } }, 1);

  it('has its model beside Ppk, and the time since when it is not stable', () => {
    expect(csvColumns(['pk', 'process'])).toEqual(['pk', 'model', 'process', 'since']);
  });

  it.each([
    ['process', 'not stable', 'nicht stabil'],
    ['model', 'folded normal', 'Betrag 1. Art'],
    ['since', '2026-05-08T10:00:00.000Z', '2026-05-08T10:00:00.000Z'],
    ['pk', 0.943, 0.943],
  ] as const)('has %s as %s and %s', (column, english, german) => {
    expect(csvCell(column, row, processTexts.en)).toBe(english);
    expect(csvCell(column, row, processTexts.de as ProcessTexts)).toBe(german);
  });

  it('has no model and no time where there is none', () => {
    const plain = overviewRow(GAP, 1);
    expect(csvCell('model', plain, processTexts.en)).toBe('');
    expect(csvCell('since', plain, processTexts.en)).toBeUndefined();
  });
});

describe('text of a tolerance', () => {
  it.each([
    [{}, ''],
    [{ upperTolerance: 0.08 }, '≤\u00A00.08'],
    [{ lowerTolerance: 1 }, '≥\u00A01.00'],
    [{ lowerBoundary: 0, upperTolerance: 0.08, nominal: 0 }, '0\u00A0…\u00A0+0.08'],
    [{ lowerTolerance: 1, upperTolerance: 2 }, '1.00\u00A0…\u00A02.00'],
    [{ nominal: 5, lowerTolerance: 4.9, upperTolerance: 5.1 }, '±0.10'],
    [{ nominal: 5, lowerTolerance: 4.9, upperTolerance: 5.2 }, '\u22120.10\u00A0…\u00A0+0.20'],
  ])('of %j is %j', (limits, text) => {
    expect(toleranceText(limits, 2, EN)).toBe(text);
  });
});
