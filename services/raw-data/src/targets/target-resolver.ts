import { ServiceError, type TargetEntity } from '@sinebar/contracts';
import { RequestFailedError, type Bus } from '@sinebar/message-bus';
import {
  resolveTargetsReplySchema,
  SERVICE_SUBJECTS,
  listPartsReplySchema,
  type ListPartsReply,
  type ResolveTargetsReply,
} from '@sinebar/runtime';

/** The part that owns a target, with its stored path at the time of the answer. */
export interface OwningPart {
  partUuid: string;
  path: string;
  /** Identity of the target; it changes when the target is deleted and recreated under its uuid. */
  identity?: string | undefined;
  /** Number that grows with every change of the values of the measurement; only for a value. */
  version?: number | undefined;
}

/** Most targets of one request. */
export const MAX_RESOLVE_BATCH = 1000;
const LIST_PAGE = 5000;
const TIMEOUT_MS = 10_000;

/** Asks the inspection service about targets. Every method throws a `ServiceError` 503 while it does not answer. */
export class TargetResolver {
  private readonly bus: Pick<Bus, 'request'>;

  constructor(bus: Pick<Bus, 'request'>) {
    this.bus = bus;
  }

  /** @returns `undefined` when the target does not exist */
  async resolve(target: TargetEntity, signal: AbortSignal): Promise<OwningPart | undefined> {
    const [part] = await this.resolveAll([target], signal);
    return part ?? undefined;
  }

  /** @param targets at most {@link MAX_RESOLVE_BATCH} @returns in the same order; `null` where the target does not exist */
  async resolveAll(targets: readonly TargetEntity[], signal: AbortSignal): Promise<(OwningPart | null)[]> {
    const reply = await this.ask(SERVICE_SUBJECTS.resolveTargets, { targets }, signal);
    const { targets: resolved }: ResolveTargetsReply = resolveTargetsReplySchema.parse(reply);
    if (resolved.length !== targets.length) throw new Error(`asked for ${targets.length} targets, got ${resolved.length}`);
    return resolved;
  }

  /** Lists all parts page by page, in the order of uuids. */
  async *listParts(signal: AbortSignal): AsyncIterable<ListPartsReply['parts']> {
    let after: string | undefined;
    for (;;) {
      const request = { limit: LIST_PAGE, ...(after !== undefined && { after }) };
      const reply = await this.ask(SERVICE_SUBJECTS.listParts, request, signal);
      const { parts, more } = listPartsReplySchema.parse(reply);
      if (parts.length > 0) yield parts;
      after = parts.at(-1)?.uuid;
      if (!more || after === undefined) return;
    }
  }

  private async ask(subject: string, question: unknown, signal: AbortSignal): Promise<unknown> {
    try {
      return await this.bus.request(subject, question, { signal, timeoutMs: TIMEOUT_MS });
    } catch (error) {
      if (!(error instanceof RequestFailedError)) throw error;
      // The database of the inspection service may be unavailable.
      throw new ServiceError('Unavailable', 'The inspection service could not say what exists. Try again in a few seconds.', {
        retryAfterSeconds: 5,
        cause: error,
      });
    }
  }
}
