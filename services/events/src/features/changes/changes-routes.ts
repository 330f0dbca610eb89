import { ServiceError } from '@sinebar/contracts';
import type { Bus } from '@sinebar/message-bus';
import { defineRoute, reply, type Route } from '@sinebar/service-kit';
import { z } from 'zod';
import { parseResumePoint } from '../dispatch/resume-point.js';
import { readChanges } from './change-reader.js';

/** Versions of the interface below `/eventServiceRest`. */
const SUPPORTED_VERSIONS = ['1.0.0'];
const DEFAULT_LIMIT = 1_000;
const MAX_LIMIT = 10_000;

const changesQuery = z.object({
  after: z.string().optional(),
  limit: z
    .string()
    .regex(/^\d{1,6}$/, 'must be a whole number')
    .transform(Number)
    .refine((limit) => limit >= 1 && limit <= MAX_LIMIT, `must be from 1 to ${MAX_LIMIT}`)
    .default(DEFAULT_LIMIT),
});

/** The feed for programs that ask instead of listening (spec: decisions.md 7.2). */
export function changesRoutes(bus: Pick<Bus, 'subscribe' | 'streamState'>): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/eventServiceRest',
      permission: 'open',
      deadline: 'read',
      handle: () => Promise.resolve(reply.json({ supportedVersions: SUPPORTED_VERSIONS })),
    }),
    defineRoute({
      method: 'GET',
      path: '/eventServiceRest/changes',
      permission: 'signed-in',
      deadline: 'read',
      query: changesQuery,
      handle: async ({ query, context: { principal, signal } }) => {
        const after = query.after === undefined ? undefined : parseResumePoint(query.after);
        if (query.after !== undefined && !after) {
          throw new ServiceError(
            'InvalidRequest',
            'after is no sequence: send back the sequence of an event, or the member next of an earlier answer',
            {
              details: [{ field: 'query.after', message: 'is no sequence' }],
            },
          );
        }
        return reply.json(await readChanges({ bus, principal, after, limit: query.limit, signal }), 200, { 'Cache-Control': 'no-store' });
      },
    }),
  ];
}
