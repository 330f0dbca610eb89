import { ServiceError } from '@sinebar/contracts';
import { booleanParameter, defineRoute, reply, uuidParameter, type Route } from '@sinebar/http';
import { z } from 'zod';
import { workOf } from '../../shared/request-context.js';
import type { PendingOperations } from './pending-operations-routes.js';
import type { MeasurementDeletionService } from './measurement-deletion-service.js';
import { measurementRestrictions } from '../selection/measurement-parameters.js';
import { measurementsDocumentation } from '../measurements-documentation.js';

export interface MeasurementDeleteDependencies {
  deletion: MeasurementDeletionService;
  operations: PendingOperations;
  /** Whether searches tell `a` from `A` where the request does not say. */
  caseSensitive: boolean;
}

/** Booleans, and the words that clients send instead (spec: decisions.md 5.6). */
const deepParameter = z
  .string()
  .regex(/^\s*(true|false|deletedeep|deleteforcurrentpartonly)\s*$/i, 'must be true, false, DeleteDeep or DeleteForCurrentPartOnly')
  .transform((text) => ['true', 'deletedeep'].includes(text.trim().toLowerCase()));

const query = z.object({ ...measurementRestrictions, deep: deepParameter.default(false), runAsync: booleanParameter.default(false) });

/** spec: inspection-service.md, Measurements DELETE; decisions.md 1.7, 5.6, 5.7 */
export function measurementsDeleteRoutes({ deletion, operations, caseSensitive }: MeasurementDeleteDependencies): Route[] {
  return [
    defineRoute({
      method: 'DELETE',
      path: '/dataServiceRest/measurements',
      permission: 'measurement:write',
      deadline: 'long',
      documentation: measurementsDocumentation.delete,
      query,
      handle: async ({ query: { runAsync, searchCondition, caseSensitive: asked, ...restrictions }, context }) => {
        for (const name of ['measurementUuids', 'partUuids'] as const) {
          if (restrictions[name]?.length === 0)
            throw new ServiceError('InvalidRequest', `parameter ${name}: the list is empty, so nothing was deleted; name what to delete`);
        }
        const selection = { ...restrictions, search: searchCondition, caseSensitive: asked ?? caseSensitive, order: [] };
        const caller = { ...workOf(context), principal: context.principal };
        if (runAsync) {
          const address = await operations.deleteMeasurements(selection, caller, context.requestId);
          return reply.empty(202, { Location: `${context.origin}${address}` });
        }
        await deletion.delete(selection, caller);
        return reply.empty();
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/dataServiceRest/measurements/:uuid',
      permission: 'measurement:write',
      deadline: 'long',
      documentation: measurementsDocumentation.deleteOne,
      params: z.object({ uuid: uuidParameter }),
      handle: async ({ params, context }) => {
        await deletion.deleteOne(params.uuid, { ...workOf(context), principal: context.principal });
        return reply.empty();
      },
    }),
  ];
}
