import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { TimeField, TimeFields } from '../../design/controls/time-field';
import { useTexts } from '../../design/language/language';
import { FormDialog } from '../../quality/editing/form-dialog';
import { PartField } from '../../quality/parts/part-field';
import { newUuid } from '../../server/new-uuid';
import { queryKeys } from '../../server/queries/keys';
import { useServer } from '../../server/server';
import { muteProblem, type MuteDraft } from './mute-draft';
import { texts } from './texts';
import styles from './alarms.module.css';
import textStyles from '../../design/styles/text.module.css';

const MAX_REASON = 4000;

/** Plans a stop of a part: alarms come meanwhile, and nobody is told. */
export function MuteDialog({ partPath, onClose }: { partPath: string | undefined; onClose: () => void }) {
  const t = useTexts(texts);
  const server = useServer();
  const queries = useQueryClient();
  // The same uuid for each attempt: a request whose answer was lost does not plan it twice.
  const [uuid] = useState(newUuid);
  const [draft, setDraft] = useState<MuteDraft>({ ...(partPath !== undefined && { partPath }), from: '', until: '', reason: '' });
  const saving = useMutation({
    mutationFn: ({ partPath: path = '/', from, until, reason }: MuteDraft) =>
      server.alarms.mute({ uuid, partPath: path, ...(from !== '' && { from }), until, reason: reason.trim() }),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: queryKeys.alarms('mutes') });
      onClose();
    },
  });
  // oxlint-disable-next-line react/purity -- a stop ends behind the time at which it is written
  const problem = muteProblem(draft, new Date());
  const isBegun = draft.until !== '' || draft.reason !== '';
  return (
    <FormDialog
      title={t.muteTitle}
      action={t.muteSave}
      canSubmit={problem === undefined && !saving.isPending}
      error={saving.error}
      onSubmit={() => saving.mutate(draft)}
      onClose={onClose}
      draft={{ form: 'planned stop', value: draft, onRestore: setDraft }}
    >
      <p className={textStyles.explanation}>{t.muteText}</p>
      <PartField path={draft.partPath} onChoose={(chosen) => setDraft({ ...draft, partPath: chosen })} />
      <TimeFields>
        <TimeField label={t.muteFrom} value={draft.from} onChange={(from) => setDraft({ ...draft, from })} />
        <TimeField label={t.muteUntil} value={draft.until} onChange={(until) => setDraft({ ...draft, until })} />
      </TimeFields>
      <label className={styles.field}>
        {t.muteReason}
        <input value={draft.reason} maxLength={MAX_REASON} onChange={(event) => setDraft({ ...draft, reason: event.target.value })} />
      </label>
      {isBegun && problem !== undefined && (
        <p role="status" className={textStyles.explanation}>
          {t[problem]}
        </p>
      )}
    </FormDialog>
  );
}
