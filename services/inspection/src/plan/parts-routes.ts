import { answers, defineRoute, reply, uuidListParameter, type Route } from '@sinebar/http';
import { parseList } from '@sinebar/query-language';
import { z } from 'zod';
import { partPathParameter } from '../shared/parameters.ts';
import { PLAN_PARAMETERS, TAGS } from './plan-parameter-texts.ts';
import { callerOf, chosenOf, itemAddress, PATHS, planItemRoutes, type PlanRouteDependencies } from './plan-item-routes.ts';

/** `keep` is a list; its one known entry is `subParts` (spec: decisions.md 4.8). */
const keepParameter = z.string().transform((text, context) => {
  const entries = parseList(text).map((entry) => entry.toLowerCase());
  if (entries.every((entry) => entry === 'subparts')) return entries.length > 0;
  context.addIssue({ code: 'custom', message: 'knows subParts only' });
  return z.NEVER;
});

/** spec: inspection-service.md, Parts */
export function partsRoutes(deps: PlanRouteDependencies): Route[] {
  return [
    ...planItemRoutes('part', deps),
    defineRoute({
      method: 'DELETE',
      path: PATHS.part,
      deletes: { selectedBy: ['partUuids', 'partPath'] },
      permission: 'plan:write',
      deadline: 'long',
      documentation: {
        tag: TAGS.part,
        summary: 'Delete parts with everything below them',
        description: 'Characteristics, measurements and files go with them. One of the parameters is needed.',
        parameters: {
          ...PLAN_PARAMETERS,
          partPath: {
            description: 'The part; `partUuids` takes precedence over it. The root part `/` is emptied and stays',
            example: '/Pump',
          },
        },
        responses: { 200: answers.done },
        errors: ['NotFound', 'InUse', 'Conflict'],
      },
      query: z.object({ partUuids: uuidListParameter.optional(), partPath: partPathParameter.optional() }),
      handle: async ({ query: { partUuids, partPath }, context }) => {
        const paths = partPath === undefined ? undefined : [partPath];
        const selection = chosenOf(partUuids, paths, 'partUuids={uuid,uuid} or partPath=/part');
        await deps.plan.delete('part', selection, callerOf(context));
        return reply.empty();
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${PATHS.part}/:uuid/clear`,
      deletes: { selectedBy: ['keep'] },
      permission: 'plan:write',
      deadline: 'long',
      documentation: {
        tag: TAGS.part,
        summary: 'Empty a part',
        description: 'It stays, with its own files; what is below it, and its measurements, are deleted.',
        parameters: { ...PLAN_PARAMETERS, keep: { description: '`subParts` keeps the parts below', example: 'subParts' } },
        responses: { 200: answers.done },
        errors: ['NotFound', 'InUse', 'Conflict'],
      },
      params: itemAddress,
      query: z.object({ keep: keepParameter.default(false) }),
      keepEmpty: ['keep'],
      handle: async ({ params, query, context }) => {
        await deps.plan.clear(params.uuid, query.keep, callerOf(context));
        return reply.empty();
      },
    }),
  ];
}
