import { describe, expect, it } from '@jest/globals';
import type { EvaluationState } from '@sinebar/client';
import { evaluationAnswer } from '../../../testing/analysis-answers.fixture';
import { changedFields, exclusionField, fieldsOf, fieldsOfView, problemOf, stateOf, withoutKept } from './evaluation-fields';

const M1 = '91ab4d20-0000-4000-8000-000000000001';
const M2 = '91ab4d20-0000-4000-8000-000000000002';
const OWN: EvaluationState = {
  subgroups: { size: 5 },
  chart: 'xbarR',
  owner: 'Ann',
  exclusions: [{ measurementUuid: M1, reason: 'dropped', user: 'Ann', time: '2026-03-02T08:00:00Z' }],
};

describe('the fields of an evaluation', () => {
  it('are one for each member and each measurement that is left out', () => {
    expect(fieldsOf(OWN)).toEqual({ subgroups: '{"size":5}', chart: '"xbarR"', owner: '"Ann"', [exclusionField(M1)]: 'dropped' });
  });

  it('become a state again, with the members that they do not show', () => {
    const fields = { ...fieldsOf(OWN), chart: '', model: '"normal"', [exclusionField(M1)]: '', [exclusionField(M2)]: 'wet' };
    expect(stateOf(fields, OWN)).toEqual({
      subgroups: { size: 5 },
      model: 'normal',
      owner: 'Ann',
      exclusions: [{ measurementUuid: M2, reason: 'wet' }],
    });
  });

  it('take over what a view has chosen, and only that', () => {
    const search = { chart: 'ewma', rules: 'none', exclude: `${M1}:known,${M2}`, newest: 50 } as const;
    const evaluation = evaluationAnswer({ exclusions: [{ measurementUuid: M1, reason: 'dropped', time: '2026-03-02T08:00:00Z' }] });
    expect(fieldsOfView(search, evaluation, 'no reason')).toEqual({ chart: '"ewma"', rules: '[]', [exclusionField(M2)]: 'no reason' });
    expect(withoutKept(search)).toEqual({ newest: 50 });
  });

  it('make the baseline of a view the limits of the newest stage', () => {
    const [from, to] = ['2026-03-02T08:00:00Z', '2026-03-03T08:00:00Z'];
    const stages = [
      { limits: { kind: 'computed' as const } },
      { from: '2026-03-01T00:00:00Z', reason: 'new fixture', limits: { kind: 'computed' as const } },
    ];
    const fields = fieldsOfView({ baselineFrom: from, baselineTo: to }, evaluationAnswer({ stages }), '');
    expect(JSON.parse(fields['stages'] ?? '')).toEqual([stages[0], { ...stages[1], limits: { kind: 'baseline', from, to } }]);
  });

  it.each([
    ['needsNumber', { required: '"1,3x"' }],
    ['needsLimits', { stages: '[{"limits":{"kind":"given","centerLine":20}}]' }],
    ['wrongBaseline', { stages: '[{"limits":{"kind":"baseline","from":"2026-03-02","to":"2026-03-01"}}]' }],
    ['needsOwner', { owner: '" "' }],
    ['needsReaction', { reaction: '""' }],
    ['needsSilence', { silence: '"PT4.5H"' }],
    ['needsPoints', { autoClose: '0' }],
    ['stageTwice', { stages: '[{"limits":{"kind":"computed"}},{"limits":{"kind":"computed"}}]' }],
    [undefined, { required: '1.67', stages: '[{"limits":{"kind":"given","centerLine":20,"sigma":0.1}}]' }],
  ])('have the problem %s', (problem, fields) => {
    expect(problemOf(fields as Record<string, string>)).toBe(problem);
  });

  it('tell what a revision has changed', () => {
    expect(changedFields(OWN, { ...OWN, chart: 'xbarS', exclusions: [] })).toEqual(['chart', exclusionField(M1)]);
    expect(changedFields(OWN, undefined)).toEqual(['subgroups', 'chart', 'owner', exclusionField(M1)]);
  });
});
