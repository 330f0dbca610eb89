import type { TargetEntity } from '@sinebar/contracts';
import type { Database, WriteSession } from '@sinebar/database';
import type { StreamState } from '@sinebar/message-bus';
import type { Logger } from '@sinebar/runtime';
import { PartMirrorStore } from '../targets/part-mirror-store.js';
import { RESOLVE_BATCH, type TargetResolver } from '../targets/target-resolver.js';
import { announceDeleted, partTarget } from './change-applier.js';
import { FileGroupStore, type FileGroup } from './file-group-store.js';
import { FollowPositionStore } from './follow-position-store.js';
import { settleFiles, unsettled } from './settle-files.js';

export interface RefillDependencies {
  database: Database;
  resolver: TargetResolver;
  onRemovalOrdered: () => void;
  log: Logger;
}

const STATEMENT_TIMEOUT_MS = 280_000;

/**
 * Brings mirror and files up to date without the events: reads all parts, then asks which targets of files still exist, and where. Only then are parts
 * dropped that are gone: what has moved out of them meanwhile takes its files along. Runs before anything was
 * followed, and when the stream no longer holds what came next. It may stop at any place and begin anew: the position is stored at its end.
 */
export class MirrorRefill {
  private readonly deps: RefillDependencies;

  constructor(deps: RefillDependencies) {
    this.deps = deps;
  }

  /** @param state of the stream before anything is read: what is announced behind it is followed afterwards */
  async run(state: StreamState, signal: AbortSignal): Promise<void> {
    const options = { signal, statementTimeoutMs: STATEMENT_TIMEOUT_MS };
    const { database, resolver, log } = this.deps;
    const begun = performance.now();
    const generation = await database.write(options, (session) => new FollowPositionStore(session).nextGeneration());
    let count = 0;
    for await (const page of resolver.listParts(signal)) {
      count += page.length;
      await database.write(options, (session) => new PartMirrorStore(session).refill(page, generation));
    }
    const deleted = (await this.settleAll(signal)) + (await this.dropGoneParts(generation, signal));
    await database.write(options, (session) => new FollowPositionStore(session).save({ epoch: state.epoch, sequence: state.lastSequence }));
    log.info(
      { parts: count, deletedFiles: deleted, durationMs: Math.round(performance.now() - begun) },
      'the mirror of the parts was filled',
    );
  }

  private async settleAll(signal: AbortSignal): Promise<number> {
    const options = { signal, statementTimeoutMs: STATEMENT_TIMEOUT_MS };
    let deleted = 0;
    let after: TargetEntity | undefined;
    for (;;) {
      const page = await this.deps.database.read(options, (session) => new FileGroupStore(session).page(after, RESOLVE_BATCH));
      if (page.length === 0) return deleted;
      after = page.at(-1)?.target;
      const suspects = (await unsettled(this.deps.resolver, page, signal)).map(({ group }) => group);
      if (suspects.length === 0) continue;
      const parts = suspects.map(({ partUuid }) => partUuid);
      deleted += await this.underLock(parts, (session) => this.settleAgain(session, suspects, signal), signal);
    }
  }

  /** With uploads kept out: whatever is stored now belongs to a target that does not exist now, and not to one made again meanwhile. */
  private async settleAgain(session: WriteSession, suspects: readonly FileGroup[], signal: AbortSignal): Promise<number> {
    const groups = await new FileGroupStore(session).ofTargets(suspects.map(({ target }) => target));
    return this.settle(session, groups, signal);
  }

  /** Parts that the listing did not show are asked for one by one: some may have been created while it ran. */
  private async dropGoneParts(generation: number, signal: AbortSignal): Promise<number> {
    const options = { signal, statementTimeoutMs: STATEMENT_TIMEOUT_MS };
    let deleted = 0;
    let after: string | undefined;
    for (;;) {
      const page = await this.deps.database.read(options, (session) =>
        new PartMirrorStore(session).notSeenBy(generation, after, RESOLVE_BATCH),
      );
      if (page.length === 0) return deleted;
      after = page.at(-1);
      const suspects = await this.missing(page, signal);
      if (suspects.length === 0) continue;
      deleted += await this.underLock(suspects, (session) => this.dropParts(session, suspects, signal), signal);
    }
  }

  private async dropParts(session: WriteSession, suspects: readonly string[], signal: AbortSignal): Promise<number> {
    const mirror = new PartMirrorStore(session);
    const deleted = await this.missing(suspects, signal);
    // Of uploads that ended since the files were looked through.
    const count = await this.settle(session, await new FileGroupStore(session).ofParts(deleted), signal);
    await mirror.markDeleted(deleted);
    await mirror.remove(deleted);
    return count;
  }

  /** @returns how many files were deleted */
  private async settle(session: WriteSession, groups: readonly FileGroup[], signal: AbortSignal): Promise<number> {
    const deleted = await settleFiles(session, this.deps.resolver, groups, signal);
    announceDeleted(session, deleted, () => '');
    return deleted.length;
  }

  /** @param work returns how many files it deleted */
  private async underLock(
    partUuids: readonly string[],
    work: (session: WriteSession) => Promise<number>,
    signal: AbortSignal,
  ): Promise<number> {
    const count = await this.deps.database.write({ signal, statementTimeoutMs: STATEMENT_TIMEOUT_MS }, async (session) => {
      await new PartMirrorStore(session).lockExclusive([...new Set(partUuids)]);
      return work(session);
    });
    if (count > 0) this.deps.onRemovalOrdered();
    return count;
  }

  private async missing(partUuids: readonly string[], signal: AbortSignal): Promise<string[]> {
    const present = await this.deps.resolver.resolveAll(partUuids.map(partTarget), signal);
    return partUuids.filter((_, i) => present[i] === null);
  }
}
