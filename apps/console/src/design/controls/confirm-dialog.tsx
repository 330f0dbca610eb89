import { useState, type ReactNode } from 'react';
import { defineTexts, useTexts } from '../language/language';
import { Failed } from '../states/pane-state';
import { Button } from './button';
import { Dialog, DialogButtons } from './dialog';
import styles from './confirm-dialog.module.css';
import fieldStyles from './field.module.css';

const texts = defineTexts({
  en: { cancel: 'Cancel', undo: 'This cannot be undone.', type: (word: string) => `This cannot be undone. Type “${word}” to confirm.` },
  de: {
    cancel: 'Abbrechen',
    undo: 'Das lässt sich nicht rückgängig machen.',
    type: (word: string) => `Das lässt sich nicht rückgängig machen. Zur Bestätigung „${word}“ eingeben.`,
  },
});

export interface ConfirmDialogProps {
  title: string;
  /** Names everything that goes; each is one line. */
  goes: readonly ReactNode[];
  /** Name of the button that deletes. */
  action: string;
  /** Word to type, where more than one thing goes. */
  word?: string | undefined;
  /** Whether what goes is still being counted. */
  isCounting?: boolean;
  /** @returns when all is deleted; a rejection shows in the dialog */
  onConfirm: () => Promise<void>;
  onClose: () => void;
}

/** Asks once before something is deleted, and names what goes. */
export function ConfirmDialog({ title, goes, action, word, isCounting = false, onConfirm, onClose }: ConfirmDialogProps) {
  const t = useTexts(texts);
  const [typed, setTyped] = useState('');
  const [isRunning, setRunning] = useState(false);
  const [error, setError] = useState<unknown>();
  const canConfirm = !isRunning && !isCounting && (word === undefined || typed.trim() === word);

  const confirm = async () => {
    if (!canConfirm) return;
    setRunning(true);
    setError(undefined);
    try {
      await onConfirm();
      onClose();
    } catch (failure) {
      setError(failure);
      setRunning(false);
    }
  };

  return (
    <Dialog title={title} isOpen role="alertdialog" onClose={() => isRunning || onClose()}>
      <ul className={styles.goes}>
        {goes.map((line, index) => (
          <li key={index}>{line}</li>
        ))}
      </ul>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void confirm();
        }}
      >
        <p>{word === undefined ? t.undo : t.type(word)}</p>
        {word !== undefined && (
          <input
            className={`${fieldStyles.field} ${styles.word}`}
            aria-label={t.type(word)}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            autoComplete="off"
            spellCheck={false}
          />
        )}
        {error !== undefined && <Failed error={error} />}
        <DialogButtons>
          <Button onPress={onClose} isDisabled={isRunning} autoFocus={word === undefined}>
            {t.cancel}
          </Button>
          <Button kind="danger" type="submit" isDisabled={!canConfirm}>
            {action}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
