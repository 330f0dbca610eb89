import { chooseDrawing } from '@sinebar/contracts';
import { Semaphore } from '@sinebar/concurrency';
import type { Database } from '@sinebar/database';
import type { Bus, Subscription } from '@sinebar/message-bus';
import { findDrawingRequestSchema, MAX_DRAWING_BYTES, SERVICE_SUBJECTS, type FindDrawingReply } from '@sinebar/runtime';
import { BlobMissingError } from '../blobs/blob-store.ts';
import { ObjectStore } from '../objects/object-store.ts';
import type { RawDataObject } from '../objects/raw-data-object.ts';
import { renderImage, type RenderDependencies } from '../thumbnails/render-image.ts';
import { NoThumbnailError } from '../thumbnails/thumbnail-maker.ts';

export interface DrawingDependencies extends RenderDependencies {
  database: Database;
}

/** Time within which a drawing has to be read, ms; the asking service waits a little longer. */
const TIMEOUT_MS = 40_000;
const STATEMENT_TIMEOUT_MS = 10_000;

/** Answers the inspection service, which asks for the drawing of a report and has checked its reader. spec: decisions.md 13.6 */
export function answerDrawingRequests(bus: Bus, deps: DrawingDependencies): Promise<Subscription> {
  const oneAtATime = new Semaphore(1);
  return bus.respond(SERVICE_SUBJECTS.findDrawing, async (body): Promise<FindDrawingReply> => {
    const { partUuid } = findDrawingRequestSchema.parse(body);
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const files = await deps.database.read({ signal, statementTimeoutMs: STATEMENT_TIMEOUT_MS }, (session) =>
      new ObjectStore(session).allOf({ entity: 'Part', uuid: partUuid }),
    );
    const file = chooseDrawing(files);
    return file === undefined ? {} : { name: file.fileName, ...(await oneAtATime.run(signal, () => render(deps, file, signal))) };
  });
}

async function render(deps: DrawingDependencies, file: RawDataObject, signal: AbortSignal): Promise<Omit<FindDrawingReply, 'name'>> {
  try {
    const { bytes, mimeType } = await renderImage(deps, file, { maxBytes: MAX_DRAWING_BYTES, signal });
    const text = Buffer.from(bytes).toString('base64');
    return mimeType === 'application/pdf' ? { page: text } : { image: text };
  } catch (error) {
    if (error instanceof BlobMissingError) return { refused: 'unreadable' };
    if (!(error instanceof NoThumbnailError)) throw error;
    const { refusal } = error;
    return { refused: refusal === 'pixels' || refusal === 'size' || refusal === 'encrypted' ? refusal : 'unreadable' };
  }
}
