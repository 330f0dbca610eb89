import { changePageSchema, interfaceInformationSchema } from '@sinebar/contracts';
import { answers, type AnyRouteDocumentation } from '@sinebar/http';

/** Versions of the interface below `/eventServiceRest`. */
export const FEED_VERSIONS = ['1.0.0'];

const tag = 'Events';
const sequence = 'mXoS3xJ5.1042.0';

export const changesDocumentation = {
  versions: {
    tag,
    summary: 'Versions of the event interface',
    responses: { 200: answers.json('The versions', interfaceInformationSchema, { supportedVersions: FEED_VERSIONS }) },
    errors: [],
  },
  changes: {
    tag,
    summary: 'What happened behind a point',
    description: `For programs that ask instead of listening. Without \`after\` the answer holds no changes, only where the stream ends now. The events themselves come over
Socket.IO at \`/events\` and \`/socket.io\`, and over SignalR at \`/events\`, which this document does not describe.`,
    parameters: {
      after: { description: 'Sequence of an event, or `next` of an earlier answer', example: sequence },
      limit: { description: 'Changes in the answer, at most: 1 to 10,000, by default 1,000', example: '100' },
      wait: { description: 'Seconds to wait for something to happen when nothing has: 0 to 30, by default 0', example: '0' },
    },
    responses: {
      200: answers.json('The changes, the oldest first, as far as the caller may see them', changePageSchema, {
        changes: [
          {
            event: 'PartCreated',
            data: { PartUuid: '05040c4c-f0af-46b8-810e-30c0c00a379e', ParentPartUuid: '00000000-0000-0000-0000-000000000000' },
            meta: { id: '3f2b7c1a-8a8e-4a39-9c7e-6f0d3f6a1b22.0', time: '2026-01-05T08:30:00.000Z', sequence },
          },
        ],
        next: sequence,
      }),
    },
    errors: ['TooManyRequests', 'Unauthenticated'],
  },
} satisfies Record<string, AnyRouteDocumentation>;
