import { z } from 'zod';
import { targetEntitySchema } from '@sinebar/contracts';

/** Subjects of the requests that services answer for each other over the bus. */
export const SERVICE_SUBJECTS = {
  /** Asks which raw-data targets exist and which part owns them. */
  resolveTargets: 'sinebar.request.inspection.resolve-targets',
  /** Asks for one page of all parts with their stored paths. */
  listParts: 'sinebar.request.inspection.list-parts',
} as const;

export const resolveTargetsRequestSchema = z.object({ targets: z.array(targetEntitySchema).max(1000) });

/**
 * Answer to {@link SERVICE_SUBJECTS.resolveTargets}: `targets` is in the order of the request, `null` where a target does not exist.
 * `identity` differs when a target was deleted and created again under its uuid. `version`, of values only, grows with every change of the
 * values of their measurement (see `valuesVersion` of a change event). A service of an older release sends neither.
 */
export const resolveTargetsReplySchema = z.object({
  targets: z.array(
    z.object({ partUuid: z.string(), path: z.string(), identity: z.string().optional(), version: z.number().int().optional() }).nullable(),
  ),
});
export type ResolveTargetsReply = z.infer<typeof resolveTargetsReplySchema>;

export const listPartsRequestSchema = z.object({
  /** Uuid of the last part of the previous page; pages are in the order of uuids. */
  after: z.string().optional(),
  limit: z.int().min(1).max(5000),
});

export const listPartsReplySchema = z.object({
  parts: z.array(z.object({ uuid: z.string(), path: z.string() })),
  /** False on the last page. */
  more: z.boolean(),
});
export type ListPartsReply = z.infer<typeof listPartsReplySchema>;
