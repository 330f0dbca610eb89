import { confidenceQuery, modelQuery, valueSelectionQuery } from '../analysis-parameters.ts';
import { groupByParameter } from './group-source.ts';

/** Parameters of figures by group. */
export const groupsQuery = { ...valueSelectionQuery, ...confidenceQuery, model: modelQuery.model, by: groupByParameter };

export const GROUPS_EXAMPLE = {
  by: 10,
  groups: [
    {
      value: '2',
      text: 'Bridge machine, line 2',
      count: 120,
      mean: 20.012,
      standardDeviation: 0.0142,
      minimum: 19.97,
      maximum: 20.05,
      outOfTolerance: 1,
      pk: { name: 'Ppk', value: 0.89, lower: 0.77, upper: 1.01, from: 'normal' },
      box: { lowerQuartile: 20, median: 20.01, upperQuartile: 20.02, lowerWhisker: 19.97, upperWhisker: 20.05, outliers: [] },
    },
    {
      count: 1,
      mean: 20.03,
      minimum: 20.03,
      maximum: 20.03,
      outOfTolerance: 0,
      box: { lowerQuartile: 20.03, median: 20.03, upperQuartile: 20.03, lowerWhisker: 20.03, upperWhisker: 20.03, outliers: [] },
    },
  ],
  tests: {},
};
