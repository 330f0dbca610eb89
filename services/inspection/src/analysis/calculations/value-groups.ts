import {
  assignGroups,
  brownForsytheTest,
  chooseModel,
  countStatuses,
  evaluateCapability,
  figuresOfGroup,
  valuesOfGroups,
  welchTest,
  type GroupAssignment,
  type Moments,
  type RateTest,
} from '@sinebar/statistics';
import { PlantClock } from '../../evaluation/settings/plant-clock.ts';
import { ratesOfGroups } from './count-figures.ts';
import { NO_KEY, numberKeys } from './number-keys.ts';
import type { AssignmentResult, FoundGroup, GroupKeys, GroupsResult, GroupsTask } from './tasks.ts';

/** Assigns values to groups: of an attribute the largest ones are told apart, of days and weeks the newest ones. */
export function assignValues(values: Float64Array, keys: GroupKeys): AssignmentResult {
  const { assignment, found } = assign(values, keys);
  return { indexes: assignment.indexes, groups: found };
}

/** Computes the figures of groups, each with the index, or of counts the rate, that a summary of its values has. */
export function calculateGroups(task: GroupsTask): GroupsResult {
  const { values, keys, statusLimits, counts, confidence } = task;
  const { assignment, found } = assign(values, keys);
  const divided = valuesOfGroups(values, assignment);
  const sizes = counts && valuesOfGroups(counts.sizes, assignment);
  const ofCounts =
    counts &&
    ratesOfGroups(
      counts.type,
      divided.map((of, i) => ({ values: of, sizes: sizes![i]! })),
      confidence,
    );
  let rejected = 0;
  const groups = divided.flatMap((ofGroup, index) => {
    const figures = figuresOfGroup(ofGroup);
    if (!figures) return [];
    const { box, ...moments } = figures;
    const { belowTolerance, aboveTolerance } = countStatuses(ofGroup, statusLimits);
    const { pk, model, isModelRejected } = counts ? NO_INDEX : indexOf(ofGroup, moments, task);
    if (isModelRejected) rejected += 1;
    const rate = ofCounts?.rates[index];
    return [
      {
        found: found[index]!,
        figures: {
          ...moments,
          outOfTolerance: belowTolerance + aboveTolerance,
          ...(pk && { pk }),
          ...(pk && model && { model }),
          ...(rate && { rate }),
          box: { ...box, outliers: [...box.outliers] },
        },
      },
    ];
  });
  if (ofCounts) return { groups, ...comparedRates(ofCounts.test) };
  const { tests, notes } = comparedValues(divided);
  const ofModels =
    rejected > 0 ? [`No model fits the values of ${rejected} of ${groups.length} groups: their index is that of the nearest one.`] : [];
  return { groups, tests, notes: [...ofModels, ...notes] };
}

const NO_INDEX = { pk: undefined, model: undefined, isModelRejected: false };

function indexOf(values: Float64Array, moments: Moments, { limits, confidence, model, modelRequestedBy }: GroupsTask) {
  const { capability, isModelRejected } = evaluateCapability({
    values,
    moments,
    limits,
    convention: 'aiagVda',
    confidence,
    choice: chooseModel({ values, moments, limits, request: model }),
    request: model,
    requestedBy: modelRequestedBy,
  });
  const ofModel = capability?.pk?.from === 'model';
  return {
    pk: capability?.pk,
    model: ofModel ? capability.model?.name : undefined,
    isModelRejected: capability !== undefined && isModelRejected,
  };
}

function comparedValues(divided: readonly Float64Array[]): Pick<GroupsResult, 'tests' | 'notes'> {
  const [welch, brownForsythe] = [welchTest(divided), brownForsytheTest(divided)];
  return {
    tests: { ...(welch && { welch }), ...(brownForsythe && { brownForsythe }) },
    notes: [
      ...(welch ? [] : ['Means are compared where two groups have values that differ.']),
      ...(brownForsythe ? [] : ['Spreads are compared where there are two groups whose values differ.']),
    ],
  };
}

/** Below it the distribution of χ² is a rough one of counts. */
const MIN_EXPECTED = 5;

function comparedRates(test: RateTest | undefined): Pick<GroupsResult, 'tests' | 'notes'> {
  if (!test) return { tests: {}, notes: ['Rates are compared where two groups have samples, and not all parts are alike.'] };
  const { smallestExpected, ...rates } = test;
  return {
    tests: { rates },
    notes: smallestExpected < MIN_EXPECTED ? [`A group has fewer than ${MIN_EXPECTED} expected: the p value of the rates is rough.`] : [],
  };
}

function assign(values: Float64Array, keys: GroupKeys): { assignment: GroupAssignment; found: FoundGroup[] } {
  const isOfTime = 'times' in keys;
  const clock = isOfTime ? new PlantClock(keys.settings) : undefined;
  const numbers = isOfTime ? keys.times.map((ms) => clock!.numberAt(keys.group, ms)) : keys.hashes;
  const assignment = assignGroups(values, numberKeys(numbers), { apart: isOfTime ? 'last' : 'largest' });
  const found = assignment.groups.map(({ key, others, first }): FoundGroup => {
    const hasKey = key !== undefined && key !== NO_KEY;
    return {
      first,
      hasKey,
      ...(isOfTime && hasKey && { name: clock!.nameOf(keys.group, numbers[first]!) }),
      ...(others !== undefined && { others }),
    };
  });
  return { assignment, found };
}
