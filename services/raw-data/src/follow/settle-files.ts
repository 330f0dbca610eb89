import type { WriteSession } from '@sinebar/database';
import { ObjectStore } from '../objects/object-store.js';
import type { RawDataObject } from '../objects/raw-data-object.js';
import { RESOLVE_BATCH, type OwningPart, type TargetResolver } from '../targets/target-resolver.js';
import { FileGroupStore, type FileGroup } from './file-group-store.js';

/** Files that are not where they belong. */
export interface MisplacedFiles {
  group: FileGroup;
  /** Where they belong; `undefined`: their target was deleted or recreated, so that they are to be deleted. */
  owner: OwningPart | undefined;
}

/**
 * Asks which files belong to a target that was deleted, recreated or moved to another part. Targets are compared by identity, not by time.
 * Outside of any transaction; the answer stays valid: an identity is never used again, and a later move or deletion has a later event.
 */
export async function findMisplacedFiles(
  resolver: TargetResolver,
  groups: readonly FileGroup[],
  signal: AbortSignal,
): Promise<MisplacedFiles[]> {
  const found: MisplacedFiles[] = [];
  for (let i = 0; i < groups.length; i += RESOLVE_BATCH) {
    const batch = groups.slice(i, i + RESOLVE_BATCH);
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
 * Deletes files whose target no longer exists or was recreated, and reassigns files whose target moved. Leaves files alone that were
 * replaced since they were asked about: their upload has a newer answer.
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

/** The value was removed and came back: only files written since belong to it. Unknown for files from before versions were kept. */
function isRemoved({ version, removedBefore = 0 }: FileGroup): boolean {
  return version !== null && version < removedBefore;
}

/** Unknown for files from before identities were kept: they stay with the present target of that uuid. */
function isRecreated({ identity }: OwningPart, group: FileGroup): boolean {
  return identity !== undefined && group.identity !== null && identity !== group.identity;
}
