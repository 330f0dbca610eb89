import type { AnyAttributeDefinition, Catalog, WrittenCatalog } from '@sinebar/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { FormDialog } from '../../quality/editing/form-dialog';
import { TextField } from '../../design/controls/text-field';
import { useTexts } from '../../design/language/language';
import { newUuid } from '../../server/new-uuid';
import styles from './catalogs.module.css';
import { texts } from './texts';
import textStyles from '../../design/styles/text.module.css';
import checkStyles from '../../design/controls/check.module.css';

export interface CreateCatalogProps {
  catalogs: readonly Catalog[];
  /** Attributes that entries of catalogs may have. */
  definitions: readonly AnyAttributeDefinition[];
  /** @returns when the server has it; a rejection shows in the dialog */
  onCreate: (catalog: WrittenCatalog) => Promise<void>;
  onClose: () => void;
}

/** Asks for the name of a new catalog and the attributes of its entries. */
export function CreateCatalog({ catalogs, definitions, onCreate, onClose }: CreateCatalogProps) {
  const t = useTexts(texts);
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const creation = useMutation({ mutationFn: onCreate, onSuccess: onClose });
  const given = name.trim();
  const isTaken = catalogs.some((catalog) => catalog.name.toLowerCase() === given.toLowerCase());
  const canCreate = given !== '' && !isTaken && chosen.size > 0 && !creation.isPending;
  const submit = () => creation.mutate({ uuid: newUuid(), name: given, validAttributes: [...chosen], catalogEntries: [] });
  return (
    <FormDialog
      title={t.createTitle}
      action={t.createAction}
      canSubmit={canCreate}
      error={creation.error}
      onSubmit={submit}
      draft={{
        form: 'new catalog',
        value: { name, chosen: [...chosen] },
        onRestore: (kept) => {
          setName(kept.name);
          setChosen(new Set(kept.chosen));
        },
      }}
      onClose={onClose}
    >
      <TextField
        label={t.catalogName}
        value={name}
        onChange={setName}
        error={isTaken ? t.takenName : undefined}
        autoFocus
        validationBehavior="aria"
      />
      <fieldset className={styles.attributes}>
        <legend>{t.entryAttributes}</legend>
        {[...definitions]
          .sort((a, b) => a.key - b.key)
          .map(({ key, description }) => (
            <label key={key} className={checkStyles.label}>
              <input
                type="checkbox"
                checked={chosen.has(key)}
                onChange={(event) => {
                  const next = new Set(chosen);
                  if (event.target.checked) next.add(key);
                  else next.delete(key);
                  setChosen(next);
                }}
              />
              {description} <span className={textStyles.note}>{key}</span>
            </label>
          ))}
        {definitions.length === 0 && <p>{t.noEntryAttributes}</p>}
      </fieldset>
    </FormDialog>
  );
}
