import type { WriteSession } from '@sinebar/database';
import { ObjectStore } from '../objects/object-store.ts';
import type { RawDataObject } from '../objects/raw-data-object.ts';
import { MAX_RESOLVE_BATCH, type OwningPart, type TargetResolver } from '../targets/target-resolver.ts';
import { FileGroupStore, type FileGroup } from './file-group-store.ts';

export interface MisplacedFiles {
  group: FileGroup;
  /** Current owner; `undefined` when the files are to be deleted, because their target was deleted or recreated. */
  owner: OwningPart | undefined;
}

/**
 * Asks which files belong to a target that was deleted, recreated or moved to another part. Compares targets by identity, not by time.
 * The answer stays valid without a transaction: identities are never reused, and a later move or deletion has a later event.
 */
export async function findMisplacedFiles(
  resolver: TargetResolver,
  groups: readonly FileGroup[],
  signal: AbortSignal,
): Promise<MisplacedFiles[]> {
  const found: MisplacedFiles[] = [];
  for (let i = 0; i < groups.length; i += MAX_RESOLVE_BATCH) {
    const batch = groups.slice(i, i + MAX_RESOLVE_BATCH);
    const present = await resolver.resolveAll(
      batch.map(({ target }) => target),
      signal,
    );
    batch.forEach((group, index) => {
      const owner = present[index] ?? undefined;
      if (!owner || isRecreated(owner, group) || isRemoved(group)) found.push({ group, owner: undefined });
      else if (owner.partUuid !== group.partUuid) found.push({ group, owner });
    });
  }
  return found;
}

/**
 * Deletes files whose target no longer exists or was recreated, and reassigns files whose target moved.
 * Skips files that were replaced since the request: their upload has a newer answer.
 * @returns the deleted files
 */
export async function settleFiles(session: WriteSession, misplaced: readonly MisplacedFiles[]): Promise<RawDataObject[]> {
  if (misplaced.length === 0) return [];
  const files = new FileGroupStore(session);
  const unchanged = await files.lockUnchanged(misplaced.map(({ group }) => group));
  const deleted: string[] = [];
  for (const { group, owner } of misplaced) {
    const ids = group.ids.filter((id) => unchanged.has(id));
    if (!owner) deleted.push(...ids);
    else await files.setPart(ids, owner.partUuid);
  }
  return deleted.length === 0 ? [] : new ObjectStore(session).deleteByIds(deleted);
}

/** Whether the value was removed and added again after the file was written. Unknown for files without a stored version. */
function isRemoved({ version, removedBefore = 0 }: FileGroup): boolean {
  return version !== null && version < removedBefore;
}

/** Unknown for files without a stored identity: they stay with the target that has the uuid now. */
function isRecreated({ identity }: OwningPart, group: FileGroup): boolean {
  return identity !== undefined && group.identity !== null && identity !== group.identity;
}
