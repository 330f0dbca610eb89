import { partChangesSchema, partChildrenSchema, partOverviewSchema, partStatusesSchema } from '@sinebar/contracts';
import { defineRoute, uuidParameter, type Route } from '@sinebar/http';
import { z } from 'zod';
import { CACHE_CONDITION, cachedAnswers } from '../../shared/documentation.ts';
import type { AnalysisQueue } from '../analysis-queue.ts';
import { ANALYSIS_TAG } from '../analysis-parameter-texts.ts';
import { CHANGES_EXAMPLE, CHILDREN_EXAMPLE, OVERVIEW_EXAMPLE, STATUSES_EXAMPLE } from './part-analysis-examples.ts';
import { PART_ANALYSIS_PARAMETERS } from './part-analysis-parameter-texts.ts';
import { changesQuery, childrenQuery, overviewQuery, statusesQuery } from './part-analysis-parameters.ts';
import type { PartAnalysisService } from './part-analysis-service.ts';

const partAddress = z.object({ uuid: uuidParameter });

/** Figures of the characteristics below a part. Each route shows those that the caller may read, with their measurements. */
export function partAnalysisRoutes(analysis: PartAnalysisService, queue: AnalysisQueue): Route[] {
  const common = { method: 'GET', permission: 'measurement:read', isSearch: true, deadline: 'read', knowsAllParameters: true } as const;
  const documentation = {
    tag: ANALYSIS_TAG,
    parameters: PART_ANALYSIS_PARAMETERS,
    headers: CACHE_CONDITION,
    errors: ['NotFound' as const],
  };
  return [
    defineRoute({
      ...common,
      path: '/analysisServiceRest/parts/:uuid/overview',
      documentation: {
        ...documentation,
        summary: 'Read the figures of the characteristics below a part',
        description:
          'Lists the characteristics with their newest value, mean, spread and indices, one page at a time. `overall` has the indices of the model, as `capability` of a summary has them, `within` those of normal values. A figure that is not defined is absent. The sparkline comes from the newest 100 selected measurements of the part.',
        responses: cachedAnswers('One page, and the counts of all pages', partOverviewSchema, OVERVIEW_EXAMPLE),
      },
      params: partAddress,
      query: z.object(overviewQuery),
      handle: (request) => queue.run(request, 'overview', (reader) => analysis.overview(request.params.uuid, request.query, reader)),
    }),
    defineRoute({
      ...common,
      path: '/analysisServiceRest/parts/:uuid/children',
      documentation: {
        ...documentation,
        summary: 'Read the children of a part with their statuses',
        description:
          'Lists the direct children in plan order, each with the statuses of the newest values, and of the processes, at and below it. The uuid may also be that of a characteristic with characteristics below it.',
        responses: cachedAnswers('The children', partChildrenSchema, CHILDREN_EXAMPLE),
      },
      params: partAddress,
      query: z.object(childrenQuery),
      handle: (request) => queue.run(request, 'children', (reader) => analysis.children(request.params.uuid, request.query, reader)),
    }),
    defineRoute({
      ...common,
      path: '/analysisServiceRest/parts/:uuid/statuses',
      documentation: {
        ...documentation,
        summary: 'Read both statuses and Ppk of every characteristic below a part',
        description:
          'Each entry is a list of uuid, status of the newest value, status of the process, and Ppk where it is defined, in plan order.',
        responses: cachedAnswers('The statuses', partStatusesSchema, STATUSES_EXAMPLE),
      },
      params: partAddress,
      query: z.object(statusesQuery),
      handle: (request) => queue.run(request, 'statuses', (reader) => analysis.statuses(request.params.uuid, request.query, reader)),
    }),
    defineRoute({
      ...common,
      path: '/analysisServiceRest/parts/:uuid/changes',
      documentation: {
        ...documentation,
        parameters: {
          ...PART_ANALYSIS_PARAMETERS,
          from: { description: 'Only changes of this time or later', example: '2026-03-02T06:00:00Z' },
          to: { description: 'Only changes before this time', example: '2026-03-02T14:00:00Z' },
          offset: { description: 'Changes before the page; by default 0', example: '100' },
          limit: { description: 'Changes of the page, from 1 to 500; by default 100', example: '50' },
        },
        summary: 'Read what has changed below a part',
        description:
          'Lists the changes of both statuses of the characteristics, the newest first: what a shift has changed. `now` is that of the newest value, `process` that of the process.',
        responses: cachedAnswers('One page of the changes', partChangesSchema, CHANGES_EXAMPLE),
      },
      params: partAddress,
      query: z.object(changesQuery),
      handle: (request) => queue.run(request, 'changes', (reader) => analysis.changes(request.params.uuid, request.query, reader)),
    }),
  ];
}
