import { booleanParameter, defineRoute, depthParameter, reply, uuidListParameter, type Route } from '@sinebar/http';
import { z } from 'zod';
import { readerOf } from '../shared/request-context.js';
import { callerOf, chosenOf, itemAddress, planChangeRoutes, type PlanRouteDependencies } from './plan-change-routes.js';
import { attributeSelectionParameter, partPathParameter, searchConditionParameter, selectionOf } from '../shared/parameters.js';
import { characteristicPathParameter, searchOn } from './plan-parameters.js';
import type { PlanReading } from './reading/plan-read-model.js';
import { characteristicsDocumentation } from './characteristics-documentation.js';

/** Levels below the part when `depth` is not given (spec: inspection-service.md, Characteristics). */
const DEFAULT_DEPTH = 65_535;

const PATH = '/dataServiceRest/characteristics';
const attributesQuery = {
  requestedCharacteristicAttributes: attributeSelectionParameter.optional(),
  withHistory: booleanParameter.default(false),
};
const selectionQuery = {
  charUuids: uuidListParameter.optional(),
  partPath: partPathParameter.optional(),
  depth: depthParameter.optional(),
  searchCondition: searchConditionParameter.optional(),
};
const keepEmpty = ['requestedCharacteristicAttributes'];

/** spec: inspection-service.md, Characteristics */
export function characteristicsRoutes({ plan, reads, caseSensitive }: PlanRouteDependencies): Route[] {
  const selection =
    (query: z.output<z.ZodObject<typeof selectionQuery>>): PlanReading['selection'] =>
    (configuration) => ({
      kinds: ['characteristic'],
      uuids: query.charUuids,
      paths: [query.partPath ?? ''],
      depth: query.charUuids ? query.depth : (query.depth ?? DEFAULT_DEPTH),
      ownCharacteristicsOnly: true,
      search: searchOn('characteristic', query.searchCondition, configuration, caseSensitive),
    });
  const attributesOf = (query: z.output<z.ZodObject<typeof attributesQuery>>) => ({
    attributes: { part: [], characteristic: selectionOf(query.requestedCharacteristicAttributes) },
    withHistory: query.withHistory,
  });

  return [
    defineRoute({
      method: 'GET',
      path: PATH,
      permission: 'plan:read',
      deadline: 'read',
      documentation: characteristicsDocumentation.list,
      query: z.object({ ...selectionQuery, ...attributesQuery }),
      keepEmpty,
      handle: (request) =>
        reads.list({ selection: selection(request.query), ...attributesOf(request.query) }, readerOf(request, 'characteristics')),
    }),
    defineRoute({
      method: 'GET',
      path: '/dataServiceRest/characteristics/count',
      permission: 'plan:read',
      deadline: 'read',
      documentation: characteristicsDocumentation.count,
      query: z.object(selectionQuery),
      handle: (request) => reads.count(selection(request.query), readerOf(request, 'characteristics/count')),
    }),
    defineRoute({
      method: 'GET',
      path: '/dataServiceRest/characteristics/:uuid',
      permission: 'plan:read',
      deadline: 'read',
      documentation: characteristicsDocumentation.get,
      params: itemAddress,
      query: z.object(attributesQuery),
      keepEmpty,
      handle: (request) =>
        reads.get('characteristic', request.params.uuid, attributesOf(request.query), readerOf(request, 'characteristic')),
    }),
    defineRoute({
      method: 'DELETE',
      path: PATH,
      permission: 'plan:write',
      deadline: 'long',
      documentation: characteristicsDocumentation.delete,
      query: z.object({ charUuids: uuidListParameter.optional(), charPath: characteristicPathParameter.optional() }),
      handle: async ({ query: { charUuids, charPath }, context }) => {
        await plan.delete(
          'characteristic',
          chosenOf(charUuids, charPath, 'charUuids={uuid,uuid} or charPath=/part/characteristic'),
          callerOf(context),
        );
        return reply.empty();
      },
    }),
    ...planChangeRoutes('characteristic', PATH, plan),
  ];
}
