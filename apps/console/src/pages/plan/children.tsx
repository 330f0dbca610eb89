import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTexts } from '../../design/language/language';
import { Failed, Skeleton } from '../../design/states/pane-state';
import type { Configuration } from '../../quality/attributes/configuration';
import { CHARACTERISTIC_KEYS } from '@sinebar/client';
import { queryKeys } from '../../server/queries/keys';
import { ownerPathOf, parentPathOf, plainPathOf } from '../../server/queries/plan-path';
import { useServer } from '../../server/server';
import { useView } from '../../server/use-view';
import { ChildTable } from './child-table';
import { CreateItem } from './create-item';
import { DeleteItems } from './delete-items';
import { MoveItems } from './move-items';
import type { PlanItem } from './plan-item';
import type { PlanAddress, PlanKind } from './search';
import { texts } from './texts';

export interface ChildrenProps {
  kind: PlanKind;
  parent: PlanItem;
  partUuid: string;
  mayWrite: boolean;
  configuration: Configuration;
}

/** Parts and characteristics directly below an item. */
export function Children({ kind, parent, partUuid, mayWrite, configuration }: ChildrenProps) {
  const server = useServer();
  const ownerPath = plainPathOf(ownerPathOf(parent.path));
  const parts = useQuery({
    queryKey: queryKeys.plan('parts below', parent.uuid),
    queryFn: ({ signal }) => server.parts.list({ partPath: ownerPath, depth: 1, requestedPartAttributes: 'None', signal }),
    enabled: kind === 'part',
  });
  const characteristics = useQuery({
    queryKey: queryKeys.plan('characteristics below', parent.uuid),
    queryFn: ({ signal }) =>
      server.characteristics.list({
        partPath: ownerPath,
        ...(kind === 'part' && { depth: 1 }),
        requestedCharacteristicAttributes: Object.values(CHARACTERISTIC_KEYS),
        signal,
      }),
  });
  const below = (items: readonly PlanItem[]) =>
    items.filter(({ uuid, path }) => uuid !== parent.uuid && parentPathOf(path) === parent.path);
  const common = { parent, partUuid, mayWrite, configuration };
  const failed = parts.error ?? characteristics.error;
  if (failed !== null) return <Failed error={failed} onRetry={() => void Promise.all([parts.refetch(), characteristics.refetch()])} />;
  if ((kind === 'part' && parts.data === undefined) || characteristics.data === undefined) return <Skeleton rows={4} />;
  return (
    <>
      {kind === 'part' && <Below {...common} kind="part" items={below(parts.data ?? [])} />}
      <Below {...common} kind="characteristic" items={below(characteristics.data)} />
    </>
  );
}

interface BelowProps extends Omit<ChildrenProps, 'kind'> {
  /** Kind of the items. */
  kind: PlanKind;
  items: readonly PlanItem[];
}

function Below({ kind, items, parent, partUuid, mayWrite, configuration }: BelowProps) {
  const t = useTexts(texts);
  const { view, change } = useView<PlanAddress>();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [dialog, setDialog] = useState<'delete' | 'move'>();
  const selected = items.filter(({ uuid }) => chosen.has(uuid));
  const close = () => setDialog(undefined);
  return (
    <>
      <ChildTable
        kind={kind}
        items={items}
        partUuid={partUuid}
        chosen={chosen}
        onChoose={setChosen}
        {...(mayWrite && {
          onCreate: () => change({ create: kind }, { isStep: false }),
          onMove: () => setDialog('move'),
          onDelete: () => setDialog('delete'),
        })}
        emptyText={kind === 'part' ? t.noParts : t.noCharacteristics}
      />
      {mayWrite && view.create === kind && (
        <CreateItem
          kind={kind}
          parent={parent}
          configuration={configuration}
          taken={items}
          onClose={() => change({ create: undefined }, { isStep: false })}
        />
      )}
      {dialog === 'move' && <MoveItems kind={kind} items={selected} onClose={close} onMoved={() => setChosen(new Set())} />}
      {dialog === 'delete' && <DeleteItems kind={kind} items={selected} onClose={close} onDeleted={() => setChosen(new Set())} />}
    </>
  );
}
