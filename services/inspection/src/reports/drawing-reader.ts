import { BusUnavailableError, RequestFailedError, RequestTimedOutError, type Bus } from '@sinebar/message-bus';
import type { ReportDrawing } from '@sinebar/report';
import { findDrawingReplySchema, SERVICE_SUBJECTS } from '@sinebar/runtime';

/** The drawing of a part without its balloons. */
export type FoundDrawing = Omit<ReportDrawing, 'balloons'>;

/** Longest wait for a drawing, ms: a large image takes the raw-data service up to 40 s. */
const TIMEOUT_MS = 45_000;

/** Asks the raw-data service for drawings; the caller has checked the right `rawData:read`. */
export class DrawingReader {
  private readonly bus: Pick<Bus, 'request'>;

  constructor(bus: Pick<Bus, 'request'>) {
    this.bus = bus;
  }

  /** @returns `undefined` where the part has no drawing; a problem where its files cannot be read now */
  async find(partUuid: string, signal: AbortSignal): Promise<FoundDrawing | undefined> {
    try {
      const reply = await this.bus.request(SERVICE_SUBJECTS.findDrawing, { partUuid }, { signal, timeoutMs: TIMEOUT_MS });
      const { name, image, page, refused } = findDrawingReplySchema.parse(reply);
      if (name === undefined) return undefined;
      if (image !== undefined) return { name, image: Buffer.from(image, 'base64') };
      return page === undefined ? { name, problem: refused ?? 'unreadable' } : { name, page: Buffer.from(page, 'base64') };
    } catch (error) {
      const isKnown = error instanceof BusUnavailableError || error instanceof RequestTimedOutError || error instanceof RequestFailedError;
      if (!isKnown) throw error;
      return { name: '', problem: 'unavailable' };
    }
  }
}
