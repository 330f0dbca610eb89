import type { TableMapping } from '@sinebar/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { Button } from '../../../design/controls/button';
import { TextField } from '../../../design/controls/text-field';
import { useTexts } from '../../../design/language/language';
import { Failed } from '../../../design/states/pane-state';
import { KeptDraft } from '../../../quality/editing/kept-draft';
import { queryKeys } from '../../../server/queries/keys';
import { useServer } from '../../../server/server';
import { useMayOnServer } from '../../../server/session/use-session';
import styles from './columns.module.css';
import { isTooLong } from './mapping';
import { texts } from './texts';

interface KeepMappingProps {
  mapping: TableMapping;
  /** Uses the kept mapping in the place of one that is too long to go with a file. */
  onKept: (name: string) => void;
}

/** Keeps a mapping under a name, for all who import. */
export function KeepMapping({ mapping, onKept }: KeepMappingProps) {
  const t = useTexts(texts);
  const server = useServer();
  const queries = useQueryClient();
  const mayKeep = useMayOnServer('configuration:write');
  const [name, setName] = useState('');
  const keeping = useMutation({
    mutationFn: (written: string) => server.exchange.putMapping(written, mapping),
    onSuccess: async (_, written) => {
      await queries.invalidateQueries({ queryKey: queryKeys.mappings() });
      if (isTooLong(mapping)) onKept(written);
    },
  });
  const tooLong = isTooLong(mapping) && <p role="alert">{t.tooLong}</p>;
  if (!mayKeep)
    return (
      <>
        {tooLong}
        <p className={styles.note}>{t.noRight}</p>
      </>
    );
  const isKept = keeping.isSuccess && keeping.variables === name.trim();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== '') keeping.mutate(name.trim());
  };
  return (
    <form className={styles.keep} onSubmit={submit}>
      {tooLong}
      <KeptDraft form="name of columns" isChanged={name !== '' && !isKept} read={() => name} onRestore={setName} asksToLeave={false} />
      <TextField label={t.keepAs} value={name} onChange={setName} maxLength={100} validationBehavior="aria" />
      <Button type="submit" isDisabled={name.trim() === '' || keeping.isPending}>
        {t.keep}
      </Button>
      {isKept && <p role="status">{t.kept(name.trim())}</p>}
      {keeping.error !== null && <Failed error={keeping.error} />}
    </form>
  );
}
