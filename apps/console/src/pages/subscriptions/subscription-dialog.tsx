import { ALARM_KINDS, type AlarmReceiverChoice, type AlarmSubscription, type SubscriptionContent } from '@sinebar/client';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import checkStyles from '../../design/controls/check.module.css';
import { SelectField } from '../../design/controls/select-field';
import { useLanguage, useTexts } from '../../design/language/language';
import { texts as alarmTexts } from '../../quality/alarms/texts';
import { FormDialog } from '../../quality/editing/form-dialog';
import { PartField } from '../../quality/parts/part-field';
import { statusOf } from '../../server/error-status';
import { contentOf, draftOf, draftProblem, newDraft, receiverKinds, type SubscriptionDraft } from './subscription-draft';
import { texts } from './texts';
import styles from './subscriptions.module.css';
import textStyles from '../../design/styles/text.module.css';

interface SubscriptionDialogProps {
  choice: AlarmReceiverChoice;
  /** The subscription that is changed; without it a new one is made. */
  subscription?: AlarmSubscription | undefined;
  /** @returns when the server has it; a rejection shows in the dialog */
  onSave: (content: SubscriptionContent) => Promise<void>;
  onClose: () => void;
}

/** Asks who is to be told about what, when and how. */
export function SubscriptionDialog({ choice, subscription, onSave, onClose }: SubscriptionDialogProps) {
  const t = useTexts(texts);
  const language = useLanguage();
  const [draft, setDraft] = useState(() => (subscription ? draftOf(subscription, choice) : newDraft(choice, language)));
  const saving = useMutation({ mutationFn: () => onSave(contentOf(draft, choice)), onSuccess: onClose });
  const problem = draftProblem(draft, choice);
  const set = (changed: Partial<SubscriptionDraft>) => {
    saving.reset();
    setDraft({ ...draft, ...changed });
  };
  const isOvertaken = statusOf(saving.error) === 412;
  return (
    <FormDialog
      title={subscription ? t.editTitle : t.createTitle}
      action={t.save}
      canSubmit={problem === undefined && !saving.isPending}
      error={isOvertaken ? new Error(t.overtaken) : saving.error}
      onSubmit={() => saving.mutate()}
      onClose={onClose}
      // A secret is kept nowhere.
      draft={{ form: `subscription ${subscription?.uuid ?? 'new'}`, value: { ...draft, secret: '' }, onRestore: setDraft }}
    >
      <ReceiverFields draft={draft} set={set} choice={choice} subscription={subscription} />
      <PartField path={draft.partPath} hasAll onChoose={(partPath) => set({ partPath })} />
      <KindFields draft={draft} set={set} />
      <TimeFields draft={draft} set={set} zone={choice.zone} />
      <SelectField
        label={t.language}
        value={draft.language}
        onChoose={(chosen) => set({ language: chosen })}
        options={[
          ['en', t.en],
          ['de', t.de],
        ]}
      />
      {problem !== undefined && (
        <p role="status" className={textStyles.explanation}>
          {t[problem]}
        </p>
      )}
    </FormDialog>
  );
}

interface FieldsProps {
  draft: SubscriptionDraft;
  set: (changed: Partial<SubscriptionDraft>) => void;
}

