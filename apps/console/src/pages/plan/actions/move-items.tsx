import { ROOT_PART_UUID } from '@sinebar/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { ListBox, ListBoxItem } from 'react-aria-components';
import { Button } from '../../../design/controls/button';
import { Dialog, DialogButtons } from '../../../design/controls/dialog';
import { FilterField } from '../../../design/controls/field';
import { useFormats, useTexts } from '../../../design/language/language';
import { Failed, Skeleton } from '../../../design/states/pane-state';
import { planIndexQuery } from '../../../server/queries/plan-index';
import { childPathOf, nameOf, namesOf, ownerPathOf, parentPathOf, plainPathOf } from '../../../server/queries/plan-path';
import { useServer } from '../../../server/server';
import { useRights } from '../../../server/session/use-session';
import { itemsOf, type PlanItem } from '../plan-item';
import styles from '../plan.module.css';
import type { PlanKind } from '../search';
import { texts } from '../texts';
import { renewPlan } from '../../../quality/editing/renew-plan';
import textStyles from '../../../design/styles/text.module.css';

/** Most targets in the list; the filter finds the others. */
const MAX_TARGETS = 100;

export interface MoveItemsProps {
  kind: PlanKind;
  items: readonly PlanItem[];
  onClose: () => void;
  onMoved?: () => void;
}

/** Asks where items go. Places where they cannot go stay in the list, with the reason. */
export function MoveItems({ kind, items, onClose, onMoved }: MoveItemsProps) {
  const t = useTexts(texts);
  const formats = useFormats();
  const server = useServer();
  const queries = useQueryClient();
  const may = useRights();
  const index = useQuery(planIndexQuery(server));
  const [find, setFind] = useState('');
  const [target, setTarget] = useState<string>();
  const move = useMutation({
    mutationFn: async (path: string) => {
      await itemsOf(server, kind).update(items.map((item) => ({ uuid: item.uuid, path: childPathOf(path, kind, nameOf(item.path)) })));
      await renewPlan(queries);
    },
    onSuccess: () => {
      onMoved?.();
      onClose();
    },
  });
  const targets = useMemo(() => {
    const known = index.data === undefined ? [] : find.trim() === '' ? index.data.items : index.data.search(find, MAX_TARGETS);
    const possible = known.filter((item) => kind === 'characteristic' || item.kind === 'part').slice(0, MAX_TARGETS);
    return [
      ...(find.trim() === '' ? [{ uuid: ROOT_PART_UUID, path: '/', name: t.allParts, parentPath: '' }] : []),
      ...possible.map(({ uuid, path, name, parentPath }) => ({ uuid, path, name, parentPath })),
    ].map((item) => ({ ...item, reason: whyNot(item.path) }));

    function whyNot(path: string): string | undefined {
      if (items.some((item) => isAtOrBelow(path, item.path))) return t.belowItself;
      if (items.every((item) => parentPathOf(item.path) === path)) return t.areHere;
      return may('plan:write', plainPathOf(ownerPathOf(path))) ? undefined : t.noRight;
    }
  }, [index.data, find, kind, items, may, t]);
  const chosen = targets.find(({ uuid, reason }) => uuid === target && reason === undefined);
  const [first] = items;
  if (first === undefined) return null;
  const title = items.length === 1 ? t.moveTitle(nameOf(first.path)) : t.moveManyTitle(formats.count(items.length));
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <div className={styles.form}>
        <FilterField label={t.filterPlaces} value={find} onChange={setFind} />
        {index.error !== null && <Failed error={index.error} onRetry={() => void index.refetch()} />}
        {index.isPending && <Skeleton />}
        {index.data !== undefined && (
          <ListBox
            aria-label={t.places}
            className={styles.places}
            selectionMode="single"
            selectedKeys={chosen ? [chosen.uuid] : []}
            disabledKeys={targets.filter(({ reason }) => reason !== undefined).map(({ uuid }) => uuid)}
            onSelectionChange={(keys) => setTarget(keys === 'all' ? undefined : String([...keys][0] ?? ''))}
            renderEmptyState={() => <p>{t.nothingFound}</p>}
          >
            {targets.map(({ uuid, name, parentPath, reason }) => (
              <ListBoxItem key={uuid} id={uuid} textValue={`${parentPath} ${name}`} className={styles.place}>
                <span className={styles.placeName}>
                  {name} {parentPath !== '' && <span className={textStyles.soft}>{parentPath}</span>}
                </span>
                {reason !== undefined && <span className={styles.was}>{reason}</span>}
              </ListBoxItem>
            ))}
          </ListBox>
        )}
        {chosen !== undefined && (
          <p>
            <del>{plainPathOf(first.path)}</del> → <strong>{plainPathOf(childPathOf(chosen.path, kind, nameOf(first.path)))}</strong>
            {items.length > 1 && ` ${t.andMore(formats.count(items.length - 1))}`}
          </p>
        )}
        <p>{kind === 'part' ? t.moveKeepsPart : t.moveKeepsCharacteristic}</p>
        {move.error !== null && <Failed error={move.error} />}
        <DialogButtons>
          <Button onPress={onClose}>{t.cancel}</Button>
          <Button
            kind="primary"
            isDisabled={chosen === undefined || move.isPending}
            onPress={() => chosen !== undefined && move.mutate(chosen.path)}
          >
            {chosen === undefined ? t.moveAction : t.moveTo(chosen.name)}
          </Button>
        </DialogButtons>
      </div>
    </Dialog>
  );
}

/** Whether a path is that of an item or lies below it. */
function isAtOrBelow(path: string, itemPath: string): boolean {
  const [names, above] = [namesOf(path), namesOf(itemPath)];
  const depth = (marked: string) => marked.slice(0, marked.indexOf(':'));
  return depth(path).startsWith(depth(itemPath)) && above.every((name, i) => names[i]?.toLowerCase() === name.toLowerCase());
}
