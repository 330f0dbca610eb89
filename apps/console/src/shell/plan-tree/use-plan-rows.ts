import { ROOT_PART_UUID } from '@sinebar/client';
import { parseMarkedPath } from '@sinebar/query-language';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { childrenQuery } from '../../server/queries/overview-queries';
import { characteristicQuery, partQuery } from '../../server/queries/plan-queries';
import { useServer } from '../../server/server';
import { visibleRows, type PlanNode, type PlanRow } from './plan-rows';

export interface PlanRows {
  rows: readonly PlanRow[];
  /** Uuid of the part or characteristic that the page shows. */
  selected: string | undefined;
  toggle: (uuid: string, open: boolean) => void;
  /** The first level: its state shows whether there is a tree at all. */
  isLoading: boolean;
  error: unknown;
  retry: () => void;
}

/** Loads the levels of the tree that are open; the way to what the page shows is open by itself. */
export function usePlanRows(): PlanRows {
  const client = useServer();
  const { partUuid, characteristicUuid }: { partUuid?: string; characteristicUuid?: string } = useParams({ strict: false });
  const selected = characteristicUuid ?? partUuid;
  const [toggled, setToggled] = useState<ReadonlyMap<string, boolean>>(new Map());
  const part = useQuery({ ...partQuery(client, partUuid ?? ''), enabled: partUuid !== undefined });
  const characteristic = useQuery({ ...characteristicQuery(client, characteristicUuid ?? ''), enabled: characteristicUuid !== undefined });
  const path = characteristicUuid === undefined ? part.data?.path : characteristic.data?.path;
  const root = useQuery(childrenQuery(client, ROOT_PART_UUID));

  // The way is found level by level: each one names the next.
  const [way, setWay] = useState<readonly string[]>([]);
  const opened = useMemo(() => {
    const all = new Set(way);
    for (const [uuid, open] of toggled) {
      if (open) all.add(uuid);
      else all.delete(uuid);
    }
    return [...all];
  }, [way, toggled]);
  const levels = useQueries({
    queries: opened.map((uuid) => childrenQuery(client, uuid)),
    combine: (results) => new Map(results.map((result, i) => [opened[i] as string, result.data])),
  });
  const known = (uuid: string): readonly PlanNode[] | undefined => (uuid === ROOT_PART_UUID ? root.data : levels.get(uuid));
  const found = wayTo(path, known);
  if (found.join() !== way.join()) setWay(found);

  const rows = useMemo(
    () =>
      visibleRows(
        ROOT_PART_UUID,
        (uuid) => (uuid === ROOT_PART_UUID ? root.data : levels.get(uuid)),
        (uuid) => opened.includes(uuid),
      ),
    [root.data, levels, opened],
  );
  return {
    rows,
    selected,
    toggle: (uuid, open) => setToggled((before) => new Map(before).set(uuid, open)),
    isLoading: root.data === undefined && root.error === null,
    error: root.error,
    retry: () => void root.refetch(),
  };
}

/** Lists the uuids above an item, as far as their levels are known. */
function wayTo(path: string | undefined, childrenOf: (uuid: string) => readonly PlanNode[] | undefined): string[] {
  if (path === undefined) return [];
  const way: string[] = [];
  let at: string = ROOT_PART_UUID;
  for (const { kind, name } of parseMarkedPath(path).slice(0, -1)) {
    const next = childrenOf(at)?.find((node) => node.kind === kind && node.name === name);
    if (next === undefined) break;
    way.push(next.uuid);
    at = next.uuid;
  }
  return way;
}
