import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Button } from '../design/controls/button';
import { useFormats, useTexts } from '../design/language/language';
import { Notice } from '../design/states/notice';
import { useLive } from '../server/live/use-live';
import styles from './connection-notice.module.css';
import { texts } from './texts';

/** A lost connection is said after this time, ms: most are back before. */
const SAID_AFTER_MS = 1_500;
/** The good news stays for this time, ms. */
const BACK_MS = 4_000;

/** The bar that says that the server is lost or behind, and then that it is back. */
export function ConnectionNotice() {
  const t = useTexts(texts);
  const { time } = useFormats();
  const queries = useQueryClient();
  const { state, since } = useLive();
  const said = useSaid(state === 'lost', since);
  return (
    <div className={styles.place}>
      {said === 'lost' && (
        <Notice
          kind="lost"
          action={
            <Button kind="quiet" onPress={() => void queries.refetchQueries()}>
              {t.tryNow}
            </Button>
          }
        >
          <strong>{t.lost(time(new Date(since)))}</strong> {t.lostReason}
        </Notice>
      )}
      {state === 'behind' && (
        <Notice kind="behind">
          <strong>{t.behind}</strong> {t.behindReason}
        </Notice>
      )}
      {said === 'back' && <Notice kind="good">{t.back(time(new Date(since)))}</Notice>}
    </div>
  );
}

function useSaid(isLost: boolean, since: number): 'lost' | 'back' | undefined {
  const [said, setSaid] = useState<'lost' | 'back'>();
  useEffect(() => {
    if (isLost) {
      const timer = setTimeout(() => setSaid('lost'), SAID_AFTER_MS);
      return () => clearTimeout(timer);
    }
    const timers = [
      setTimeout(() => setSaid((before) => (before === 'lost' ? 'back' : before)), 0),
      setTimeout(() => setSaid(undefined), BACK_MS),
    ];
    return () => {
      for (const timer of timers) clearTimeout(timer);
    };
  }, [isLost, since]);
  return said;
}
