import type { ReportSchedule } from '@sinebar/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import checkStyles from '../../design/controls/check.module.css';
import { SelectField } from '../../design/controls/select-field';
import { TextField } from '../../design/controls/text-field';
import { useTexts } from '../../design/language/language';
import textStyles from '../../design/styles/text.module.css';
import { statusOf } from '../../server/error-status';
import { newUuid } from '../../server/new-uuid';
import { receiversQuery } from '../../server/queries/alarm-queries';
import { queryKeys } from '../../server/queries/keys';
import { useServer } from '../../server/server';
import { FormDialog } from '../editing/form-dialog';
import { WebhookSecret } from '../receivers/webhook-secret';
import {
  FREQUENCIES,
  newScheduleDraft,
  scheduleContent,
  scheduleDraftOf,
  scheduleProblem,
  type ScheduleDraft,
  type ScheduleSubject,
} from './schedule-draft';
import { texts } from './schedule-texts';
import { useScheduleWords } from './use-schedule-words';

interface ScheduleDialogProps {
  /** Report that is made again and again. */
  subject: ScheduleSubject;
  /** Name of a new schedule. */
  name: string;
  /** The schedule that is changed; without it a new one is made. */
  schedule?: (ReportSchedule & { etag: string }) | undefined;
  onSaved: () => void;
  onClose: () => void;
}

/** Asks when a report is made again, and to whom it is sent. */
export function ScheduleDialog({ subject, name, schedule, onSaved, onClose }: ScheduleDialogProps) {
  const t = useTexts(texts);
  const server = useServer();
  const queries = useQueryClient();
  const { data: choice } = useQuery(receiversQuery(server));
  // The same uuid for each attempt: a request whose answer was lost does not make a second one.
  const [uuid] = useState(newUuid);
  const [secret, setSecret] = useState<string>();
  const [draft, setDraft] = useState(() => (schedule ? scheduleDraftOf(schedule) : newScheduleDraft(name)));
  const saving = useMutation({
    mutationFn: () => {
      const content = scheduleContent(draft, subject, schedule);
      return schedule
        ? server.reports.changeSchedule(schedule.uuid, content, { etag: schedule.etag })
        : server.reports.createSchedule({ ...content, uuid });
    },
    onSuccess: (saved) => {
      void queries.invalidateQueries({ queryKey: queryKeys.reports('schedules') });
      if (saved.secret === undefined) onSaved();
      else setSecret(saved.secret);
    },
  });
  const problem = scheduleProblem(draft);
  const set = (changed: Partial<ScheduleDraft>) => {
    saving.reset();
    setDraft({ ...draft, ...changed });
  };
  if (secret !== undefined) return <WebhookSecret secret={secret} onClose={onSaved} />;
  return (
    <FormDialog
      title={schedule ? t.editTitle : t.createTitle}
      action={t.save}
      canSubmit={problem === undefined && !saving.isPending}
      error={statusOf(saving.error) === 412 ? new Error(t.overtaken) : saving.error}
      onSubmit={() => saving.mutate()}
      onClose={onClose}
      draft={{ form: `schedule ${schedule?.uuid ?? 'new'}`, value: draft, onRestore: setDraft }}
    >
      <TextField label={t.name} value={draft.name} onChange={(text) => set({ name: text })} />
      <TimeFields draft={draft} set={set} zone={schedule?.when.zone ?? choice?.zone} />
      <TextField label={t.days} hint={t.daysHint} value={draft.days} onChange={(days) => set({ days })} inputMode="numeric" />
      <TextField
        label={t.addresses}
        hint={choice?.mail === false ? t.noMail : t.addressesHint}
        value={draft.addresses}
        onChange={(addresses) => set({ addresses })}
      />
      {(choice?.any === true || draft.webhook !== '') && (
        <TextField label={t.webhook} hint={t.webhookHint} value={draft.webhook} onChange={(webhook) => set({ webhook })} type="url" />
      )}
      <label className={checkStyles.label}>
        <input type="checkbox" checked={draft.isEnabled} onChange={(event) => set({ isEnabled: event.target.checked })} />
        {t.enabled}
      </label>
      {problem !== undefined && (
        <p role="status" className={textStyles.explanation}>
          {t[problem]}
        </p>
      )}
    </FormDialog>
  );
}

interface TimeFieldsProps {
  draft: ScheduleDraft;
  set: (changed: Partial<ScheduleDraft>) => void;
  /** Zone of the wall times, once it is known. */
  zone: string | undefined;
}

function TimeFields({ draft, set, zone }: TimeFieldsProps) {
  const t = useTexts(texts);
  const { weekdays } = useScheduleWords();
  const { frequency, weekday, dayOfMonth, time, cron } = draft;
  const hint = zone === undefined ? {} : { hint: t.zone(zone) };
  return (
    <>
      <SelectField
        label={t.often}
        value={frequency}
        onChoose={(chosen) => set({ frequency: chosen })}
        options={FREQUENCIES.map((each) => [each, t[each]] as const)}
      />
      {frequency === 'weekly' && (
        <SelectField label={t.weekday} value={weekday} onChoose={(day) => set({ weekday: day })} options={weekdays} />
      )}
      {frequency === 'monthly' && (
        <TextField label={t.dayOfMonth} value={dayOfMonth} onChange={(day) => set({ dayOfMonth: day })} inputMode="numeric" />
      )}
      {frequency === 'other' ? (
        <TextField label={t.cron} hint={t.cronHint} value={cron} onChange={(line) => set({ cron: line })} />
      ) : (
        <TextField label={t.time} {...hint} value={time} onChange={(text) => set({ time: text })} type="time" />
      )}
    </>
  );
}
