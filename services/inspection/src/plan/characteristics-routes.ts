import { answers, defineRoute, reply, uuidListParameter, type Route } from '@sinebar/http';
import { z } from 'zod';
import { PLAN_PARAMETERS, TAGS } from './plan-parameter-texts.ts';
import { callerOf, chosenOf, PATHS, planItemRoutes, type PlanRouteDependencies } from './plan-item-routes.ts';
import { characteristicPathParameter } from './plan-parameters.ts';

/** spec: inspection-service.md, Characteristics */
export function characteristicsRoutes(deps: PlanRouteDependencies): Route[] {
  return [
    ...planItemRoutes('characteristic', deps),
    defineRoute({
      method: 'DELETE',
      path: PATHS.characteristic,
      deletes: { selectedBy: ['charUuids', 'charPath'] },
      permission: 'plan:write',
      deadline: 'long',
      documentation: {
        tag: TAGS.characteristic,
        summary: 'Delete characteristics with everything below them',
        description: 'Their values and files go with them. One of the parameters is needed.',
        parameters: {
          ...PLAN_PARAMETERS,
          charPath: { description: 'The characteristic; `charUuids` takes precedence over it', example: '/Pump/Diameter' },
        },
        responses: { 200: answers.done },
        errors: ['NotFound', 'Conflict'],
      },
      query: z.object({ charUuids: uuidListParameter.optional(), charPath: characteristicPathParameter.optional() }),
      handle: async ({ query: { charUuids, charPath }, context }) => {
        const selection = chosenOf(charUuids, charPath, 'charUuids={uuid,uuid} or charPath=/part/characteristic');
        await deps.plan.delete('characteristic', selection, callerOf(context));
        return reply.empty();
      },
    }),
  ];
}
