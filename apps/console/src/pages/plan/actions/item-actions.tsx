import { ROOT_PART_UUID } from '@sinebar/client';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { QuietButton } from '../../../design/controls/buttons';
import { useTexts } from '../../../design/language/language';
import { OptionsLine } from '../../../design/layout/lines';
import { useAncestors } from '../../../quality/plan/use-plan-items';
import type { PlanItem } from '../plan-item';
import styles from '../plan.module.css';
import type { PlanKind } from '../search';
import { texts } from '../texts';
import { CopyPart } from './copy-part';
import { DeleteItems } from './delete-items';
import { MoveItems } from './move-items';

export interface ItemActionsProps {
  kind: PlanKind;
  item: PlanItem;
  partUuid: string;
  /** Whether something is not saved: only then the item must stay where it is. */
  isChanged: boolean;
  /** Called before the page of a deleted item is left. */
  onDeleted: () => void;
}

/** Copies, moves or deletes the item that the page shows. */
export function ItemActions({ kind, item, partUuid, isChanged, onDeleted }: ItemActionsProps) {
  const t = useTexts(texts);
  const navigate = useNavigate();
  const ancestors = useAncestors(item.path);
  const [dialog, setDialog] = useState<'copy' | 'delete' | 'move'>();
  const close = () => setDialog(undefined);
  return (
    <>
      <OptionsLine
        actions={
          <>
            {kind === 'part' && (
              <QuietButton onPress={() => setDialog('copy')} isDisabled={isChanged}>
                {t.copy}
              </QuietButton>
            )}
            <QuietButton onPress={() => setDialog('move')} isDisabled={isChanged}>
              {t.move}
            </QuietButton>
            <QuietButton isDanger onPress={() => setDialog('delete')}>
              {t.delete}
            </QuietButton>
          </>
        }
      >
        {kind === 'characteristic' && (
          <span className={styles.was}>
            <Link to="/parts/$partUuid/plan" params={{ partUuid }}>
              {t.planOfPart}
            </Link>
          </span>
        )}
      </OptionsLine>
      {dialog === 'copy' && (
        <CopyPart
          part={item}
          onClose={close}
          onCopied={(copied) => void navigate({ to: '/parts/$partUuid/plan', params: { partUuid: copied }, ignoreBlocker: true })}
        />
      )}
      {dialog === 'move' && <MoveItems kind={kind} items={[item]} onClose={close} />}
      {dialog === 'delete' && (
        <DeleteItems
          kind={kind}
          items={[item]}
          onClose={close}
          onDeleted={() => {
            onDeleted();
            const above = kind === 'characteristic' ? partUuid : (ancestors.at(-1)?.uuid ?? ROOT_PART_UUID);
            void navigate({ to: '/parts/$partUuid/plan', params: { partUuid: above }, ignoreBlocker: true });
          }}
        />
      )}
    </>
  );
}
