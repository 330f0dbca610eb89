import { z } from 'zod';

const status = z.enum(['Healthy', 'Unhealthy']);

/** spec: decisions.md 9 */
export const healthSchema = z
  .object({
    status,
    details: z
      .array(z.object({ name: z.string(), status, detail: z.string() }))
      .describe('What the server depends on, one by one; only for who signs in or asks from the same machine')
      .optional(),
  })
  .meta({ id: 'Health' });
export type Health = z.infer<typeof healthSchema>;
