import type { TargetEntity } from '@sinebar/contracts';
import type { Database } from '@sinebar/database';
import type { StreamState } from '@sinebar/message-bus';
import type { Logger } from '@sinebar/service-kit';
import { ObjectStore } from '../objects/object-store.js';
import { PartMirrorStore } from '../targets/part-mirror-store.js';
import { RESOLVE_BATCH, type TargetResolver } from '../targets/target-resolver.js';
import { announceDeleted, partTarget } from './change-applier.js';
import { FollowPositionStore } from './follow-position-store.js';

export interface RefillParts {
  database: Database;
  resolver: TargetResolver;
  onRemovalOrdered: () => void;
  log: Logger;
}

/** Of all files of what does not exist any more. */
interface Orphan {
  target: TargetEntity;
  partUuid: string;
}

const STATEMENT_TIMEOUT_MS = 280_000;

/**
 * Brings mirror and files up to date without the events: reads all parts, then asks which targets of files still exist. Runs before anything was
 * followed, and when the stream no longer holds what came next. It may stop at any place and begin anew: the position is stored at its end.
 */
export class MirrorRefill {
  private readonly parts: RefillParts;

  constructor(parts: RefillParts) {
    this.parts = parts;
  }

  /** @param state of the stream before anything is read: what is announced behind it is followed afterwards */
  async run(state: StreamState, signal: AbortSignal): Promise<void> {
    const options = { signal, statementTimeoutMs: STATEMENT_TIMEOUT_MS };
    const { database, resolver, log } = this.parts;
    const begun = performance.now();
    const generation = await database.write(options, (session) => new FollowPositionStore(session).nextGeneration());
    let count = 0;
    for await (const page of resolver.listParts(signal)) {
      count += page.length;
      await database.write(options, (session) => new PartMirrorStore(session).refill(page, generation));
    }
    const deleted = (await this.deleteGoneParts(generation, signal)) + (await this.deleteFilesOfGoneTargets(signal));
    await database.write(options, (session) => new FollowPositionStore(session).save({ epoch: state.epoch, sequence: state.lastSequence }));
    log.info(
      { parts: count, deletedFiles: deleted, durationMs: Math.round(performance.now() - begun) },
      'the mirror of the parts was filled',
    );
  }

  /** Parts that the listing did not show are asked for one by one: some may have been created while it ran. */
  private async deleteGoneParts(generation: number, signal: AbortSignal): Promise<number> {
    const options = { signal, statementTimeoutMs: STATEMENT_TIMEOUT_MS };
    let deleted = 0;
    let after: string | undefined;
    for (;;) {
      const page = await this.parts.database.read(options, (session) =>
        new PartMirrorStore(session).notSeenBy(generation, after, RESOLVE_BATCH),
      );
      if (page.length === 0) return deleted;
      after = page.at(-1);
      deleted += await this.deleteGone(
        page.map((uuid) => ({ target: partTarget(uuid), partUuid: uuid })),
        signal,
      );
    }
  }

  private async deleteFilesOfGoneTargets(signal: AbortSignal): Promise<number> {
    const options = { signal, statementTimeoutMs: STATEMENT_TIMEOUT_MS };
    let deleted = 0;
    let after: TargetEntity | undefined;
    for (;;) {
      const page = await this.parts.database.read(options, (session) => new ObjectStore(session).targetPage(after, RESOLVE_BATCH));
      if (page.length === 0) return deleted;
      after = page.at(-1)?.target;
      deleted += await this.deleteGone(page, signal);
    }
  }

  /** @returns how many files were deleted */
  private async deleteGone(candidates: readonly Orphan[], signal: AbortSignal): Promise<number> {
    const suspects = await this.missing(candidates, signal);
    if (suspects.length === 0) return 0;
    const options = { signal, statementTimeoutMs: STATEMENT_TIMEOUT_MS };
    const count = await this.parts.database.write(options, async (session) => {
      const mirror = new PartMirrorStore(session);
      const objects = new ObjectStore(session);
      await mirror.lockExclusive(suspects.map(({ partUuid }) => partUuid));
      // Asked again with uploads kept out: whatever is stored now belongs to a target that does not exist now, and not to one made again meanwhile.
      const gone = await this.missing(suspects, signal);
      let deleted = 0;
      for (const { target, partUuid } of gone) {
        const files =
          target.entity === 'Part'
            ? await objects.deleteOfParts([partUuid], 'all')
            : await objects.deleteOfTarget(target, undefined, 'all');
        announceDeleted(session, files, () => '');
        deleted += files.length;
      }
      const goneParts = gone.filter(({ target }) => target.entity === 'Part').map(({ partUuid }) => partUuid);
      await mirror.markDeleted(goneParts);
      await mirror.remove(goneParts);
      return deleted;
    });
    if (count > 0) this.parts.onRemovalOrdered();
    return count;
  }

  private async missing(candidates: readonly Orphan[], signal: AbortSignal): Promise<Orphan[]> {
    const present = await this.parts.resolver.resolveAll(
      candidates.map(({ target }) => target),
      signal,
    );
    return candidates.filter((_, i) => present[i] === null);
  }
}
