import type { FormEvent, ReactNode } from 'react';
import { defineTexts, useTexts } from '../language/language';
import { Failed } from '../states/pane-state';
import { Button } from './button';
import styles from './controls.module.css';
import { Dialog, DialogButtons } from './dialog';

const texts = defineTexts({
  en: { cancel: 'Cancel' },
  de: { cancel: 'Abbrechen' },
});

export interface FormDialogProps {
  title: string;
  /** Name of the button that submits. */
  action: string;
  /** Whether the form is complete and valid, and not being sent. */
  canSubmit: boolean;
  /** Failure of the last attempt, which the dialog shows. */
  error: Error | null;
  onSubmit: () => void;
  onClose: () => void;
  isWide?: boolean;
  /** A second way to submit, before the usual one. */
  otherAction?: { name: string; onPress: () => void };
  /** The fields. */
  children: ReactNode;
}

/** A dialog with a form, which the enter key submits. */
export function FormDialog({ title, action, canSubmit, error, onSubmit, onClose, isWide = false, otherAction, children }: FormDialogProps) {
  const t = useTexts(texts);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (canSubmit) onSubmit();
  };
  return (
    <Dialog title={title} isOpen onClose={onClose} isWide={isWide}>
      <form className={styles.dialogForm} onSubmit={submit}>
        {children}
        {error !== null && <Failed error={error} />}
        <DialogButtons>
          <Button onPress={onClose}>{t.cancel}</Button>
          {otherAction !== undefined && (
            <Button onPress={otherAction.onPress} isDisabled={!canSubmit}>
              {otherAction.name}
            </Button>
          )}
          <Button kind="primary" type="submit" isDisabled={!canSubmit}>
            {action}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
