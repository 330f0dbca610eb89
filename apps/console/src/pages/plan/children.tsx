import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Failed, Skeleton } from '../../design/states/pane-state';
import type { Configuration } from '../../quality/attributes/configuration';
import { queryKeys } from '../../server/queries/keys';
import { parentPathOf, plainPathOf } from '../../server/queries/plan-path';
import { useServer } from '../../server/server';
import { useView } from '../../server/use-view';
import { CreateItem } from './actions/create-item';
import { DeleteItems } from './actions/delete-items';
import { MoveItems } from './actions/move-items';
import { PartsBelow } from './parts-below';
import type { PlanItem } from './plan-item';
import type { PlanAddress } from './search';

export interface ChildrenProps {
  parent: PlanItem;
  mayWrite: boolean;
  configuration: Configuration;
}

/** Parts directly below a part. */
export function Children({ parent, mayWrite, configuration }: ChildrenProps) {
  const server = useServer();
  const { view, change } = useView<PlanAddress>();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [dialog, setDialog] = useState<'delete' | 'move'>();
  const parts = useQuery({
    queryKey: queryKeys.plan('parts below', parent.uuid),
    queryFn: ({ signal }) => server.parts.list({ partPath: plainPathOf(parent.path), depth: 1, requestedPartAttributes: 'None', signal }),
  });
  if (parts.error !== null) return <Failed error={parts.error} onRetry={() => void parts.refetch()} />;
  if (parts.data === undefined) return <Skeleton rows={4} />;
  const items = parts.data.filter(({ uuid, path }) => uuid !== parent.uuid && parentPathOf(path) === parent.path);
  const selected = items.filter(({ uuid }) => chosen.has(uuid));
  const close = () => setDialog(undefined);
  return (
    <>
      <PartsBelow
        items={items}
        chosen={chosen}
        onChoose={setChosen}
        {...(mayWrite && {
          onCreate: () => change({ create: 'part' }, { isStep: false }),
          onMove: () => setDialog('move'),
          onDelete: () => setDialog('delete'),
        })}
      />
      {mayWrite && view.create === 'part' && (
        <CreateItem
          kind="part"
          parent={parent}
          configuration={configuration}
          taken={items}
          onClose={() => change({ create: undefined }, { isStep: false })}
        />
      )}
      {dialog === 'move' && <MoveItems kind="part" items={selected} onClose={close} onMoved={() => setChosen(new Set())} />}
      {dialog === 'delete' && <DeleteItems kind="part" items={selected} onClose={close} onDeleted={() => setChosen(new Set())} />}
    </>
  );
}
