import type { TargetEntity } from '@sinebar/contracts';
import type { Database, WriteSession } from '@sinebar/database';
import type { StreamState } from '@sinebar/message-bus';
import type { Logger } from '@sinebar/runtime';
import { PartMirrorStore } from '../targets/part-mirror-store.ts';
import { MAX_RESOLVE_BATCH, type TargetResolver } from '../targets/target-resolver.ts';
import { announceDeleted, partTarget } from './change-applier.ts';
import { FileGroupStore } from './file-group-store.ts';
import { FollowPositionStore } from './follow-position-store.ts';
import { findMisplacedFiles, settleFiles, type MisplacedFiles } from './settle-files.ts';

export interface RefillDependencies {
  database: Database;
  resolver: TargetResolver;
  onRemovalOrdered: () => void;
  log: Logger;
}

const STATEMENT_TIMEOUT_MS = 280_000;

/**
 * Updates mirror and files without events: reads all parts, asks which targets of files still exist and where, and removes missing parts.
 * Targets that moved out of missing parts keep their files.
 * Runs at the first start, and when the stream no longer holds the next event. The position is stored at the end, so an interrupted run is
 * repeated.
 */
export class MirrorRefill {
  private readonly deps: RefillDependencies;

  constructor(deps: RefillDependencies) {
    this.deps = deps;
  }

  /** @param state of the stream before the first read: later events are followed afterwards */
  async run(state: StreamState, signal: AbortSignal): Promise<void> {
    const options = { signal, statementTimeoutMs: STATEMENT_TIMEOUT_MS };
    const { database, resolver, log } = this.deps;
    const begun = performance.now();
    const generation = await database.write(options, async (session) => {
      // Files of earlier uploads are read below; later uploads ask after this moment.
      await new PartMirrorStore(session).lockAllExclusive();
      return new FollowPositionStore(session).nextGeneration();
    });
    let count = 0;
    for await (const page of resolver.listParts(signal)) {
      count += page.length;
      await database.write(options, async (session) => {
        const mirror = new PartMirrorStore(session);
        await mirror.refill(page, generation);
        // The event that a marked part exists again may have been lost.
        await mirror.unmark(page.map(({ uuid }) => uuid));
      });
    }
    const deleted = (await this.settleAll(signal)) + (await this.dropGoneParts(generation, signal));
    await database.write(options, (session) => new FollowPositionStore(session).save({ epoch: state.epoch, sequence: state.lastSequence }));
    log.info({ parts: count, deletedFiles: deleted, durationMs: Math.round(performance.now() - begun) }, 'the part mirror was filled');
  }

  private async settleAll(signal: AbortSignal): Promise<number> {
    const options = { signal, statementTimeoutMs: STATEMENT_TIMEOUT_MS };
    let deleted = 0;
    let after: TargetEntity | undefined;
    for (;;) {
      const page = await this.deps.database.read(options, (session) => new FileGroupStore(session).page(after, MAX_RESOLVE_BATCH));
      if (page.length === 0) return deleted;
      after = page.at(-1)?.target;
      const misplaced = await findMisplacedFiles(this.deps.resolver, page, signal);
      if (misplaced.length > 0) deleted += await this.write((session) => settle(session, misplaced), signal);
    }
  }

  /** Asks for each part missing in the listing, because it may have been created meanwhile. */
  private async dropGoneParts(generation: number, signal: AbortSignal): Promise<number> {
    const options = { signal, statementTimeoutMs: STATEMENT_TIMEOUT_MS };
    let deleted = 0;
    let after: string | undefined;
    for (;;) {
      const page = await this.deps.database.read(options, (session) =>
        new PartMirrorStore(session).notSeenBy(generation, after, MAX_RESOLVE_BATCH),
      );
      if (page.length === 0) return deleted;
      after = page.at(-1);
      const suspects = await this.missing(page, signal);
      if (suspects.length === 0) continue;
      deleted += await this.dropParts(suspects, signal);
    }
  }

  /** Blocks uploads to the parts, asks again which of them are missing, and removes those with their files. */
  private async dropParts(suspects: readonly string[], signal: AbortSignal): Promise<number> {
    const { database, resolver } = this.deps;
    const options = { signal, statementTimeoutMs: STATEMENT_TIMEOUT_MS };
    await database.write(options, async (session) => {
      const mirror = new PartMirrorStore(session);
      await mirror.lockExclusive(suspects);
      await mirror.changeRevisions(suspects);
      await mirror.markDeleted(suspects);
    });
    const missing = await this.missing(suspects, signal);
    const groups = await database.read(options, (session) => new FileGroupStore(session).ofParts(missing));
    const misplaced = await findMisplacedFiles(resolver, groups, signal);
    return this.write(async (session) => {
      const mirror = new PartMirrorStore(session);
      const count = await settle(session, misplaced);
      await mirror.remove(missing);
      await mirror.unmark(suspects.filter((uuid) => !missing.includes(uuid)));
      return count;
    }, signal);
  }

  /** @param work returns the number of deleted files */
  private async write(work: (session: WriteSession) => Promise<number>, signal: AbortSignal): Promise<number> {
    const count = await this.deps.database.write({ signal, statementTimeoutMs: STATEMENT_TIMEOUT_MS }, work);
    if (count > 0) this.deps.onRemovalOrdered();
    return count;
  }

  private async missing(partUuids: readonly string[], signal: AbortSignal): Promise<string[]> {
    const present = await this.deps.resolver.resolveAll(partUuids.map(partTarget), signal);
    return partUuids.filter((_, i) => present[i] === null);
  }
}

/** @returns the number of deleted files */
async function settle(session: WriteSession, misplaced: readonly MisplacedFiles[]): Promise<number> {
  const deleted = await settleFiles(session, misplaced);
  announceDeleted(session, deleted, () => '');
  return deleted.length;
}
