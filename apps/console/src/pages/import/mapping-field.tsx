import type { TableMapping } from '@sinebar/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { FileTrigger } from 'react-aria-components';
import { Button } from '../../design/controls/button';
import { QuietButton } from '../../design/controls/buttons';
import { ConfirmDialog } from '../../design/controls/confirm-dialog';
import { SelectField } from '../../design/controls/select-field';
import { useTexts } from '../../design/language/language';
import { queryKeys } from '../../server/queries/keys';
import { useServer } from '../../server/server';
import { useMayOnServer } from '../../server/session/use-session';
import { KeepMapping } from './columns/keep-mapping';
import { isTooLong } from './columns/mapping';
import styles from './import.module.css';
import { texts } from './texts';

/** A mapping for all tables: one that is kept on the server, or one of a file. */
export type ChosenMapping = { kept: string } | { fileName: string; mapping: TableMapping };

interface Props {
  chosen: ChosenMapping | undefined;
  onChoose: (chosen: ChosenMapping | undefined) => void;
}

/** Chooses what the columns of CSV and Excel files hold: found by their names, a mapping that is kept, or a JSON file. */
export function MappingField({ chosen, onChoose }: Props) {
  const t = useTexts(texts);
  const server = useServer();
  const queries = useQueryClient();
  const mayDelete = useMayOnServer('configuration:write');
  const kept = useQuery({ queryKey: queryKeys.mappings('list'), queryFn: ({ signal }) => server.exchange.mappings({ signal }) });
  const [badFile, setBadFile] = useState<string>();
  const [deleted, setDeleted] = useState<string>();
  const read = async (file: File | undefined) => {
    if (file === undefined) return;
    const mapping = objectIn(await file.text());
    setBadFile(mapping === undefined ? file.name : undefined);
    onChoose(mapping && { fileName: file.name, mapping });
  };
  const fileName = chosen && 'fileName' in chosen ? chosen.fileName : undefined;
  const keptName = chosen && 'kept' in chosen ? chosen.kept : undefined;
  return (
    <div role="group" aria-label={t.mapping} className={styles.mapping}>
      <div className={styles.mappingChoice}>
        <SelectField
          label={t.mapping}
          value={keptName === undefined ? (fileName === undefined ? '' : 'file') : `@${keptName}`}
          onChoose={(value) => value !== 'file' && onChoose(value === '' ? undefined : { kept: value.slice(1) })}
          options={[
            ['', t.mappingByNames],
            ...(fileName === undefined ? [] : [['file', fileName] as const]),
            ...(kept.data ?? []).map(({ name }) => [`@${name}`, name] as const),
          ]}
        />
        <FileTrigger acceptedFileTypes={['.json']} onSelect={(files) => void read(files?.[0])}>
          <Button>{t.chooseMapping}</Button>
        </FileTrigger>
        {keptName !== undefined && mayDelete && (
          <QuietButton isDanger onPress={() => setDeleted(keptName)}>
            {t.deleteMapping}
          </QuietButton>
        )}
      </div>
      {chosen && 'mapping' in chosen && isTooLong(chosen.mapping) && (
        <KeepMapping mapping={chosen.mapping} onKept={(name) => onChoose({ kept: name })} />
      )}
      {badFile !== undefined && (
        <p role="alert" className={styles.odd}>
          {t.badMapping(badFile)}
        </p>
      )}
      {deleted !== undefined && (
        <ConfirmDialog
          title={t.deleteMappingTitle(deleted)}
          goes={[t.deletesMapping]}
          action={t.deleteAction}
          onConfirm={async () => {
            await server.exchange.deleteMapping(deleted);
            onChoose(undefined);
            await queries.invalidateQueries({ queryKey: queryKeys.mappings() });
          }}
          onClose={() => setDeleted(undefined)}
        />
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
