import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { conflictsOf, draftedFields, reverseDraft, type Draft } from '../../quality/editing/draft';
import { queryKeys } from '../../server/queries/keys';
import { useServer } from '../../server/server';
import { changeOf, fieldsOf, itemsOf, type PlanItem } from './plan-item';
import type { PlanKind } from './search';

/** Keeps the earlier state where the server leaves that to its clients. */
export const KEPT = { versioningEnabled: true };

/** Outcome of saving: not saved because of a conflict, or saved, with the draft that leads back. */
export type SavingResult = { kind: 'conflict' } | { kind: 'saved'; undo: Draft };

/**
 * Saves the changes of an item. The item is read directly before it is written, because writing replaces all its attributes:
 * what others have changed meanwhile stays, and a conflict writes nothing.
 * @param comment comment of the version that it makes
 */
export function useSaving(kind: PlanKind, uuid: string, comment: string | undefined): UseMutationResult<SavingResult, Error, Draft> {
  const server = useServer();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (draft) => {
      const items: { get: (uuid: string) => Promise<PlanItem> } = itemsOf(server, kind);
      const item = await items.get(uuid);
      const stored = fieldsOf(item);
      queries.setQueryData(queryKeys.plan(kind, uuid), item);
      if (conflictsOf(draft, stored).length > 0) return { kind: 'conflict' };
      const after = draftedFields(draft, stored);
      await itemsOf(server, kind).update([{ ...changeOf(item, after), ...(comment !== undefined && { comment }) }], KEPT);
      await renewPlan(queries);
      return { kind: 'saved', undo: reverseDraft(stored, after) };
    },
  });
}

/** Reads the plan again, and the figures that depend on it. */
export async function renewPlan(queries: ReturnType<typeof useQueryClient>): Promise<void> {
  void queries.invalidateQueries({ queryKey: queryKeys.overview() });
  void queries.invalidateQueries({ queryKey: queryKeys.values() });
  await queries.invalidateQueries({ queryKey: queryKeys.plan() });
}
