import { readStamp, STAMP_KEYS, stampNumber, type Characteristic, type NowStatus, type Stamp } from '@sinebar/client';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { cellField, fieldsByRow } from '../../quality/editing/cells';
import { useDraft, type DraftState } from '../../quality/editing/use-draft';
import { queryKeys } from '../../server/queries/keys';
import { namesOf, ownerPathOf, plainPathOf } from '../../server/queries/plan-path';
import { useServer } from '../../server/server';
import type { Fields } from '../../quality/editing/draft';

/** Key of the number of a characteristic. */
const NUMBER_KEY = 2001;
/** Attributes that hold a balloon. */
export const STAMP_KEY_LIST: readonly number[] = Object.values(STAMP_KEYS);

/** A characteristic of the part, with its balloon where it has one. */
export interface BalloonRow {
  uuid: string;
  /** Name, with those of characteristics above it. */
  name: string;
  stamp: Stamp | undefined;
  /** Text in the balloon; empty where neither the balloon nor the characteristic has a number. */
  number: string;
  /** The balloon's own number, and that of the characteristic, which counts without one. */
  caption: string;
  characteristicNumber: string;
  now: NowStatus | undefined;
}

export interface Balloons {
  /** Balloons in the order of the plan. */
  rows: readonly BalloonRow[];
  isReady: boolean;
  error: Error | null;
  reload: () => void;
  /** Changed attributes by cells of characteristic and key. */
  state: DraftState;
  /** The characteristics as the server has them. */
  items: readonly Characteristic[];
}

/** The attributes of balloons of characteristics, by cells. */
export function stampFields(items: readonly Characteristic[]): Fields {
  return Object.fromEntries(
    items.flatMap(({ uuid, attributes }) =>
      STAMP_KEY_LIST.flatMap((key) => {
        const text = attributes[key];
        return text === undefined ? [] : [[cellField(uuid, key), text]];
      }),
    ),
  );
}

/** Key of the query of the characteristics of a part. */
export function balloonsKey(partUuid: string): readonly unknown[] {
  return queryKeys.plan('balloons', partUuid);
}

/** Reads the characteristics of a part, without those of the parts below it, and holds what the reader changes in their balloons. */
export function useBalloons(partUuid: string, path: string): Balloons {
  const server = useServer();
  const query = useQuery({
    queryKey: balloonsKey(partUuid),
    queryFn: ({ signal }) =>
      server.characteristics.list({
        partPath: plainPathOf(path),
        requestedCharacteristicAttributes: [NUMBER_KEY, ...STAMP_KEY_LIST],
        signal,
      }),
    select: (items) => items.filter((item) => ownerPathOf(item.path) === path),
  });
  const statuses = useQuery({
    queryKey: queryKeys.overview('part', partUuid, 'statuses', false),
    queryFn: ({ signal }) => server.analysis.statuses(partUuid, { signal }),
  });
  const items = query.data;
  const stored = useMemo(() => stampFields(items ?? []), [items]);
  const state = useDraft(stored);
  const { fields } = state;
  const rows = useMemo(() => {
    const changed = fieldsByRow(fields);
    const nowOf = new Map(statuses.data?.characteristics.map(([uuid, now]) => [uuid, now]));
    const depth = namesOf(path).length;
    return (items ?? []).map((item): BalloonRow => {
      const texts: Readonly<Record<string, string | undefined>> = {
        [NUMBER_KEY]: item.attributes[NUMBER_KEY],
        ...changed.get(item.uuid),
      };
      return {
        uuid: item.uuid,
        name: namesOf(item.path).slice(depth).join(' / '),
        stamp: readStamp(texts),
        number: stampNumber(texts),
        caption: texts[STAMP_KEYS.caption] ?? '',
        characteristicNumber: texts[NUMBER_KEY] ?? '',
        now: nowOf.get(item.uuid),
      };
    });
  }, [items, fields, statuses.data, path]);
  return { rows, isReady: items !== undefined, error: query.error, reload: () => void query.refetch(), state, items: items ?? [] };
}