function ReceiverFields({ draft, set, choice, subscription }: FieldsProps & Pick<SubscriptionDialogProps, 'choice' | 'subscription'>) {
  const t = useTexts(texts);
  const { receiver, shape } = draft;
  const kinds = [...new Set([...receiverKinds(choice), receiver])];
  const names = { own: t.tell_own(choice.ownAddress ?? ''), email: t.tell_email, webhook: t.tell_webhook };
  const known = subscription?.receiver.kind === 'webhook' ? subscription.receiver : undefined;
  const isKept = known !== undefined && known.shape === shape;
  return (
    <>
      <SelectField
        label={t.tell}
        value={receiver}
        onChoose={(chosen) => set({ receiver: chosen })}
        options={kinds.map((kind) => [kind, names[kind]] as const)}
      />
      {receiver !== 'webhook' && !choice.mail && <p className={styles.missing}>{t.noMail}</p>}
      {receiver === 'email' && (
        <Field
          label={t.address}
          hint={choice.any || choice.mailDomains.length === 0 ? undefined : t.domains(choice.mailDomains.join(', '))}
        >
          <input type="email" value={draft.address} onChange={(event) => set({ address: event.target.value })} />
        </Field>
      )}
      {receiver === 'webhook' && (
        <>
          <SelectField
            label={t.shape}
            value={shape}
            onChoose={(chosen) => set({ shape: chosen })}
            options={[
              ['standard', t.shape_standard],
              ['teams', t.shape_teams],
              ['slack', t.shape_slack],
            ]}
          />
          <Field label={t.url} hint={isKept && shape !== 'standard' ? t.urlKept : undefined}>
            <input type="url" value={draft.url} onChange={(event) => set({ url: event.target.value })} />
          </Field>
          {shape === 'standard' && (
            <Field label={t.secret} hint={isKept ? t.secretKept : t.secretHint}>
              <input
                autoComplete="off"
                spellCheck={false}
                placeholder="whsec_…"
                value={draft.secret}
                onChange={(event) => set({ secret: event.target.value })}
              />
            </Field>
          )}
        </>
      )}
    </>
  );
}

function KindFields({ draft: { kinds }, set }: FieldsProps) {
  const t = useTexts(texts);
  const words = useTexts(alarmTexts);
  return (
    <fieldset className={styles.checks}>
      <legend>{t.kinds}</legend>
      {ALARM_KINDS.map((kind) => (
        <label key={kind} className={checkStyles.label}>
          <input
            type="checkbox"
            checked={kinds.includes(kind)}
            onChange={(event) =>
              set({ kinds: ALARM_KINDS.filter((each) => (each === kind ? event.target.checked : kinds.includes(each))) })
            }
          />
          {words[`kind_${kind}`]}
        </label>
      ))}
    </fieldset>
  );
}

function TimeFields({ draft, set, zone }: FieldsProps & { zone: string }) {
  const t = useTexts(texts);
  const { when, how, hasQuietHours } = draft;
  return (
    <>
      <div className={styles.pair}>
        <SelectField
          label={t.when}
          value={when}
          onChoose={(chosen) => set({ when: chosen })}
          options={[
            ['raised', t.when_raised],
            ['escalated', t.when_escalated],
          ]}
        />
        {when === 'escalated' && (
          <Field label={t.minutes}>
            <input
              inputMode="numeric"
              value={draft.escalateAfterMinutes}
              onChange={(event) => set({ escalateAfterMinutes: event.target.value })}
            />
          </Field>
        )}
      </div>
      <div className={styles.pair}>
        <SelectField
          label={t.how}
          value={how}
          onChoose={(chosen) => set({ how: chosen })}
          options={[
            ['atOnce', t.how_atOnce],
            ['every', t.how_every],
            ['at', t.how_at],
          ]}
        />
        {how === 'every' && (
          <Field label={t.minutes}>
            <input inputMode="numeric" value={draft.everyMinutes} onChange={(event) => set({ everyMinutes: event.target.value })} />
          </Field>
        )}
        {how === 'at' && (
          <Field label={t.times} hint={t.zone(zone)}>
            <input value={draft.times} onChange={(event) => set({ times: event.target.value })} />
          </Field>
        )}
      </div>
      <label className={checkStyles.label}>
        <input type="checkbox" checked={hasQuietHours} onChange={(event) => set({ hasQuietHours: event.target.checked })} />
        {t.quietHours} <span className={textStyles.note}>{t.quietHint}</span>
      </label>
      {hasQuietHours && (
        <div className={styles.pair}>
          <Field label={t.from} hint={t.zone(zone)}>
            <input type="time" value={draft.quietFrom} onChange={(event) => set({ quietFrom: event.target.value })} />
          </Field>
          <Field label={t.to}>
            <input type="time" value={draft.quietTo} onChange={(event) => set({ quietTo: event.target.value })} />
          </Field>
        </div>
      )}
    </>
  );
}

function Field({ label, hint, children }: { label: string; hint?: string | undefined; children: ReactNode }) {
  return (
    <label className={styles.field}>
      {label}
      {children}
      {hint !== undefined && <span className={textStyles.note}>{hint}</span>}
    </label>
  );
}
