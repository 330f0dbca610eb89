import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import checkStyles from '../design/controls/check.module.css';
import { FormDialog } from '../quality/editing/form-dialog';
import { TextField } from '../design/controls/text-field';
import { defineTexts, useTexts } from '../design/language/language';
import { useViews } from '../server/use-views';

const texts = defineTexts({
  en: {
    title: 'Save this view',
    browser: 'It is kept in this browser and stands on the start page. To send it to somebody, copy the address.',
    server: 'It is kept on the server and stands on your start page. To send it to somebody, copy the address.',
    name: 'Name',
    shared: 'On the start page of all users',
    save: 'Save',
  },
  de: {
    title: 'Diese Ansicht speichern',
    browser: 'Sie bleibt in diesem Browser und steht auf der Startseite. Um sie jemandem zu senden, kopieren Sie die Adresse.',
    server: 'Sie bleibt auf dem Server und steht auf Ihrer Startseite. Um sie jemandem zu senden, kopieren Sie die Adresse.',
    name: 'Name',
    shared: 'Auf der Startseite aller Benutzer',
    save: 'Speichern',
  },
});

/** Name of a view that is being saved, as a draft. */
export const SAVED_VIEW_FORM = 'saved view';

/** Names the view that is open, and keeps its address. */
export function SaveView({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return isOpen ? <NameForm onClose={onClose} /> : null;
}

function NameForm({ onClose }: { onClose: () => void }) {
  const t = useTexts(texts);
  const { keptIn, mayShare, save } = useViews();
  const [name, setName] = useState(() => document.querySelector('h1')?.textContent ?? '');
  const [isShared, setIsShared] = useState(false);
  const saving = useMutation({
    mutationFn: () => save({ name: name.trim(), address: `${location.pathname}${location.search}` }, isShared),
    onSuccess: onClose,
  });
  return (
    <FormDialog
      title={t.title}
      action={t.save}
      canSubmit={name.trim() !== '' && !saving.isPending}
      error={saving.error}
      onSubmit={() => saving.mutate()}
      draft={{
        form: SAVED_VIEW_FORM,
        value: { name, isShared },
        onRestore: (kept) => {
          setName(kept.name);
          setIsShared(kept.isShared);
        },
      }}
      onClose={onClose}
    >
      <p>{t[keptIn]}</p>
      <TextField label={t.name} value={name} onChange={setName} autoFocus />
      {mayShare && (
        <label className={checkStyles.label}>
          <input type="checkbox" checked={isShared} onChange={(event) => setIsShared(event.target.checked)} />
          {t.shared}
        </label>
      )}
    </FormDialog>
  );
}
