import { useBlocker } from '@tanstack/react-router';
import { Button } from '../../design/controls/button';
import { Dialog } from '../../design/controls/dialog';
import { defineTexts, useTexts } from '../../design/language/language';

const texts = defineTexts({
  en: { title: 'Leave without saving?', text: 'What you have changed on this page is lost.', stay: 'Stay', leave: 'Leave' },
  de: {
    title: 'Verlassen, ohne zu speichern?',
    text: 'Was Sie auf dieser Seite geändert haben, geht verloren.',
    stay: 'Bleiben',
    leave: 'Verlassen',
  },
});

interface LeaveGuardProps {
  isChanged: boolean;
  /** Whether what is not saved comes back, so that the browser need not ask. */
  isKept?: () => boolean;
}

/** Asks before the page is left while something is not saved. */
export function LeaveGuard({ isChanged, isKept = () => false }: LeaveGuardProps) {
  const t = useTexts(texts);
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isChanged && current.pathname !== next.pathname,
    enableBeforeUnload: () => isChanged && !isKept(),
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  return (
    <Dialog
      title={t.title}
      isOpen
      role="alertdialog"
      onClose={blocker.reset}
      buttons={
        <>
          <Button onPress={blocker.reset} autoFocus>
            {t.stay}
          </Button>
          <Button kind="danger" onPress={blocker.proceed}>
            {t.leave}
          </Button>
        </>
      }
    >
      <p>{t.text}</p>
    </Dialog>
  );
}
