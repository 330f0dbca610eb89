import { useState } from 'react';
import { FileTrigger } from 'react-aria-components';
import { Button } from '../../design/controls/button';
import { QuietButton } from '../../design/controls/buttons';
import { useTexts } from '../../design/language/language';
import styles from './import.module.css';
import { texts } from './texts';

/** Content of the columns of a table, in the form of the schema `TableMapping`; the server says what is wrong in it. */
export type TableMapping = Readonly<Record<string, unknown>>;

export interface NamedMapping {
  name: string;
  mapping: TableMapping;
}

interface Props {
  chosen: NamedMapping | undefined;
  onChoose: (chosen: NamedMapping | undefined) => void;
}

/** Chooses the JSON file that says what the columns of CSV and Excel files hold. */
export function MappingField({ chosen, onChoose }: Props) {
  const t = useTexts(texts);
  const [badFile, setBadFile] = useState<string>();
  const read = async (file: File | undefined) => {
    if (file === undefined) return;
    const mapping = objectIn(await file.text());
    setBadFile(mapping === undefined ? file.name : undefined);
    onChoose(mapping && { name: file.name, mapping });
  };
  return (
    <div role="group" aria-label={t.mapping} className={styles.mapping}>
      <span className={styles.mappingLabel}>{t.mapping}</span>
      <div className={styles.mappingChoice}>
        <span>{chosen?.name ?? t.mappingByNames}</span>
        <FileTrigger acceptedFileTypes={['.json']} onSelect={(files) => void read(files?.[0])}>
          <Button>{t.chooseMapping}</Button>
        </FileTrigger>
        {chosen !== undefined && <QuietButton onPress={() => onChoose(undefined)}>{t.removeNamed(chosen.name)}</QuietButton>}
      </div>
      {badFile !== undefined && (
        <p role="alert" className={styles.odd}>
          {t.badMapping(badFile)}
        </p>
      )}
    </div>
  );
}

function objectIn(text: string): TableMapping | undefined {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === 'object' && json !== null && !Array.isArray(json) ? { ...json } : undefined;
  } catch {
    return undefined;
  }
}
