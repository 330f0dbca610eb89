import { useState } from 'react';
import { Button } from '../../../design/controls/button';
import { Dialog } from '../../../design/controls/dialog';
import { useTexts } from '../../../design/language/language';
import { texts } from '../texts';
import styles from '../characteristic.module.css';

export interface ExcludeDialogProps {
  /** Value and time as the reader saw them; nothing is asked without them. */
  point: { value: string; time: string } | undefined;
  onExclude: (reason: string) => void;
  onClose: () => void;
}

/** Asks for the reason why a value goes out of the view. */
export function ExcludeDialog({ point, onExclude, onClose }: ExcludeDialogProps) {
  const t = useTexts(texts);
  const [reason, setReason] = useState('');
  const exclude = () => {
    onExclude(reason.trim());
    setReason('');
  };
  return (
    <Dialog
      title={t.excludeTitle}
      isOpen={point !== undefined}
      onClose={onClose}
      buttons={
        <>
          <Button onPress={onClose}>{t.cancel}</Button>
          <Button kind="primary" onPress={exclude}>
            {t.exclude}
          </Button>
        </>
      }
    >
      <p>{point && t.excludeText(point.value, point.time)}</p>
      <label className={styles.formField}>
        {t.reason}
        <input
          value={reason}
          autoFocus
          onChange={(event) => setReason(event.target.value)}
          onKeyDown={(event) => event.key === 'Enter' && exclude()}
        />
      </label>
    </Dialog>
  );
}
