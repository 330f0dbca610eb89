import { describe, expect, it } from '@jest/globals';
import { evaluationAnswer } from '../../testing/analysis-answers.fixture';
import { asEvaluated, evaluatedOf } from './evaluated';

const UUID = '91ab4d20-0000-4000-8000-000000000001';
const EVALUATION = evaluationAnswer({
  subgroups: { by: 6 },
  stages: [
    { limits: { kind: 'computed' } },
    { from: '2026-03-02T06:00:00Z', limits: { kind: 'baseline', from: '2026-03-02T06:00:00Z', to: '2026-03-09T06:00:00Z' } },
  ],
});

describe('how values are judged', () => {
  it('follows from the evaluation where the address says nothing', () => {
    expect(evaluatedOf({}, EVALUATION)).toMatchObject({
      rules: ['nelson1', 'nelson2:7'],
      subgroups: { by: 6 },
      limits: { kind: 'baseline' },
      stageFrom: '2026-03-02T06:00:00Z',
      isChosen: false,
    });
  });
  it('follows from the address where it says something', () => {
    const evaluated = evaluatedOf({ subgroup: 3, rules: 'none', chart: 'cusum', baselineTo: '2026-03-05T06:00:00Z' }, EVALUATION);
    expect(evaluated).toMatchObject({ rules: [], subgroups: { size: 3 }, chart: 'cusum', isChosen: true });
    expect(evaluated.limits).toEqual({ kind: 'baseline', to: '2026-03-05T06:00:00Z' });
    expect(evaluated.stageFrom).toBeUndefined();
  });
  it.each([
    [{ subgroup: 5 }, 'xbarR'],
    [{ subgroup: 12 }, 'xbarS'],
    [{ by: 10 }, 'xbarR'],
    [{ subgroup: 1 }, 'individuals'],
  ] as const)('has the usual chart of the subgroups %j', (chosen, chart) => {
    expect(evaluatedOf(chosen, evaluationAnswer()).chart).toBe(chart);
  });
  it('is that of a server that nobody has told anything until the evaluation is there', () => {
    expect(evaluatedOf({}, undefined)).toMatchObject({ chart: 'individuals', subgroups: { size: 1 }, rules: ['nelson1'] });
  });
  it('leaves out what everybody leaves out, and what this view does besides', () => {
    const evaluation = evaluationAnswer({ exclusions: [{ measurementUuid: UUID, reason: 'dropped', time: '2026-03-02T06:00:00Z' }] });
    const other = UUID.replace('1', '2');
    expect(evaluatedOf({ exclude: `${UUID}:mine,${other}:spatter` }, evaluation).leftOut).toEqual([
      { measurementUuid: UUID, reason: 'dropped', isKept: true },
      { measurementUuid: other, reason: 'spatter', isKept: false },
    ]);
  });
  it('returns to the evaluation, and keeps range and exclusions', () => {
    expect(asEvaluated({ newest: 50, exclude: UUID, rules: 'none', by: 6, sigma: 'pooled' })).toEqual({ newest: 50, exclude: UUID });
  });
});
