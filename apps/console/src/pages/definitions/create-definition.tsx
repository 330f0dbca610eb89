import type { AnyAttributeDefinition, AttributeOwner, StandardAttribute } from '@sinebar/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import fieldStyles from '../../design/controls/field.module.css';
import { FormDialog } from '../../quality/editing/form-dialog';
import { TextField } from '../../design/controls/text-field';
import { useLanguage, useTexts } from '../../design/language/language';
import type { Configuration } from '../../quality/attributes/configuration';
import { standardAttribute } from '../../quality/attributes/standard-attributes';
import styles from './definitions.module.css';
import { texts } from './texts';

const TYPES = ['AlphaNumeric', 'Integer', 'Float', 'DateTime', 'Catalog'] as const;

/** Largest key and largest length. */
const MAX_UINT16 = 65_535;
const USUAL_LENGTH = '255';

export interface CreateDefinitionProps {
  title: string;
  owner: AttributeOwner;
  configuration: Configuration;
  /** @returns when the server has it; a rejection shows in the dialog */
  onCreate: (definition: AnyAttributeDefinition) => Promise<void>;
  onClose: () => void;
}

/** Asks for key, name and type of a new attribute; the key of a standard attribute gives name, type and length. */
export function CreateDefinition({ title, owner, configuration, onCreate, onClose }: CreateDefinitionProps) {
  const t = useTexts(texts);
  const language = useLanguage();
  const catalogs = [...configuration.catalogs.values()];
  const [key, setKey] = useState('');
  const [standard, setStandard] = useState<StandardAttribute>();
  const [description, setDescription] = useState('');
  const [type, setType] = useState<(typeof TYPES)[number]>('AlphaNumeric');
  const [length, setLength] = useState(USUAL_LENGTH);
  const [catalog, setCatalog] = useState(catalogs[0]?.uuid);
  const creation = useMutation({ mutationFn: onCreate, onSuccess: onClose });

  const keyOwner = configuration.byKey.get(Number(key));
  let keyError: string | undefined;
  if (key !== '' && !isWhole(key)) keyError = t.badKey;
  else if (key !== '' && keyOwner !== undefined) keyError = t.takenKey(keyOwner.description);
  const lengthError = type === 'AlphaNumeric' && !isWhole(length) ? t.badLength : undefined;
  const isComplete =
    isWhole(key) &&
    keyError === undefined &&
    lengthError === undefined &&
    description.trim() !== '' &&
    (type !== 'Catalog' || catalog !== undefined);

  const chooseKey = (written: string) => {
    setKey(written);
    // What the reader has written stays.
    if (description !== (standard?.names[language] ?? '')) return;
    const next = standardAttribute(owner, Number(written));
    setStandard(next);
    setDescription(next?.names[language] ?? '');
    setType(next?.type ?? 'AlphaNumeric');
    setLength(String(next?.length ?? USUAL_LENGTH));
  };
  const submit = () => {
    const named = { key: Number(key), description: description.trim() };
    if (type === 'Catalog') creation.mutate({ definitionType: 'CatalogAttributeDefinition', ...named, catalog: catalog ?? '' });
    else if (type === 'AlphaNumeric') creation.mutate({ definitionType: 'AttributeDefinition', ...named, type, length: Number(length) });
    else creation.mutate({ definitionType: 'AttributeDefinition', ...named, type });
  };

  return (
    <FormDialog
      title={title}
      action={t.createAction}
      canSubmit={isComplete && !creation.isPending}
      error={creation.error}
      onSubmit={submit}
      draft={{
        form: `new attribute of ${owner}`,
        value: { key, description, type, length, catalog },
        onRestore: (kept) => {
          setKey(kept.key);
          setDescription(kept.description);
          setType(kept.type);
          setLength(kept.length);
          setCatalog(kept.catalog);
        },
      }}
      onClose={onClose}
    >
      <TextField
        label={t.key}
        value={key}
        onChange={chooseKey}
        error={keyError}
        hint={t.keyHint}
        inputMode="numeric"
        autoFocus
        validationBehavior="aria"
      />
      <TextField label={t.name} value={description} onChange={setDescription} />
      <label className={styles.select}>
        {t.type}
        <select
          className={fieldStyles.field}
          value={type}
          onChange={(event) => setType(TYPES.find((known) => known === event.target.value) ?? 'AlphaNumeric')}
        >
          {TYPES.map((known) => (
            <option key={known} value={known}>
              {t[known]}
            </option>
          ))}
        </select>
      </label>
      {type === 'AlphaNumeric' && (
        <TextField label={t.length} value={length} onChange={setLength} error={lengthError} inputMode="numeric" validationBehavior="aria" />
      )}
      {type === 'Catalog' && catalogs.length > 0 && (
        <label className={styles.select}>
          {t.catalog}
          <select className={fieldStyles.field} value={catalog} onChange={(event) => setCatalog(event.target.value)}>
            {catalogs.map(({ uuid, name }) => (
              <option key={uuid} value={uuid}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      {type === 'Catalog' && catalogs.length === 0 && <p>{t.noCatalog}</p>}
    </FormDialog>
  );
}

function isWhole(text: string): boolean {
  return /^\d{1,5}$/.test(text.trim()) && Number(text) <= MAX_UINT16;
}
