import { describe, expect, it } from '@jest/globals';
import { groupChart } from '../charts/group-chart.ts';
import { cutGroups, groupFigures } from '../charts/grouping.ts';
import { NELSON_RULES, usualRule, type RunRule } from '../charts/rule-settings.ts';
import { randomNumbers, type RandomNumbers } from '../random.fixture.ts';
import { assessGroups, assessIndividuals } from '../stability/chart-stability.ts';
import type { Stability } from '../stability/verdict.ts';
import { groupsOf, measured } from './charts.fixture.ts';
import { numbersOf, SETS, withMissing } from './random-sets.fixture.ts';
import { verdictOfGroups, verdictOfValues, type ReferenceVerdict } from './stability.fixture.ts';

/** Values with a step, a drift, or one far out; some have none. */
function process({ normal, uniform, whole }: RandomNumbers, count: number): number[] {
  const [cut, height, slope] = [whole(0, count), uniform() < 0.5 ? 0 : 2 * uniform(), uniform() < 0.2 ? 0.1 * normal() : 0];
  const values = Array.from({ length: count }, (_, i) => normal() + (i >= cut ? height + slope * (i - cut) : 0));
  if (uniform() < 0.3) values[whole(0, count - 1)] = 3 + 4 * uniform();
  return values;
}

const RULE_SETS: readonly (readonly RunRule[])[] = [['nelson1'], NELSON_RULES, ['nelson2', 'nelson3'], []];

class Evidence {
  private readonly found = { far: 0, variation: 0, step: 0, drift: 0, rules: 0, none: 0 };

  compare({ stable, reasons, since }: Stability, expected: ReferenceVerdict): void {
    const { isFarLocation, isFarVariation, rules, isStep, change } = expected;
    const isFar = isFarLocation || isFarVariation;
    expect({ stable, reasons: { ...reasons, rules: reasons.rules?.toSorted() } }).toEqual({
      stable: isFar || isStep || rules.length > 0 ? 'no' : 'yes',
      reasons: {
        ...(isFar && { farthest: !isFarLocation ? 'variation' : !isFarVariation ? 'location' : 'both' }),
        ...(rules.length > 0 && { rules: rules.toSorted() }),
        ...(isStep && { step: true }),
      },
    });
    if (isStep) expect(since).toMatchObject({ kind: change.kind, index: change.index });
    this.found.far += Number(isFarLocation);
    this.found.variation += Number(isFarVariation);
    this.found.step += Number(isStep);
    this.found.drift += Number(isStep && change.kind === 'drift');
    this.found.rules += Number(rules.length > 0);
    this.found.none += Number(stable === 'yes');
  }

  /** Each kind of evidence has been compared. */
  expectAll(least: number): void {
    for (const found of Object.values(this.found)) expect(found).toBeGreaterThanOrEqual(least);
  }
}

describe(`${SETS} random sets agree with a second implementation`, () => {
  it('on the verdict on single values', () => {
    const random = randomNumbers(60);
    const evidence = new Evidence();
    for (let set = 0; set < SETS; set++) {
      const drawn = process(random, set % 30 === 0 ? random.whole(200, 230) : random.whole(24, 60));
      const values = set % 2 === 0 ? drawn : withMissing(random, drawn);
      if (measured(values).length < 20) continue;
      const rules = RULE_SETS[set % RULE_SETS.length]!;
      evidence.compare(
        assessIndividuals(numbersOf(values), { rules: rules.map(usualRule), beyondShown: 0 }),
        verdictOfValues(values, rules),
      );
    }
    evidence.expectAll(1);
  });

  it.each(['xbarR', 'xbarS'] as const)('on the verdict on groups (%s)', (type) => {
    const random = randomNumbers(61);
    const evidence = new Evidence();
    for (let set = 0; set < SETS; set++) {
      const size = random.whole(2, 6);
      const count = random.whole(12, 40);
      const wide = random.uniform() < 0.3 ? random.whole(0, count - 1) : -1;
      const drawn = process(random, size * count).map((value, i) => (Math.floor(i / size) === wide ? 3 * value : value));
      const values = set % 2 === 0 ? drawn : withMissing(random, drawn);
      const figures = groupFigures(numbersOf(values), cutGroups(numbersOf(values), { by: 'size', size, of: 'measurements' }));
      if (figures.filled < 10) continue;
      const { sigma, degreesOfFreedom } = groupChart(figures, type, type === 'xbarR' ? 'rbar' : 'sbar')!;
      const variations = type === 'xbarR' ? figures.ranges : figures.deviations;
      const rules = RULE_SETS[set % RULE_SETS.length]!;
      const points = { type, counts: figures.counts, means: figures.means, variations, sigma, degreesOfFreedom };
      evidence.compare(
        assessGroups(points, { rules: rules.map(usualRule), beyondShown: 0 }),
        verdictOfGroups(groupsOf(values, size), type, rules),
      );
    }
    evidence.expectAll(1);
  });
});
