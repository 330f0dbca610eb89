import type { WriteSession } from '@sinebar/database';
import { ObjectStore } from '../objects/object-store.js';
import type { RawDataObject } from '../objects/raw-data-object.js';
import { RESOLVE_BATCH, type OwningPart, type TargetResolver } from '../targets/target-resolver.js';
import { FileGroupStore, type FileGroup } from './file-group-store.js';

/**
 * Holds files against what exists now: those whose target is gone are deleted, and so are those of a target that was made again since under the same uuid;
 * or of a value that was taken away and came back; those whose target went to another part go there. No clock is asked: whether a file belongs to what was deleted or to what came after it tells the identity
 * of the target that the file was written for. With the locks on the owning parts held, so that no upload comes in between.
 * @returns the deleted files
 */
export async function settleFiles(
  session: WriteSession,
  resolver: TargetResolver,
  groups: readonly FileGroup[],
  signal: AbortSignal,
): Promise<RawDataObject[]> {
  const files = new FileGroupStore(session);
  const deleted: string[] = [];
  for (const { group, owner } of await unsettled(resolver, groups, signal)) {
    if (!owner) deleted.push(...group.ids);
    else await files.setPart(group, owner.partUuid);
  }
  return deleted.length === 0 ? [] : new ObjectStore(session).deleteByIds(deleted);
}

/** The files that are not where they belong: `owner` is where that is, without one they are to be deleted. */
export async function unsettled(
  resolver: TargetResolver,
  groups: readonly FileGroup[],
  signal: AbortSignal,
): Promise<{ group: FileGroup; owner: OwningPart | undefined }[]> {
  const found: { group: FileGroup; owner: OwningPart | undefined }[] = [];
  for (let i = 0; i < groups.length; i += RESOLVE_BATCH) {
    const batch = groups.slice(i, i + RESOLVE_BATCH);
    const present = await resolver.resolveAll(
      batch.map(({ target }) => target),
      signal,
    );
    batch.forEach((group, index) => {
      const owner = present[index] ?? undefined;
      if (!owner || isAnother(owner, group) || isRemoved(group)) found.push({ group, owner: undefined });
      else if (owner.partUuid !== group.partUuid) found.push({ group, owner });
    });
  }
  return found;
}

/** The value was taken away and came back: only what was written since belongs to it. Not known of files from before versions were kept. */
function isRemoved({ version, removedBefore = 0 }: FileGroup): boolean {
  return version !== null && version < removedBefore;
}

/** Not known of files from before identities were kept: they stay with whatever has their target's uuid. */
function isAnother({ identity }: OwningPart, group: FileGroup): boolean {
  return identity !== undefined && group.identity !== null && identity !== group.identity;
}
