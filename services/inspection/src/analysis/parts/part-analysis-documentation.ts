import { CHARACTERISTIC_UUID, PART_UUID } from '../../shared/documentation.js';
import { ANALYSIS_PARAMETERS, SUMMARY_EXAMPLE } from '../analysis-documentation.js';

/** Texts for the parameters of the requests on parts. */
export const PART_ANALYSIS_PARAMETERS = {
  ...ANALYSIS_PARAMETERS,
  uuid: { description: 'Uuid of the part, in any case, with or without braces', example: PART_UUID },
  limitResult: { description: 'Only the newest measurements of each part, this many at most; below 0 there is no limit', example: '125' },
  depth: { description: 'Levels below the part that are included, parts and characteristics alike; by default all', example: '2' },
  order: {
    description: 'status (the worst first), ppk (the smallest first, without an index last) or name; by default the order of the plan',
    example: 'ppk',
  },
  statuses: {
    description: 'Only characteristics with one of these newest statuses, as a list: inLimits, inWarning, outOfTolerance, noData',
    example: '{outOfTolerance,inWarning}',
  },
  find: { description: 'Only characteristics whose name has this text in it, in any case', example: 'gap' },
  offset: { description: 'Characteristics before the page; by default 0', example: '100' },
  limit: {
    description:
      'Of an overview the characteristics of the page, from 1 to 500, by default 100; of children the first ones, all by default',
    example: '10',
  },
};

const STATUSES = { inLimits: 60, inWarning: 1, outOfTolerance: 3, noData: 0 };

export const OVERVIEW_EXAMPLE = {
  total: 64,
  offset: 0,
  totals: STATUSES,
  characteristics: [
    {
      uuid: CHARACTERISTIC_UUID,
      path: SUMMARY_EXAMPLE.path,
      name: 'Diameter',
      count: 5000,
      last: {
        time: SUMMARY_EXAMPLE.lastTime,
        value: 20.06,
        status: 'aboveTolerance',
        measurementUuid: '7d1c2b5e-6f0a-4c55-8a0e-1f7a5c9b2d30',
      },
      mean: 20.01,
      standardDeviation: 0.0151,
      overall: { p: 1.1, pk: 0.88 },
      within: { p: 1.17, pk: 0.94 },
      limits: SUMMARY_EXAMPLE.limits,
      sparkline: [20, 20.01, 20.06],
    },
  ],
};

export const CHILDREN_EXAMPLE = {
  children: [{ kind: 'part', uuid: PART_UUID, name: 'Frame', hasChildren: true, characteristics: 64, statuses: STATUSES }],
};

export const STATUSES_EXAMPLE = {
  characteristics: [
    [CHARACTERISTIC_UUID, 'inLimits', 1.21],
    ['1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed', 'noData'],
  ],
};
