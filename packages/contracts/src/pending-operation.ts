import { z } from 'zod';
import { errorBodySchema } from './errors.js';

/** State of an operation that continues after its request. spec: decisions.md 5.7 */
export const operationStateSchema = z
  .object({
    OperationUuid: z.string(),
    ExecutionStatus: z.enum(['Running', 'Finished', 'Exception']),
    Exception: errorBodySchema.nullable().describe('Why it failed'),
  })
  .meta({ id: 'PendingOperation' });
export type OperationState = z.infer<typeof operationStateSchema>;
