import type { Alarm, AlarmChange, ChangedAlarms } from '@sinebar/client';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { useFormats, useTexts } from '../../design/language/language';
import { queryKeys } from '../../server/queries/keys';
import { useServer } from '../../server/server';
import { texts } from './texts';

/** Most alarms of one request. */
const MAX_AT_ONCE = 200;

/** Changes of alarms, and what went wrong with each. */
export interface AlarmChanges {
  /** @returns uuids of those that were changed; what failed stands in `failures` */
  change: (alarms: readonly Alarm[], said: AlarmChange) => Promise<ReadonlySet<string>>;
  /** Sentences by the uuid of the alarm. */
  failures: ReadonlyMap<string, string>;
  /** Alarms whose change is not answered yet. */
  pending: number;
}

/**
 * Changes alarms that are in the state in which the reader sees them; what fails with one does not keep the others.
 * New points of an alarm do not refuse its change.
 */
export function useChangeAlarms(): AlarmChanges {
  const t = useTexts(texts);
  const { dateTime } = useFormats();
  const server = useServer();
  const queries = useQueryClient();
  const [failures, setFailures] = useState<ReadonlyMap<string, string>>(new Map());
  const [pending, setPending] = useState(0);
  const change = useCallback(
    async (alarms: readonly Alarm[], said: AlarmChange) => {
      const sentenceOf = ({ message, alarm }: ChangedAlarms['refused'][number]) => {
        if (alarm === undefined) return message;
        const { state, modifiedBy, user, closed, acknowledged } = alarm;
        const who = state === 'closed' ? modifiedBy : user;
        const at = (state === 'closed' ? closed : acknowledged) ?? '';
        return t.overtaken(t[`state_${state}`], who, at === '' ? '' : dateTime(at));
      };
      const send = async (some: readonly Alarm[]): Promise<ChangedAlarms> => {
        try {
          return await server.alarms.updateMany(some, said);
        } catch (error) {
          const message = error instanceof Error ? error.message : String(error);
          return { changed: [], refused: some.map(({ uuid }) => ({ uuid, message })) };
        }
      };
      setPending((known) => known + alarms.length);
      const changed = new Set<string>();
      for (let start = 0; start < alarms.length; start += MAX_AT_ONCE) {
        const some = alarms.slice(start, start + MAX_AT_ONCE);
        const answer = await send(some);
        for (const uuid of answer.changed) changed.add(uuid);
        setFailures((known) => {
          const next = new Map(known);
          for (const uuid of answer.changed) next.delete(uuid);
          for (const refused of answer.refused) next.set(refused.uuid, sentenceOf(refused));
          return next;
        });
        setPending((known) => known - some.length);
      }
      await queries.invalidateQueries({ queryKey: queryKeys.alarms() });
      return changed;
    },
    [server, queries, t, dateTime],
  );
  return { change, failures, pending };
}
