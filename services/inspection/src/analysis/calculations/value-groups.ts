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
} from '@sinebar/statistics';
import { PlantClock } from '../../evaluation/settings/plant-clock.ts';
import { NO_KEY, numberKeys } from './number-keys.ts';
import type { AssignmentResult, FoundGroup, GroupKeys, GroupsResult, GroupsTask } from './tasks.ts';

/** Assigns values to groups: of an attribute the largest ones are told apart, of days and weeks the newest ones. */
export function assignValues(values: Float64Array, keys: GroupKeys): AssignmentResult {
  const { assignment, found } = assign(values, keys);
  return { indexes: assignment.indexes, groups: found };
}

/** Computes the figures of groups, each with the index that a summary of its values has. */
export function calculateGroups({ values, keys, limits, statusLimits, confidence, ...task }: GroupsTask): GroupsResult {
  const { assignment, found } = assign(values, keys);
  const divided = valuesOfGroups(values, assignment);
  let rejected = 0;
  const groups = divided.flatMap((ofGroup, index) => {
    const figures = figuresOfGroup(ofGroup);
    if (!figures) return [];
    const { box, ...moments } = figures;
    const { belowTolerance, aboveTolerance } = countStatuses(ofGroup, statusLimits);
    const { capability, isModelRejected } = evaluateCapability({
      values: ofGroup,
      moments,
      limits,
      convention: 'aiagVda',
      confidence,
      choice: chooseModel({ values: ofGroup, moments, limits, request: task.model }),
      request: task.model,
      requestedBy: task.modelRequestedBy,
    });
    if (capability && isModelRejected) rejected += 1;
    const pk = capability?.pk;
    return [
      {
        found: found[index]!,
        figures: {
          ...moments,
          outOfTolerance: belowTolerance + aboveTolerance,
          ...(pk && { pk }),
          box: { ...box, outliers: [...box.outliers] },
        },
      },
    ];
  });
  const [welch, brownForsythe] = [welchTest(divided), brownForsytheTest(divided)];
  return {
    groups,
    tests: { ...(welch && { welch }), ...(brownForsythe && { brownForsythe }) },
    notes: [
      ...(rejected > 0
        ? [`No model fits the values of ${rejected} of ${groups.length} groups: their index is that of the nearest one.`]
        : []),
      ...(welch ? [] : ['Means are compared where two groups have values that differ.']),
      ...(brownForsythe ? [] : ['Spreads are compared where there are two groups whose values differ.']),
    ],
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
