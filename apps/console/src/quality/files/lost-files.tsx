import { useEffect, useEffectEvent, useState } from 'react';
import { Button } from '../../design/controls/button';
import { defineTexts, useTexts } from '../../design/language/language';
import { useSession, useUserName } from '../../server/session/use-session';
import styles from '../editing/editing.module.css';

const texts = defineTexts({
  en: { lost: (names: string) => `You signed in again before these files were stored. Choose them again: ${names}.`, hide: 'Hide' },
  de: {
    lost: (names: string) =>
      `Sie haben sich erneut angemeldet, bevor diese Dateien gespeichert waren. Wählen Sie sie noch einmal: ${names}.`,
    hide: 'Ausblenden',
  },
});

interface LostFilesProps {
  /** Names the place that the files were chosen for, so that no other page names them. */
  form: string;
  /** Files that are chosen and not stored. */
  names: readonly string[];
}

/** Names the files that a sign-in has left behind when it left the page, since the browser gives them only once. */
export function LostFiles({ form, names }: LostFilesProps) {
  const t = useTexts(texts);
  const { drafts } = useSession().session;
  const user = useUserName();
  const [lost, setLost] = useState(() => (drafts.find(form, user) ?? []) as readonly string[]);
  const hasNames = names.length > 0;
  const readNames = useEffectEvent(() => ({ user, value: names }));
  useEffect(() => (hasNames ? drafts.hold(form, () => readNames()) : undefined), [drafts, form, hasNames]);
  useEffect(() => () => drafts.forget(form), [drafts, form]);
  const shown = lost.filter((name) => !names.includes(name));
  const isOver = lost.length > 0 && shown.length === 0;
  useEffect(() => {
    if (isOver) drafts.forget(form);
  }, [drafts, form, isOver]);
  if (shown.length === 0) return null;
  return (
    <div role="status" className={styles.offer}>
      <p>{t.lost(shown.join(', '))}</p>
      <Button
        onPress={() => {
          drafts.forget(form);
          setLost([]);
        }}
      >
        {t.hide}
      </Button>
    </div>
  );
}
