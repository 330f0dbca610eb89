import { ServiceError } from '@sinebar/contracts';
import type { PlanItemKind } from '@sinebar/query-language';
import { booleanParameter, defineRoute, reply, uuidParameter, type RequestContext, type Route } from '@sinebar/http';
import { z } from 'zod';
import { workOf } from '../shared/request-context.js';
import type { ItemSelection } from './changes/plan-deletion.js';
import { creationSchema, updateSchema } from './plan-parameters.js';
import type { PlanReadModel } from './reading/plan-read-model.js';
import type { Caller, PlanService } from './plan-service.js';
import { planChanges } from './plan-documentation.js';

export interface PlanRouteDependencies {
  plan: PlanService;
  reads: PlanReadModel;
  /** Whether searches on the plan tell `a` from `A`. */
  caseSensitive: boolean;
}

/** The part of an address that names one item. */
export const itemAddress = z.object({ uuid: uuidParameter });

const versioningQuery = z.object({ versioningEnabled: booleanParameter.default(false) });

/**
 * Creation, update and deletion of one, which are alike for parts and characteristics.
 * @param path address of the list, `/dataServiceRest/parts`
 * spec: inspection-service.md, Parts, Characteristics; decisions.md 4.7
 */
export function planChangeRoutes(kind: PlanItemKind, path: string, plan: PlanService): Route[] {
  const documentation = planChanges(kind);
  return [
    defineRoute({
      method: 'POST',
      path,
      permission: 'plan:write',
      deadline: 'write',
      documentation: documentation.create,
      query: versioningQuery,
      body: creationSchema(kind),
      handle: async ({ body, query, context }) => {
        await plan.create(kind, body, { ...callerOf(context), ...query });
        return reply.empty(201);
      },
    }),
    defineRoute({
      method: 'PUT',
      path,
      permission: 'plan:write',
      deadline: 'long',
      documentation: documentation.update,
      query: versioningQuery,
      body: updateSchema(kind),
      handle: async ({ body, query, context }) => {
        await plan.update(kind, body, { ...callerOf(context), ...query });
        return reply.empty();
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: `${path}/:uuid`,
      permission: 'plan:write',
      deadline: 'long',
      documentation: documentation.deleteOne,
      params: itemAddress,
      handle: async ({ params, context }) => {
        await plan.delete(kind, { by: 'uuid', uuid: params.uuid }, callerOf(context));
        return reply.empty();
      },
    }),
  ];
}

export function callerOf(context: RequestContext): Caller {
  return { ...workOf(context), principal: context.principal };
}

/** What a DELETE by parameters means. @throws ServiceError 400 without a selector. spec: decisions.md 4.8 */
export function chosenOf(uuids: readonly string[] | undefined, paths: readonly string[] | undefined, examples: string): ItemSelection {
  if (uuids?.length === 0)
    throw new ServiceError('InvalidRequest', 'the list of uuids is empty, so nothing was deleted; name what to delete');
  if (uuids) return { by: 'uuids', uuids };
  if (paths) return { by: 'paths', paths };
  throw new ServiceError('InvalidRequest', `say what to delete: ${examples}`);
}
