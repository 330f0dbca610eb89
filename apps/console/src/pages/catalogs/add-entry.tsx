import type { Catalog, WrittenCatalogEntry } from '@sinebar/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { FormDialog } from '../../quality/editing/form-dialog';
import { TextField } from '../../design/controls/text-field';
import { useTexts } from '../../design/language/language';
import { texts } from './texts';

const MAX_KEY = 32_767;
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
  if (given !== '' && !(/^\d{1,5}$/.test(given) && Number(given) <= MAX_KEY)) keyError = t.badKey;
  else if (given !== '' && catalog.catalogEntries.some((entry) => entry.key === Number(given))) keyError = t.takenKey;
  const submit = () => {
    const written = Object.entries(attributes).filter(([, text]) => text !== '');
    addition.mutate({ key: given === '' ? NEXT_FREE : Number(given), attributes: Object.fromEntries(written) });
  };
  return (
    <FormDialog
      title={t.addTitle(catalog.name)}
      action={t.addAction}
      canSubmit={keyError === undefined && !addition.isPending}
      error={addition.error}
      onSubmit={submit}
      draft={{
        form: `new entry of ${catalog.uuid}`,
        value: { key, attributes },
        onRestore: (kept) => {
          setKey(kept.key);
          setAttributes(kept.attributes);
        },
      }}
      onClose={onClose}
    >
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
    </FormDialog>
  );
}
