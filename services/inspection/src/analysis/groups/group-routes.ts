import { characteristicGroupsSchema } from '@sinebar/contracts';
import { defineRoute, uuidParameter, type Route } from '@sinebar/http';
import { z } from 'zod';
import { CACHE_CONDITION, cachedAnswers } from '../../shared/documentation.ts';
import { ANALYSIS_PARAMETERS, ANALYSIS_TAG } from '../analysis-parameter-texts.ts';
import type { AnalysisQueue } from '../analysis-queue.ts';
import { GROUPS_EXAMPLE, groupsQuery } from './group-parameters.ts';
import type { GroupService } from './group-service.ts';

/** Figures of one characteristic by machine, shift, batch, cavity, operator. @param queue limits what one user computes at the same time */
export function groupRoutes(service: GroupService, queue: AnalysisQueue): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/analysisServiceRest/characteristics/:uuid/groups',
      permission: 'measurement:read',
      isSearch: true,
      deadline: 'read',
      knowsAllParameters: true,
      documentation: {
        tag: ANALYSIS_TAG,
        parameters: ANALYSIS_PARAMETERS,
        headers: CACHE_CONDITION,
        errors: ['NotFound'],
        summary: 'Compare the values of a characteristic by an attribute of their measurements, or by shift, day or week',
        description:
          "Groups have their figures and indices, and two tests say whether they differ: Welch's of the means and Brown and Forsythe's of the spreads. Groups of a characteristic that counts have rates, and one test whether these differ. Measurements without the attribute are a group without `value`. Beyond 100 groups the smallest ones, of shifts, days and weeks the oldest ones, are one entry.",
        responses: cachedAnswers('The groups', characteristicGroupsSchema, GROUPS_EXAMPLE),
      },
      params: z.object({ uuid: uuidParameter }),
      query: z.object(groupsQuery),
      handle: (request) => queue.run(request, 'groups', (reader) => service.groups(request.params.uuid, request.query, reader)),
    }),
  ];
}
