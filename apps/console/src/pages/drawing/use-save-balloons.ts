import type { Characteristic } from '@sinebar/client';
import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { changedRows, fieldsByRow } from '../../quality/editing/cells';
import { conflictsOf, draftedFields, reverseDraft, type Draft } from '../../quality/editing/draft';
import { KEPT, renewPlan } from '../../quality/editing/renew-plan';
import { commentFrom } from '../../quality/editing/version-comment';
import { useServer } from '../../server/server';
import { useUserName } from '../../server/session/use-session';
import { balloonsKey, STAMP_KEY_LIST, stampFields } from './use-balloons';

/** Outcome of saving: nothing because of a conflict, or saved, with the draft that leads back. */
export type SavedBalloons = { kind: 'conflict' } | { kind: 'saved'; undo: Draft };

/** Uuids of one request: an address holds some thousand characters. */
const BATCH = 100;

/**
 * Saves changed balloons in one request. The characteristics are read directly before, because writing replaces all their attributes; what
 * others have changed meanwhile stays, and a conflict writes nothing.
 */
export function useSaveBalloons(partUuid: string, hasVersions: boolean): UseMutationResult<SavedBalloons, Error, Draft> {
  const server = useServer();
  const queries = useQueryClient();
  const user = useUserName();
  return useMutation({
    mutationFn: async (changes) => {
      const uuids = [...changedRows(changes)];
      const items: Characteristic[] = [];
      for (let from = 0; from < uuids.length; from += BATCH)
        items.push(...(await server.characteristics.list({ charUuids: uuids.slice(from, from + BATCH) })));
      const stored = stampFields(items);
      if (conflictsOf(changes, stored).length > 0) {
        await queries.invalidateQueries({ queryKey: balloonsKey(partUuid) });
        return { kind: 'conflict' };
      }
      const after = draftedFields(changes, stored);
      const texts = fieldsByRow(after);
      const comment = hasVersions ? commentFrom({ user, reason: '' }) : undefined;
      await server.characteristics.update(
        items.map(({ uuid, attributes }) => ({
          uuid,
          attributes: {
            ...Object.fromEntries(Object.entries(attributes).filter(([key]) => !STAMP_KEY_LIST.includes(Number(key)))),
            ...Object.fromEntries(Object.entries(texts.get(uuid) ?? {}).filter(([, text]) => text !== '')),
          },
          ...(comment !== undefined && { comment }),
        })),
        KEPT,
      );
      await renewPlan(queries);
      return { kind: 'saved', undo: reverseDraft(stored, after) };
    },
  });
}
