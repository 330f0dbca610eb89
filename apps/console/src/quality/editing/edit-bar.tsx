import type { ReactNode } from 'react';
import { Button } from '../../design/controls/button';
import { defineTexts, useFormats, useTexts } from '../../design/language/language';
import styles from './editing.module.css';

const texts = defineTexts({
  en: {
    region: 'Changes that are not saved',
    editing: (name: string) => `You are editing ${name}.`,
    one: '1 change is not saved; everybody else sees it as it was.',
    many: (count: string) => `${count} changes are not saved; everybody else sees it as it was.`,
    discard: 'Discard',
    saveOne: 'Save 1 change',
    save: (count: string) => `Save ${count} changes`,
    saved: 'Saved.',
    undo: 'Undo',
  },
  de: {
    region: 'Nicht gespeicherte Änderungen',
    editing: (name: string) => `Sie bearbeiten ${name}.`,
    one: '1 Änderung ist nicht gespeichert; alle anderen sehen den alten Stand.',
    many: (count: string) => `${count} Änderungen sind nicht gespeichert; alle anderen sehen den alten Stand.`,
    discard: 'Verwerfen',
    saveOne: '1 Änderung speichern',
    save: (count: string) => `${count} Änderungen speichern`,
    saved: 'Gespeichert.',
    undo: 'Rückgängig',
  },
});

export interface EditBarProps {
  /** Name of what is edited. */
  name: string;
  count: number;
  /** Why it cannot be saved; absent when it can. */
  problem?: string | undefined;
  isSaving: boolean;
  onDiscard: () => void;
  onSave: () => void;
  /** A field beside the buttons. */
  children?: ReactNode;
}

/** The bar that stands at the top as long as something is not saved. */
export function EditBar({ name, count, problem, isSaving, onDiscard, onSave, children }: EditBarProps) {
  const t = useTexts(texts);
  const formats = useFormats();
  return (
    <section aria-label={t.region} className={styles.bar}>
      <p className={styles.sentence}>
        <strong>{t.editing(name)}</strong> {count === 1 ? t.one : t.many(formats.count(count))}
      </p>
      {children}
      <Button onPress={onDiscard} isDisabled={isSaving}>
        {t.discard}
      </Button>
      <Button kind="primary" onPress={onSave} isDisabled={isSaving || problem !== undefined}>
        {count === 1 ? t.saveOne : t.save(formats.count(count))}
      </Button>
      {problem !== undefined && (
        <p role="status" className={styles.problem}>
          {problem}
        </p>
      )}
    </section>
  );
}

/** Says that everything is saved, and offers the way back. */
export function SavedBar({ onUndo }: { onUndo: () => void }) {
  const t = useTexts(texts);
  return (
    <div role="status" className={styles.bar}>
      <p className={styles.sentence}>{t.saved}</p>
      <Button onPress={onUndo}>{t.undo}</Button>
    </div>
  );
}
