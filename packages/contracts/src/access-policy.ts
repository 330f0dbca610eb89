import { z } from 'zod';
import { PART_RIGHTS, SERVER_RIGHTS } from './rights.ts';

const right = z.enum([...PART_RIGHTS, ...SERVER_RIGHTS]);
const roles = z.array(z.string()).describe('Names of roles');

/** The access policy in force, without passwords. */
export const accessPolicySchema = z
  .object({
    version: z.string().describe('Equal for equal policies'),
    roles: z.array(
      z.object({
        name: z.string(),
        description: z.string().optional(),
        grants: z.array(
          z.object({
            path: z.string().optional().describe('As the file writes it; absent: the whole server'),
            rights: z.array(right),
          }),
        ),
      }),
    ),
    users: z.array(z.object({ name: z.string(), roles })),
    claims: z.array(
      z.object({
        claim: z.array(z.string()).describe('The name of a claim, or the names that lead to a nested one'),
        value: z.union([z.string(), z.number(), z.boolean()]).optional(),
        roles,
      }),
    ),
    explanation: z
      .object({
        roles,
        rights: z.array(
          z.object({
            right,
            isHeld: z.boolean(),
            grants: z
              .array(z.object({ role: z.string(), path: z.string().optional() }))
              .describe('The grants that give it; without a path, for the whole server'),
          }),
        ),
      })
      .optional()
      .describe('What the user, or a user with the role, may do on the part, and why; only when asked for'),
  })
  .meta({ id: 'AccessPolicy' });
export type AccessPolicyAnswer = z.infer<typeof accessPolicySchema>;
