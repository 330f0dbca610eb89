import { useState, type FormEvent, type ReactNode } from 'react';
import { Button } from '../../design/controls/button';
import styles from '../../design/controls/controls.module.css';
import { DialogButtons } from '../../design/controls/dialog';
import { defineTexts, useTexts } from '../../design/language/language';
import { Failed } from '../../design/states/pane-state';
import { GuardedDialog } from './guarded-dialog';
import { KeptDraft } from './kept-draft';

const texts = defineTexts({
  en: { cancel: 'Cancel' },
  de: { cancel: 'Abbrechen' },
});

/** What the fields of a dialog hold. */
export interface DialogDraft<T> {
  /** Names the dialog and what it is about, so that nothing else gets what was typed. */
  form: string;
  /** Texts and choices, in a form that JSON takes. */
  value: T;
  /** What the fields hold before the reader changes them; what they held first when it is left out. */
  begun?: T;
  onRestore: (value: T) => void;
}

export interface FormDialogProps<T> {
  title: string;
  /** Name of the button that submits. */
  action: string;
  /** Whether the form is complete and valid, and not being sent. */
  canSubmit: boolean;
  /** Failure of the last attempt, which the dialog shows. */
  error: Error | null;
  onSubmit: () => void;
  onClose: () => void;
  /** What would be lost; `undefined`: nothing is, and the dialog closes without a question. */
  draft: DialogDraft<T> | undefined;
  isWide?: boolean;
  /** Other ways to submit, before the usual one. */
  otherActions?: readonly { name: string; onPress: () => void }[];
  /** The fields. */
  children: ReactNode;
}

/**
 * A dialog with a form, which the enter key submits.
 * It asks before what was typed is discarded, and offers it again after a sign-in that has left the page.
 */
export function FormDialog<T>(props: FormDialogProps<T>) {
  const { title, action, canSubmit, error, onSubmit, onClose, draft, isWide = false, otherActions = [], children } = props;
  const t = useTexts(texts);
  const [first] = useState(draft?.value);
  const isChanged = draft !== undefined && JSON.stringify(draft.value) !== JSON.stringify(draft.begun ?? first);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (canSubmit) onSubmit();
  };
  return (
    <GuardedDialog title={title} isChanged={isChanged} isWide={isWide} onClose={onClose} closeName={t.cancel}>
      {(closeButton) => (
        <form className={styles.dialogForm} onSubmit={submit}>
          {draft !== undefined && (
            <KeptDraft form={draft.form} isChanged={isChanged} read={() => draft.value} onRestore={(kept) => draft.onRestore(kept)} />
          )}
          {children}
          {error !== null && <Failed error={error} />}
          <DialogButtons>
            {closeButton}
            {otherActions.map(({ name, onPress }) => (
              <Button key={name} onPress={onPress} isDisabled={!canSubmit}>
                {name}
              </Button>
            ))}
            <Button kind="primary" type="submit" isDisabled={!canSubmit}>
              {action}
            </Button>
          </DialogButtons>
        </form>
      )}
    </GuardedDialog>
  );
}
