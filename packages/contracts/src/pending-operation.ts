import { z } from 'zod';
import { errorBodySchema } from './errors.ts';
import { importAnswerSchema } from './exchange.ts';

/** State of an operation that continues after its request. spec: decisions.md 5.7 */
export const operationStateSchema = z
  .object({
    OperationUuid: z.string(),
    ExecutionStatus: z.enum(['Running', 'Finished', 'Exception']),
    Exception: errorBodySchema.nullable().describe('Why it failed'),
    Progress: z
      .object({ done: z.int().min(0), total: z.int().min(0) })
      .optional()
      .describe('Of an import: bytes that were read; each is read twice'),
    Result: importAnswerSchema.optional().describe('Of an import that is finished: what it did'),
  })
  .meta({ id: 'PendingOperation' });
export type OperationState = z.infer<typeof operationStateSchema>;
