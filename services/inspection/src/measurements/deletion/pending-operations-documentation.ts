import { operationStateSchema } from '@sinebar/contracts';
import { answers, type AnyRouteDocumentation } from '@sinebar/http';

const uuid = '7b0c1d2e-3f40-4a5b-8c6d-9e0f1a2b3c4d';

export const pendingOperationsDocumentation = {
  tag: 'Measurements',
  summary: 'How far a deletion in the background is',
  description: 'Waits up to ten seconds for its end. Finished operations are known for a day.',
  parameters: { uuid: { description: 'As `Location` named it', example: uuid } },
  responses: {
    200: answers.json('The state of the operation', operationStateSchema, {
      OperationUuid: uuid,
      ExecutionStatus: 'Finished',
      Exception: null,
    }),
  },
  errors: ['NotFound', 'Forbidden'],
} satisfies AnyRouteDocumentation;
