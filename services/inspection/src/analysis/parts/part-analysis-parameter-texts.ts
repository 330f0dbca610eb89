import { PART_UUID } from '../../shared/documentation.ts';
import { ANALYSIS_PARAMETERS } from '../analysis-parameter-texts.ts';

/** Texts for the parameters of the requests on parts. */
export const PART_ANALYSIS_PARAMETERS = {
  ...ANALYSIS_PARAMETERS,
  uuid: { description: 'Uuid of the part, in any case, with or without braces', example: PART_UUID },
  limitResult: { description: 'Only the newest measurements of each part, this many at most; below 0 there is no limit', example: '125' },
  depth: { description: 'Levels below the part that are included, parts and characteristics alike; by default all', example: '2' },
  order: {
    description:
      'status (out of tolerance now first, then more of the newest 25 values out of tolerance, then the smaller Ppk), ppk (the smallest first, without an index last) or name; by default the order of the plan',
    example: 'ppk',
  },
  statuses: {
    description:
      'Only characteristics with one of these statuses, as a list: of the newest value inLimits, inWarning, belowTolerance, aboveTolerance, outOfTolerance (one of both), noLimits, noData; of the process capable, uncertain, notCapable, notStable, unknown. Of both kinds one has to hold, where both are named',
    example: '{outOfTolerance,notStable}',
  },
  find: { description: 'Only characteristics whose name has this text in it, in any case', example: 'gap' },
  offset: { description: 'Characteristics before the page; by default 0', example: '100' },
  limit: {
    description:
      'Of an overview the characteristics of the page, from 1 to 500, by default 100; of children the first ones, all by default',
    example: '10',
  },
};
