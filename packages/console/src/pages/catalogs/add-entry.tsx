import type { Catalog, WrittenCatalogEntry } from '@sinebar/client';
import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { Button } from '../../design/controls/button';
import { Dialog, DialogButtons } from '../../design/controls/dialog';
import { TextField } from '../../design/controls/text-field';
import { useTexts } from '../../design/language/language';
import { Failed } from '../../design/states/pane-state';
import styles from './catalogs.module.css';
import { texts } from './texts';

const LARGEST_KEY = 32_767;
/** Key of a new entry that takes the next free number. */
const NEXT_FREE = -1;

export interface AddEntryProps {
  catalog: Catalog;
  columns: readonly { key: number; name: string }[];
  /** @returns when the server has it; a rejection shows in the dialog */
  onAdd: (entry: WrittenCatalogEntry) => Promise<void>;
  onClose: () => void;
}

/** Asks for the number and the attributes of a new entry. */
export function AddEntry({ catalog, columns, onAdd, onClose }: AddEntryProps) {
  const t = useTexts(texts);
  const [key, setKey] = useState('');
  const [attributes, setAttributes] = useState<Readonly<Record<string, string>>>({});
  const addition = useMutation({ mutationFn: onAdd, onSuccess: onClose });
  const given = key.trim();
  let keyError: string | undefined;
  if (given !== '' && !(/^\d{1,5}$/.test(given) && Number(given) <= LARGEST_KEY)) keyError = t.badKey;
  else if (given !== '' && catalog.catalogEntries.some((entry) => entry.key === Number(given))) keyError = t.takenKey;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (keyError !== undefined || addition.isPending) return;
    const written = Object.entries(attributes).filter(([, text]) => text !== '');
    addition.mutate({ key: given === '' ? NEXT_FREE : Number(given), attributes: Object.fromEntries(written) });
  };
  return (
    <Dialog title={t.addTitle(catalog.name)} isOpen onClose={onClose}>
      <form className={styles.form} onSubmit={submit}>
        {columns.map((column, index) => (
          <TextField
            key={column.key}
            label={column.name}
            value={attributes[column.key] ?? ''}
            onChange={(text) => setAttributes((known) => ({ ...known, [column.key]: text }))}
            autoFocus={index === 0}
          />
        ))}
        {columns.length === 0 && <p>{t.noAttributes}</p>}
        <TextField
          label={t.key}
          value={key}
          onChange={setKey}
          error={keyError}
          hint={t.keyHint}
          inputMode="numeric"
          validationBehavior="aria"
        />
        {addition.error !== null && <Failed error={addition.error} />}
        <DialogButtons>
          <Button onPress={onClose}>{t.cancel}</Button>
          <Button kind="primary" type="submit" isDisabled={keyError !== undefined || addition.isPending}>
            {t.addAction}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
