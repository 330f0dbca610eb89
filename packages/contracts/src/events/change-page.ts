import { z } from 'zod';
import { EVENT_NAMES } from './events.ts';

/** Second argument of every event on a socket (spec: decisions.md 7.2). */
const eventMetaSchema = z.object({
  id: z.string().describe('Unique per event: the same after a repeated delivery, so that a client can drop what it has seen'),
  time: z.string().describe('ISO 8601, UTC, milliseconds'),
  sequence: z.string().describe('Opaque; send it back as `auth.lastSequence`, or as `after`, to resume behind this event'),
});
export type EventMeta = z.infer<typeof eventMetaSchema>;

export const changePageSchema = z
  .object({
    changes: z.array(
      z.object({
        event: z.enum(EVENT_NAMES),
        data: z.unknown().describe('Payload of the event; its members depend on the name: see docs/events.md'),
        meta: eventMetaSchema,
      }),
    ),
    next: z.string().describe('Where the next page begins: `after` of the next request'),
    gap: z
      .literal(true)
      .optional()
      .describe('What followed `after` is no longer kept: read the current state again, then continue from `next`'),
  })
  .meta({ id: 'ChangePage' });
export type ChangePage = z.infer<typeof changePageSchema>;
