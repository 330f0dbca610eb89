import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { conflictsOf, draftedFields, reverseDraft, type Draft } from '../../quality/editing/draft';
import { KEPT, renewPlan } from '../../quality/editing/renew-plan';
import { queryKeys } from '../../server/queries/keys';
import { useServer } from '../../server/server';
import { changeOf, fieldsOf, itemsOf, type PlanItem } from './plan-item';
import type { PlanKind } from './search';

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
