import { Button } from '../../design/controls/button';
import { Dialog } from '../../design/controls/dialog';
import { defineTexts, useTexts } from '../../design/language/language';
import styles from './webhook-secret.module.css';

const texts = defineTexts({
  en: {
    title: 'The secret of this webhook',
    text: 'Give it to the receiver now: it is shown only this once. It checks with it that a message comes from this server.',
    copy: 'Copy',
    close: 'Close',
  },
  de: {
    title: 'Das Geheimnis dieses Webhooks',
    text: 'Geben Sie es jetzt dem Empfänger: Es wird nur dieses eine Mal gezeigt. Er prüft damit, dass eine Nachricht von diesem Server kommt.',
    copy: 'Kopieren',
    close: 'Schließen',
  },
});

/** Shows the secret that signs the messages of a webhook, which no later answer holds. */
export function WebhookSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  const t = useTexts(texts);
  return (
    <Dialog
      title={t.title}
      isOpen
      onClose={onClose}
      buttons={
        <>
          <Button onPress={() => void navigator.clipboard.writeText(secret)}>{t.copy}</Button>
          <Button kind="primary" onPress={onClose}>
            {t.close}
          </Button>
        </>
      }
    >
      <p>{t.text}</p>
      <code className={styles.secret}>{secret}</code>
    </Dialog>
  );
}
