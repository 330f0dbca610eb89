import { ServiceError } from '@sinebar/contracts';
import { answers, booleanParameter, defineRoute, reply, uuidParameter, type Route } from '@sinebar/http';
import { z } from 'zod';
import { workOf } from '../../shared/request-context.ts';
import type { PendingOperations } from './pending-operations-routes.ts';
import type { MeasurementDeletionService } from './measurement-deletion-service.ts';
import { measurementRestrictions } from '../selection/measurement-parameters.ts';
import { MEASUREMENT_CHANGE_ERRORS, MEASUREMENT_PARAMETERS, MEASUREMENTS_TAG } from '../measurements-parameter-texts.ts';

export interface MeasurementDeleteDependencies {
  deletion: MeasurementDeletionService;
  operations: PendingOperations;
  /** Default of `caseSensitive` for requests without it. */
  caseSensitive: boolean;
}

/** Parses a boolean, or the words that clients send instead (spec: decisions.md 5.6). */
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
      deletes: { selectedBy: ['measurementUuids', 'partUuids', 'partPath', 'searchCondition'] },
      permission: 'measurement:write',
      deadline: 'long',
      documentation: {
        tag: MEASUREMENTS_TAG,
        summary: 'Delete measurements',
        description: `What is selected, in one piece or not at all; without a selection all measurements.
With \`runAsync\` the answer comes at once and names the operation in \`Location\`.`,
        parameters: {
          ...MEASUREMENT_PARAMETERS,
          deep: {
            description: 'Whether parts below are meant, too: true, false, DeleteDeep or DeleteForCurrentPartOnly; by default false',
            example: 'false',
          },
          runAsync: { description: 'Delete in the background; by default false', example: 'false' },
        },
        responses: {
          200: answers.done,
          202: {
            description: 'The deletion continues in the background; the answer has no body',
            headers: {
              Location: {
                description: 'Where the operation is found',
                example: 'http://127.0.0.1:8080/dataServiceRest/pendingOperations/7b0c1d2e-3f40-4a5b-8c6d-9e0f1a2b3c4d',
              },
            },
          },
        },
        errors: MEASUREMENT_CHANGE_ERRORS,
      },
      query,
      handle: async ({ query: { runAsync, searchCondition, caseSensitive: asked, ...restrictions }, context }) => {
        for (const name of ['measurementUuids', 'partUuids'] as const) {
          if (restrictions[name]?.length === 0)
            throw new ServiceError('InvalidRequest', `Parameter ${name}: The list is empty, so nothing was deleted. Name what to delete.`);
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
      deletes: 'item',
      permission: 'measurement:write',
      deadline: 'long',
      documentation: {
        tag: MEASUREMENTS_TAG,
        summary: 'Delete one measurement with its values',
        parameters: MEASUREMENT_PARAMETERS,
        responses: { 200: answers.done },
        errors: MEASUREMENT_CHANGE_ERRORS,
      },
      params: z.object({ uuid: uuidParameter }),
      handle: async ({ params, context }) => {
        await deletion.deleteOne(params.uuid, { ...workOf(context), principal: context.principal });
        return reply.empty();
      },
    }),
  ];
}
