import { useState, type FormEvent } from 'react';
import { Button } from '../design/controls/button';
import { Dialog, DialogButtons } from '../design/controls/dialog';
import { TextField } from '../design/controls/text-field';
import { defineTexts, useTexts } from '../design/language/language';
import { useSavedViews } from '../server/use-saved-views';

const texts = defineTexts({
  en: {
    title: 'Save this view',
    explanation: 'It is kept in this browser and stands on the start page. To send it to somebody, copy the address.',
    name: 'Name',
    cancel: 'Cancel',
    save: 'Save',
  },
  de: {
    title: 'Diese Ansicht speichern',
    explanation: 'Sie bleibt in diesem Browser und steht auf der Startseite. Um sie jemandem zu senden, kopieren Sie die Adresse.',
    name: 'Name',
    cancel: 'Abbrechen',
    save: 'Speichern',
  },
});

/** Names the view that is open, and keeps its address. */
export function SaveView({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const t = useTexts(texts);
  return (
    <Dialog title={t.title} isOpen={isOpen} onClose={onClose}>
      <p>{t.explanation}</p>
      <NameForm onClose={onClose} />
    </Dialog>
  );
}

function NameForm({ onClose }: { onClose: () => void }) {
  const t = useTexts(texts);
  const { save } = useSavedViews();
  const [name, setName] = useState(() => document.querySelector('h1')?.textContent ?? '');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save({ name: name.trim(), address: `${location.pathname}${location.search}` });
    onClose();
  };
  return (
    <form onSubmit={submit}>
      <TextField label={t.name} value={name} onChange={setName} autoFocus />
      <DialogButtons>
        <Button onPress={onClose}>{t.cancel}</Button>
        <Button kind="primary" type="submit" isDisabled={name.trim() === ''}>
          {t.save}
        </Button>
      </DialogButtons>
    </form>
  );
}
