import { useState, type ReactNode } from 'react';
import { Button } from '../../design/controls/button';
import { Dialog } from '../../design/controls/dialog';
import { defineTexts, useTexts } from '../../design/language/language';

const texts = defineTexts({
  en: {
    title: 'Discard what you typed?',
    text: 'It is not saved.',
    discard: 'Discard',
    stay: 'Continue',
    close: 'Close',
  },
  de: {
    title: 'Verwerfen, was Sie eingegeben haben?',
    text: 'Es ist nicht gespeichert.',
    discard: 'Verwerfen',
    stay: 'Weitermachen',
    close: 'Schließen',
  },
});

export interface GuardedDialogProps {
  title: string;
  /** Whether something is not saved. */
  isChanged: boolean;
  isWide?: boolean;
  onClose: () => void;
  /** Name of the button that closes the dialog; it tells whether something is discarded when it is left out. */
  closeName?: string;
  /** The content, with a {@link KeptDraft}; the button closes the dialog, and asks where something is not saved. */
  children: (closeButton: ReactNode) => ReactNode;
}

/** A dialog that asks before what was written in it is discarded, however the reader leaves it. */
export function GuardedDialog({ title, isChanged, isWide = false, onClose, closeName, children }: GuardedDialogProps) {
  const t = useTexts(texts);
  const [isLeaving, setLeaving] = useState(false);
  const close = () => (isChanged ? setLeaving(true) : onClose());
  return (
    <>
      <Dialog title={title} isOpen isWide={isWide} onClose={close}>
        {children(<Button onPress={close}>{closeName ?? (isChanged ? t.discard : t.close)}</Button>)}
      </Dialog>
      <Dialog
        title={t.title}
        isOpen={isLeaving}
        role="alertdialog"
        onClose={() => setLeaving(false)}
        buttons={
          <>
            <Button onPress={() => setLeaving(false)} autoFocus>
              {t.stay}
            </Button>
            <Button kind="danger" onPress={onClose}>
              {t.discard}
            </Button>
          </>
        }
      >
        <p>{t.text}</p>
      </Dialog>
    </>
  );
}
