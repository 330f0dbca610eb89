import { z } from 'zod';
import { targetEntitySchema } from '@sinebar/contracts';

/** Subjects of the requests that services answer for each other over the bus. */
export const SERVICE_SUBJECTS = {
  /** Asks which raw-data targets exist and which part owns them. */
  resolveTargets: 'sinebar.request.inspection.resolve-targets',
  /** Asks for one page of all parts with their stored paths. */
  listParts: 'sinebar.request.inspection.list-parts',
  /** Asks the raw-data service for the drawing of a part as an image of moderate size. */
  findDrawing: 'sinebar.request.raw-data.find-drawing',
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

export const findDrawingRequestSchema = z.object({ partUuid: z.uuid() });

/** Most bytes of the image or page of a drawing: its reply is text in Base64, and NATS carries messages of 1 MiB. */
export const MAX_DRAWING_BYTES = 720_000;
/** Most pixels of a file that is drawn. */
export const MAX_DRAWING_PIXELS = 50_000_000;

/** Answer to {@link SERVICE_SUBJECTS.findDrawing}: empty where the part has no drawing, else its name with image, page or reason. */
export const findDrawingReplySchema = z.object({
  name: z.string().optional(),
  /** JPEG or PNG in Base64, at most {@link MAX_DRAWING_BYTES} bytes. */
  image: z.string().optional(),
  /** PDF of one page, which is one form, in Base64, at most {@link MAX_DRAWING_BYTES} bytes. */
  page: z.string().optional(),
  /** `pixels`: it has too many; `size`: its page is too large; `encrypted`: a PDF; `unreadable`: damaged, or no image or PDF. */
  refused: z.enum(['pixels', 'size', 'encrypted', 'unreadable']).optional().catch('unreadable'),
});
export type FindDrawingReply = z.infer<typeof findDrawingReplySchema>;
