import type { EvaluationState, SinebarClient, WrittenEvaluation } from '@sinebar/client';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { statusOf } from '../../../server/error-status';
import { queryKeys } from '../../../server/queries/keys';
import { useServer } from '../../../server/server';

/** A part or characteristic with an own evaluation. */
export type EvaluatedItem = { readonly partUuid: string } | { readonly characteristicUuid: string };

/** Times that a change is made again on what somebody else has just saved. */
const MAX_ATTEMPTS = 4;

/**
 * Changes one thing of the own evaluation of an item, on top of what others have saved meanwhile.
 * @throws SinebarError 400, 403, 404
 */
async function changeOwn(
  client: SinebarClient,
  item: EvaluatedItem,
  change: (own: EvaluationState) => WrittenEvaluation,
  reason: string,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const { own, etag } = await client.analysis.evaluation(item);
    try {
      return await client.analysis.putEvaluation(item, change(own), { reason, etag });
    } catch (error) {
      if (statusOf(error) !== 412 || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

/** Returns functions that change evaluations, and read again what follows from them. */
export function useChangeEvaluation() {
  const client = useServer();
  const queries = useQueryClient();
  const renew = useCallback(
    () =>
      Promise.all(
        [queryKeys.evaluation(), queryKeys.values(), queryKeys.overview()].map((queryKey) => queries.invalidateQueries({ queryKey })),
      ),
    [queries],
  );
  /** Leaves a measurement out for everybody; one that is left out already keeps its reason. */
  const exclude = async (item: EvaluatedItem, measurementUuid: string, reason: string) => {
    const add = ({ exclusions = [], ...own }: EvaluationState) => ({
      ...own,
      exclusions: exclusions.some((known) => known.measurementUuid === measurementUuid)
        ? exclusions
        : [...exclusions, { measurementUuid, reason }],
    });
    await changeOwn(client, item, add, reason);
    void renew();
  };
  /** Replaces what an item says itself; without anything to say it follows the level above. @throws SinebarError 412 */
  const put = (item: EvaluatedItem, state: WrittenEvaluation, options: { reason: string; etag: string }) =>
    Object.keys(state).length === 0 ? client.analysis.deleteEvaluation(item, options) : client.analysis.putEvaluation(item, state, options);
  return { exclude, put, renew };
}
