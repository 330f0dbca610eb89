import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmDialog } from '../../design/controls/confirm-dialog';
import { useTexts } from '../../design/language/language';
import { statusOf } from '../../server/error-status';
import { queryKeys } from '../../server/queries/keys';
import { useServer } from '../../server/server';
import { texts } from './texts';
import type { ReadNote } from './use-save-note';
import styles from './notes.module.css';

/** Asks before a note is deleted; when somebody else has changed it meanwhile, shows the new text and asks again. */
export function DeleteNote({ note, onClose }: { note: ReadNote; onClose: () => void }) {
  const t = useTexts(texts);
  const server = useServer();
  const queries = useQueryClient();
  const [known, setKnown] = useState(note);
  const remove = async () => {
    try {
      await server.notes.delete(known.uuid, { etag: known.etag });
    } catch (error) {
      if (statusOf(error) === 412) {
        setKnown(await server.notes.get(known.uuid));
        throw new Error(t.removeChanged, { cause: error });
      }
      // Somebody else was faster.
      if (statusOf(error) !== 404) throw error;
    } finally {
      void queries.invalidateQueries({ queryKey: queryKeys.notes() });
    }
  };
  return (
    <ConfirmDialog
      title={t.removeTitle}
      goes={[
        <span key="text" dir="auto" className={`${styles.text} ${styles.cut}`}>
          {known.text}
        </span>,
      ]}
      action={t.removeAction}
      onConfirm={remove}
      onClose={onClose}
    />
  );
}
