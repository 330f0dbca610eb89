import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeWith } from '@sinebar/testing';
import { EvaluationClient, messageOf } from './evaluation-client.fixture.ts';
import { startInspection, type RunningInspection } from '../running-inspection.fixture.ts';

describeWith(['postgres'], 'refusals of evaluations', () => {
  let inspection: RunningInspection;
  const evaluations = new EvaluationClient(() => inspection);
  let bore = '';
  beforeAll(async () => {
    inspection = await startInspection();
    ({ bore } = await evaluations.branch());
  });
  afterAll(() => inspection.stop());

  it.each([
    [{ subgroup: { size: 5 } }, 'Body: the member "subgroup" is not known; the nearest one is subgroups.'],
    [{ colour: 'red' }, /the member "colour" is not known; the members are chart, subgroups, /],
    [{ subgroups: { sizes: 5 } }, 'Body: subgroups: the member "sizes" is not known; the nearest one is size.'],
    [{ chart: 'xbar' }, /^Body: chart: must be one of individuals, .*, not "xbar"; the nearest one is xbarR\.$/],
    [{ model: 'cauchy' }, /^Body: model: must be one of auto, .*, not "cauchy"\.$/],
    [{ model: 7 }, /^Body: model: must be one of auto/],
    [{ rules: ['nelson9'] }, 'Body: rules[0]: "nelson9" is no rule; the nearest one is nelson1.'],
    [{ rules: ['nelson2:1'] }, 'Body: rules[0]: the length of the rule nelson2 is a whole number from 5 to 30, such as nelson2:9.'],
    [{ rules: ['nelson1:3'] }, 'Body: rules[0]: the rule nelson1 has a fixed length, so write it without one.'],
    [{ rules: ['nelson2', 'nelson2:7'] }, 'Body: rules[1]: the rule nelson2 is named twice.'],
    [{ rules: 'nelson1' }, 'Body: rules: must be a list of rules.'],
    [{ subgroups: { size: 0 } }, 'Body: subgroups.size: must be a whole number from 1 to 500, not "0".'],
    [{ subgroups: { size: 501 } }, 'Body: subgroups.size: must be a whole number from 1 to 500, not "501".'],
    [{ subgroups: { size: 2.5 } }, 'Body: subgroups.size: must be a whole number from 1 to 500, not "2.5".'],
    [{ subgroups: {} }, 'Body: subgroups: needs either size or by.'],
    [{ subgroups: { size: 5, by: 6 } }, 'Body: subgroups: needs either size or by.'],
    [{ chart: 'xbarR', subgroups: { size: 26 } }, 'Body: subgroups: must have a size from 2 to 25, or by, for the chart xbarR.'],
    [{ chart: 'individuals', subgroups: { by: 6 } }, 'Body: subgroups: must have the size 1 for the chart individuals.'],
    [{ required: 0 }, 'Body: required: must be a number from 0.1 up to 10.'],
    [{ required: '1.33' }, 'Body: required: must be a number from 0.1 up to 10.'],
    [{ stages: {} }, 'Body: stages: must be a list of stages.'],
    [{ stages: [{ from: 'yesterday', limits: { kind: 'computed' } }] }, /stages\[0\]\.from: must be a date such as/],
    [{ stages: [{ from: '2026-01-01' }] }, 'Body: stages[0].limits: must be a JSON object.'],
    [{ stages: [{ limits: { kind: 'computed' } }, { limits: { kind: 'computed' } }] }, 'Body: stages: has two stages without from.'],
    [
      { stages: ['Z', '+00:00'].map((zone) => ({ from: `2026-01-01T00:00:00${zone}`, limits: { kind: 'computed' } })) },
      'Body: stages: has two stages from 2026-01-01T00:00:00.000Z on.',
    ],
    [
      {
        stages: [
          { from: '2026-01-01', limits: { kind: 'baseline', from: '2026-01-01', to: '2026-02-01' } },
          { from: '2026-03-01', limits: { kind: 'baseline', from: '2026-01-31', to: '2026-03-01' } },
        ],
      },
      'Body: stages: has baselines that overlap: from 2026-01-01T00:00:00.000Z to 2026-02-01T00:00:00.000Z, and from 2026-01-31T00:00:00.000Z to 2026-03-01T00:00:00.000Z.',
    ],
    [
      { stages: [{ limits: { kind: 'baseline', from: '2026-02-01', to: '2026-01-01' } }] },
      'Body: stages[0].limits.to: must be after from.',
    ],
    [{ stages: [{ limits: { kind: 'given', sigma: 1 } }] }, 'Body: stages[0].limits.centerLine: is missing; given limits need it.'],
    [{ stages: [{ limits: { kind: 'given', centerLine: 1 } }] }, 'Body: stages[0].limits: of the kind given need sigma, lower or upper.'],
    [{ stages: [{ limits: { kind: 'given', centerLine: 1, sigma: 0 } }] }, 'Body: stages[0].limits.sigma: must be a number above 0.'],
    [{ stages: [{ limits: { kind: 'given', centerLine: 1, lower: 1 } }] }, 'Body: stages[0].limits.lower: must be below centerLine.'],
    [
      { stages: [{ limits: { kind: 'computed', sigma: 1 } }] },
      'Body: stages[0].limits.sigma: does not belong to limits of the kind computed.',
    ],
    [{ exclusions: [{ measurementUuid: 'x', reason: 'y' }] }, /exclusions\[0\]\.measurementUuid: must be a uuid/],
    [{ exclusions: [{ measurementUuid: '05040c4c-f0af-46b8-810e-30c0c00a379e' }] }, /exclusions\[0\]\.reason: must be a text/],
    [
      { exclusions: [1, 2].map(() => ({ measurementUuid: '05040c4c-f0af-46b8-810e-30c0c00a379e', reason: 'y' })) },
      'Body: exclusions[1]: excludes the same measurement as [0].',
    ],
    [{ exclusions: [{ measurementUuid: '05040c4c-f0af-46b8-810e-30c0c00a379e', reason: 'y' }] }, /There is no measurement 05040c4c/],
    [{ silence: '4 hours' }, 'Body: silence: must be a duration such as PT4H or P2D.'],
    [{ silence: 'P' }, 'Body: silence: must be a duration such as PT4H or P2D.'],
    [{ autoClose: 0 }, /autoClose: must be a whole number from 1 to 1000/],
    [{ ewma: { lambda: 1.1, width: 3 } }, 'Body: ewma.lambda: must be a number above 0 up to 1.'],
    [{ ewma: { lambda: 0.2 } }, /ewma\.width: is missing; it must be a number above 0 up to 10/],
    [{ cusum: { k: -1, h: 4 } }, 'Body: cusum.k: must be a number from 0 up to 10.'],
    [{ target: 'x' }, 'Body: target: must be a number.'],
    [{ owner: '' }, 'Body: owner: is empty.'],
    [{ owner: 'x'.repeat(256) }, 'Body: owner: is longer than 255 characters.'],
    [{ reaction: '\ud800' }, 'Body: reaction: contains half of a surrogate pair.'],
    [{ reaction: '\0' }, /U\+0000/],
    [{ reason: ' ' }, 'Body: reason: is empty; say why this is changed.'],
    [{ reason: 5 }, 'Body: reason: must be a text.'],
  ])('%j', async (state, message) => {
    const answer = await evaluations.send('characteristics', bore, { reason: 'a test', ...state });
    expect(answer.status).toBe(400);
    if (typeof message === 'string') expect(messageOf(answer)).toBe(message);
    else expect(messageOf(answer)).toMatch(message);
  });

  it('without a reason, of a change or a deletion', async () => {
    expect(messageOf(await evaluations.send('characteristics', bore, {}).expect(400))).toBe('Body: reason: must be a text.');
    expect(messageOf(await evaluations.delete('characteristics', bore, '').expect(400))).toBe('Parameter reason: must be a text.');
    await evaluations.delete('characteristics', bore, '?raeson=x').expect(400);
    for (const body of [[], 'x', 7, null]) {
      await evaluations.send('characteristics', bore, body).expect(400);
    }
    expect(await evaluations.history('characteristics', bore)).toEqual([]);
  });
});
