import type { IncomingMessage } from 'node:http';
import { userKeyOf } from '@sinebar/access-control';
import type { Authenticator } from '@sinebar/authentication';
import { changePageSchema, invalidField } from '@sinebar/contracts';
import { answers, defineRoute, reply, type PerUserLimit, type Route } from '@sinebar/http';
import { interfaceInformationSchema, SUPPORTED_VERSIONS } from '@sinebar/runtime';
import { z } from 'zod';
import { parseResumePoint } from '../dispatch/resume-point.ts';
import type { ConnectionLimits } from '../connections/connection-limits.ts';
import type { ChangeFeed } from './change-feed.ts';

const EXAMPLE_SEQUENCE = 'mXoS3xJ5.1042.0';

const DEFAULT_LIMIT = 1_000;
const MAX_LIMIT = 10_000;
/** Maximum wait in seconds, well below the deadline of a read (60 s). */
const MAX_WAIT = 30;

const wholeNumber = (min: number, max: number, fallback: number) =>
  z
    .string()
    .regex(/^\d{1,6}$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be from ${min} to ${max}`)
    .default(fallback);

const changesQuery = z.object({
  after: z.string().optional(),
  limit: wholeNumber(1, MAX_LIMIT, DEFAULT_LIMIT),
  wait: wholeNumber(0, MAX_WAIT, 0),
});

export interface ChangesRoutesOptions {
  feed: ChangeFeed;
  authenticator: Pick<Authenticator, 'authenticate'>;
  addressOf: (request: IncomingMessage) => string;
  /** Waiting requests count as open connections. */
  limits: ConnectionLimits;
  /** Limits the waiting requests of one user. */
  waiting: PerUserLimit;
}

/** Makes the routes of the feed, for programs without sockets (spec: decisions.md 7.2). */
export function changesRoutes({ feed, authenticator, addressOf, limits, waiting }: ChangesRoutesOptions): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/eventServiceRest',
      documentation: {
        tag: 'Events',
        summary: 'Versions of the event interface',
        responses: {
          200: answers.json('The versions', interfaceInformationSchema, { supportedVersions: SUPPORTED_VERSIONS.eventService }),
        },
        errors: [],
      },
      permission: 'open',
      deadline: 'read',
      handle: () => Promise.resolve(reply.json({ supportedVersions: SUPPORTED_VERSIONS.eventService })),
    }),
    defineRoute({
      method: 'GET',
      path: '/eventServiceRest/changes',
      documentation: {
        tag: 'Events',
        summary: 'What happened behind a point',
        description: [
          'For programs that ask instead of listening. Without `after` the answer holds no changes, only where the stream ends now.',
          'The events themselves come over Socket.IO at `/events` and `/socket.io`, and over SignalR at `/events`,',
          'which this document does not describe.',
        ].join('\n'),
        parameters: {
          after: { description: 'Sequence of an event, or `next` of an earlier answer', example: EXAMPLE_SEQUENCE },
          limit: { description: 'Changes in the answer, at most: 1 to 10,000, by default 1,000', example: '100' },
          wait: { description: 'Seconds to wait for something to happen when nothing has: 0 to 30, by default 0', example: '0' },
        },
        responses: {
          200: answers.json('The changes, the oldest first, as far as the caller may see them', changePageSchema, {
            changes: [
              {
                event: 'PartCreated',
                data: { PartUuid: '05040c4c-f0af-46b8-810e-30c0c00a379e', ParentPartUuid: '00000000-0000-0000-0000-000000000000' },
                meta: { id: '3f2b7c1a-8a8e-4a39-9c7e-6f0d3f6a1b22.0', time: '2026-01-05T08:30:00.000Z', sequence: EXAMPLE_SEQUENCE },
              },
            ],
            next: EXAMPLE_SEQUENCE,
          }),
        },
        errors: ['TooManyRequests', 'Unauthenticated'],
      },
      permission: 'signed-in',
      deadline: 'read',
      query: changesQuery,
      handle: async ({ query, headers, stream, context: { signal } }) => {
        const after = query.after === undefined ? undefined : parseResumePoint(query.after);
        if (query.after !== undefined && !after) {
          throw invalidField(
            'query.after',
            'is no sequence',
            'The parameter after is no sequence. Send the sequence of an event, or the member next of an earlier answer.',
          );
        }
        const address = addressOf(stream);
        // The shell identifies the user but not the end of its credentials, which a waiting request may outlive.
        const signIn = await authenticator.authenticate({ authorization: headers.authorization, address });
        const releases: (() => void)[] = [];
        try {
          if (query.wait > 0) {
            releases.push(waiting.enter(signIn.principal, stream));
            releases.push(limits.enter(userKeyOf(signIn.principal), address));
          }
          const page = await feed.page({ signIn, after, limit: query.limit, waitMs: query.wait * 1000, signal });
          return reply.json(page, 200, { 'Cache-Control': 'no-store' });
        } finally {
          for (const release of releases) release();
        }
      },
    }),
  ];
}
