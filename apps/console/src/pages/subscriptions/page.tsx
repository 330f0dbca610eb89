import type { AlarmReceiverChoice, AlarmSubscription, SubscriptionContent } from '@sinebar/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../design/controls/button';
import { ConfirmDialog } from '../../design/controls/confirm-dialog';
import { useTexts } from '../../design/language/language';
import { Page } from '../../design/page/page';
import { Nothing } from '../../design/states/nothing';
import { Failed, Pane } from '../../design/states/pane-state';
import { WebhookSecret } from '../../quality/receivers/webhook-secret';
import { newUuid } from '../../server/new-uuid';
import { receiversQuery, subscriptionsQuery } from '../../server/queries/alarm-queries';
import { queryKeys } from '../../server/queries/keys';
import { useServer } from '../../server/server';
import { useMayOnServer } from '../../server/session/use-session';
import { receiverKinds } from './subscription-draft';
import { SubscriptionDialog } from './subscription-dialog';
import { SubscriptionTable } from './subscription-table';
import { TestResult } from './test-result';
import { texts } from './texts';
import { useSubscriptionWords } from './use-subscription-words';
import styles from './subscriptions.module.css';
import textStyles from '../../design/styles/text.module.css';

/** Lists, creates, changes, deletes and tries subscriptions. */
export function SubscriptionsPage() {
  const t = useTexts(texts);
  const server = useServer();
  const choice = useQuery(receiversQuery(server));
  const mayAll = useMayOnServer('policy:write');
  return (
    <Page title={t.title} facts={<p className={textStyles.answer}>{mayAll ? t.leadAll : t.lead}</p>}>
      <Pane query={choice}>{(known) => <Subscriptions choice={known} />}</Pane>
    </Page>
  );
}

type Open =
  { what: 'edit'; subscription: (AlarmSubscription & { etag: string }) | undefined } | { what: 'remove'; subscription: AlarmSubscription };

function Subscriptions({ choice }: { choice: AlarmReceiverChoice }) {
  const t = useTexts(texts);
  const server = useServer();
  const queries = useQueryClient();
  const words = useSubscriptionWords();
  const list = useQuery(subscriptionsQuery(server));
  const [open, setOpen] = useState<Open>();
  const [secret, setSecret] = useState<string>();
  const renew = () => queries.invalidateQueries({ queryKey: queryKeys.alarms('subscriptions') });
  // A subscription that is changed is read again, with the condition for it.
  const reading = useMutation({ mutationFn: (uuid: string) => server.subscriptions.get(uuid) });
  const testing = useMutation({
    mutationFn: (subscription: AlarmSubscription) => server.subscriptions.test(subscription.uuid),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.alarms('deliveries') }),
  });
  const save = async (content: SubscriptionContent, known: (AlarmSubscription & { etag: string }) | undefined, uuid: string) => {
    const saved = known
      ? await server.subscriptions.update(known.uuid, content, { etag: known.etag })
      : await server.subscriptions.create({ ...content, uuid });
    if (saved.receiver.kind === 'webhook') setSecret(saved.receiver.secret);
    await renew();
  };
  const mayCreate = receiverKinds(choice).length > 0;
  const error = reading.error ?? testing.error;
  return (
    <>
      <div className={styles.notices}>
        {!choice.mail && <p className={styles.missing}>{t.noMail}</p>}
        {!choice.links && <p className={styles.missing}>{t.noLinks}</p>}
        {!mayCreate && <p>{t.noReceiver}</p>}
      </div>
      {mayCreate && (
        <Button kind="primary" onPress={() => setOpen({ what: 'edit', subscription: undefined })}>
          {t.create}
        </Button>
      )}
      {error && <Failed error={error} />}
      {testing.data && testing.variables && <TestResult uuid={testing.data.uuid} receiver={words.receiver(testing.variables)} />}
      <Pane query={list}>
        {(subscriptions) =>
          subscriptions.length === 0 ? (
            <Nothing title={t.none}>{t.noneText}</Nothing>
          ) : (
            <SubscriptionTable
              subscriptions={subscriptions}
              isTesting={testing.isPending}
              onTest={(subscription) => testing.mutate(subscription)}
              onEdit={({ uuid }) => reading.mutate(uuid, { onSuccess: (subscription) => setOpen({ what: 'edit', subscription }) })}
              onRemove={(subscription) => setOpen({ what: 'remove', subscription })}
            />
          )
        }
      </Pane>
      {open?.what === 'edit' && (
        <NewOrChanged choice={choice} subscription={open.subscription} onSave={save} onClose={() => setOpen(undefined)} />
      )}
      {open?.what === 'remove' && (
        <ConfirmDialog
          title={t.removeTitle}
          goes={[t.removeGoes(words.receiver(open.subscription))]}
          action={t.removeAction}
          onConfirm={async () => {
            await server.subscriptions.delete(open.subscription.uuid);
            await renew();
          }}
          onClose={() => setOpen(undefined)}
        />
      )}
      {secret !== undefined && <WebhookSecret secret={secret} onClose={() => setSecret(undefined)} />}
    </>
  );
}

interface NewOrChangedProps {
  choice: AlarmReceiverChoice;
  subscription: (AlarmSubscription & { etag: string }) | undefined;
  onSave: (content: SubscriptionContent, known: NewOrChangedProps['subscription'], uuid: string) => Promise<void>;
  onClose: () => void;
}

function NewOrChanged({ choice, subscription, onSave, onClose }: NewOrChangedProps) {
  // The same uuid for each attempt: a request whose answer was lost does not make a second one.
  const [uuid] = useState(newUuid);
  return (
    <SubscriptionDialog
      choice={choice}
      subscription={subscription}
      onSave={(content) => onSave(content, subscription, uuid)}
      onClose={onClose}
    />
  );
}
