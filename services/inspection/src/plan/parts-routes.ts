import { booleanParameter, defineRoute, depthParameter, reply, uuidListParameter, type Route } from '@sinebar/http';
import { parseList } from '@sinebar/query-language';
import { z } from 'zod';
import { readerOf } from '../shared/request-context.js';
import { callerOf, chosenOf, itemAddress, planChangeRoutes, type PlanRouteDependencies } from './plan-change-routes.js';
import { attributeSelectionParameter, partPathParameter, searchConditionParameter, selectionOf } from '../shared/parameters.js';
import { searchOn } from './plan-parameters.js';
import type { PlanReading } from './reading/plan-read-model.js';
import { partsDocumentation } from './parts-documentation.js';

/** Levels below the part when `depth` is not given (spec: inspection-service.md, Parts). */
const DEFAULT_DEPTH = 1;

const PATH = '/dataServiceRest/parts';
const attributesQuery = { requestedPartAttributes: attributeSelectionParameter.optional(), withHistory: booleanParameter.default(false) };
const selectionQuery = {
  partUuids: uuidListParameter.optional(),
  partPath: partPathParameter.optional(),
  depth: depthParameter.optional(),
  searchCondition: searchConditionParameter.optional(),
};
const deletionQuery = z.object({ partUuids: uuidListParameter.optional(), partPath: partPathParameter.optional() });
const keepEmpty = ['requestedPartAttributes'];

/** `keep` is a list; its one known entry is `subParts` (spec: decisions.md 4.8). */
const keepParameter = z.string().transform((text, context) => {
  const entries = parseList(text).map((entry) => entry.toLowerCase());
  if (entries.every((entry) => entry === 'subparts')) return entries.length > 0;
  context.addIssue({ code: 'custom', message: 'knows subParts only' });
  return z.NEVER;
});

/** spec: inspection-service.md, Parts */
export function partsRoutes({ plan, reads, caseSensitive }: PlanRouteDependencies): Route[] {
  const selection =
    (query: z.output<z.ZodObject<typeof selectionQuery>>): PlanReading['selection'] =>
    (configuration) => ({
      kinds: ['part'],
      uuids: query.partUuids,
      paths: [query.partPath ?? ''],
      depth: query.partUuids ? query.depth : (query.depth ?? DEFAULT_DEPTH),
      search: searchOn('part', query.searchCondition, configuration, caseSensitive),
    });
  const attributesOf = (query: z.output<z.ZodObject<typeof attributesQuery>>) => ({
    attributes: { part: selectionOf(query.requestedPartAttributes), characteristic: [] },
    withHistory: query.withHistory,
  });

  return [
    defineRoute({
      method: 'GET',
      path: PATH,
      permission: 'plan:read',
      deadline: 'read',
      documentation: partsDocumentation.list,
      query: z.object({ ...selectionQuery, ...attributesQuery }),
      keepEmpty,
      handle: (request) => reads.list({ selection: selection(request.query), ...attributesOf(request.query) }, readerOf(request, 'parts')),
    }),
    defineRoute({
      method: 'GET',
      path: '/dataServiceRest/parts/count',
      permission: 'plan:read',
      deadline: 'read',
      documentation: partsDocumentation.count,
      query: z.object(selectionQuery),
      handle: (request) => reads.count(selection(request.query), readerOf(request, 'parts/count')),
    }),
    defineRoute({
      method: 'GET',
      path: '/dataServiceRest/parts/:uuid',
      permission: 'plan:read',
      deadline: 'read',
      documentation: partsDocumentation.get,
      params: itemAddress,
      query: z.object(attributesQuery),
      keepEmpty,
      handle: (request) => reads.get('part', request.params.uuid, attributesOf(request.query), readerOf(request, 'part')),
    }),
    defineRoute({
      method: 'DELETE',
      path: PATH,
      permission: 'plan:write',
      deadline: 'long',
      documentation: partsDocumentation.delete,
      query: deletionQuery,
      handle: async ({ query: { partUuids, partPath }, context }) => {
        await plan.delete(
          'part',
          chosenOf(partUuids, partPath === undefined ? undefined : [partPath], 'partUuids={uuid,uuid} or partPath=/part'),
          callerOf(context),
        );
        return reply.empty();
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/dataServiceRest/parts/:uuid/clear',
      permission: 'plan:write',
      deadline: 'long',
      documentation: partsDocumentation.clear,
      params: itemAddress,
      query: z.object({ keep: keepParameter.default(false) }),
      handle: async ({ params, query, context }) => {
        await plan.clear(params.uuid, query.keep, callerOf(context));
        return reply.empty();
      },
    }),
    ...planChangeRoutes('part', PATH, plan),
  ];
}
