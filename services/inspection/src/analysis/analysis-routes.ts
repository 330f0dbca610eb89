import { characteristicSeriesSchema, characteristicSummarySchema, correlationSchema, probabilityPlotSchema } from '@sinebar/contracts';
import { answers, defineRoute, reply, uuidListParameter, uuidParameter, type Route } from '@sinebar/http';
import { interfaceInformationSchema, SUPPORTED_VERSIONS } from '@sinebar/runtime';
import { z } from 'zod';
import { CACHE_CONDITION, cachedAnswers } from '../shared/documentation.ts';
import { CORRELATION_EXAMPLE, PROBABILITY_EXAMPLE, SERIES_EXAMPLE, SUMMARY_EXAMPLE } from './analysis-examples.ts';
import { ANALYSIS_PARAMETERS, ANALYSIS_TAG } from './analysis-parameter-texts.ts';
import {
  chartQuery,
  confidenceQuery,
  modelQuery,
  probabilityPointsParameter,
  seriesQuery,
  valueSelectionQuery,
} from './analysis-parameters.ts';
import type { AnalysisQueue } from './analysis-queue.ts';
import type { AnalysisService } from './analysis-service.ts';
import { groupByParameter } from './groups/group-source.ts';

const characteristicAddress = z.object({ uuid: uuidParameter });

const pairParameter = uuidListParameter.refine(
  (uuids) => uuids.length === 2,
  'must name two different characteristics, such as {uuid,uuid}',
);

/** Figures of measured values, which the server computes. @param queue limits what one user computes at the same time */
export function analysisRoutes(analysis: AnalysisService, queue: AnalysisQueue): Route[] {
  const common = { method: 'GET', permission: 'measurement:read', isSearch: true, deadline: 'read', knowsAllParameters: true } as const;
  const documentation = { tag: ANALYSIS_TAG, parameters: ANALYSIS_PARAMETERS, headers: CACHE_CONDITION, errors: ['NotFound' as const] };
  return [
    defineRoute({
      method: 'GET',
      path: '/analysisServiceRest',
      permission: 'open',
      deadline: 'read',
      documentation: {
        tag: ANALYSIS_TAG,
        summary: 'Read the versions of the analysis interface',
        responses: {
          200: answers.json('The versions', interfaceInformationSchema, { supportedVersions: SUPPORTED_VERSIONS.analysisService }),
        },
        errors: [],
      },
      handle: () => Promise.resolve(reply.json({ supportedVersions: SUPPORTED_VERSIONS.analysisService })),
    }),
    defineRoute({
      ...common,
      path: '/analysisServiceRest/characteristics/:uuid/summary',
      documentation: {
        ...documentation,
        summary: 'Read the figures of a characteristic',
        description:
          'Computes location, spread, control limits, capability by a fitted model, normality and a histogram of the selected values. A figure that is not defined is absent; `notes` says why.',
        responses: cachedAnswers('The figures', characteristicSummarySchema, SUMMARY_EXAMPLE),
      },
      params: characteristicAddress,
      query: z.object({ ...valueSelectionQuery, ...chartQuery, ...confidenceQuery, ...modelQuery }),
      handle: (request) => queue.run(request, 'summary', (reader) => analysis.summary(request.params.uuid, request.query, reader)),
    }),
    defineRoute({
      ...common,
      path: '/analysisServiceRest/characteristics/:uuid/series',
      documentation: {
        ...documentation,
        summary: 'Read the values of a characteristic over time with their control chart',
        description: 'Values come one by one, oldest first, where they fit into `points`, else in groups with their extremes and mean.',
        responses: cachedAnswers('The series', characteristicSeriesSchema, SERIES_EXAMPLE),
      },
      params: characteristicAddress,
      query: z.object({ ...valueSelectionQuery, ...chartQuery, ...seriesQuery, by: groupByParameter.optional() }),
      handle: (request) => queue.run(request, 'series', (reader) => analysis.series(request.params.uuid, request.query, reader)),
    }),
    defineRoute({
      ...common,
      path: '/analysisServiceRest/characteristics/:uuid/probability',
      documentation: {
        ...documentation,
        summary: 'Read the normal probability plot of a characteristic',
        responses: cachedAnswers('The plot, from the smallest value to the largest', probabilityPlotSchema, PROBABILITY_EXAMPLE),
      },
      params: characteristicAddress,
      query: z.object({ ...valueSelectionQuery, points: probabilityPointsParameter }),
      handle: (request) => queue.run(request, 'probability', (reader) => analysis.probability(request.params.uuid, request.query, reader)),
    }),
    defineRoute({
      ...common,
      path: '/analysisServiceRest/correlation',
      documentation: {
        ...documentation,
        summary: 'Read how two characteristics of a part vary together',
        description: 'Uses the measurements that have values of both.',
        responses: cachedAnswers('The correlation; the first characteristic is x', correlationSchema, CORRELATION_EXAMPLE),
      },
      query: z.object({ ...valueSelectionQuery, ...confidenceQuery, characteristicUuids: pairParameter }),
      handle: (request) => {
        const { characteristicUuids, ...query } = request.query;
        const pair = characteristicUuids as [string, string];
        return queue.run(request, 'correlation', (reader) => analysis.correlation(pair, query, reader));
      },
    }),
  ];
}
