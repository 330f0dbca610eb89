import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Fragment, useState, type FormEvent, type ReactNode } from 'react';
import { Button } from '../../design/controls/button';
import { TextField } from '../../design/controls/text-field';
import { defineTexts, useTexts } from '../../design/language/language';
import { useServerAddress } from '../../design/program/server-address';
import { newUuid } from '../../server/new-uuid';
import { childPathOf } from '../../server/queries/plan-path';
import { useServer } from '../../server/server';
import { useMay } from '../../server/session/use-session';
import { StandardAttributesButton } from '../../quality/attributes/standard-attributes-button';
import { SineBar } from './sine-bar';
import styles from './empty-server.module.css';

const texts = defineTexts({
  en: {
    title: 'This server has no parts yet.',
    ready: 'It is ready: database, storage and events answer. Begin with one of three things.',
    noneForYou: 'There is no part that you may see.',
    noneForYouReason: 'Ask the administrator for the right plan:read on your parts.',
    demo: 'Load the demo',
    demoText: 'A car door with 200 characteristics and 5,000 measurements, and a photo of it.',
    copy: 'Copy',
    copied: 'Copied',
    part: 'Create a part',
    partText: 'Give it a name; characteristics with nominal and tolerance come next.',
    name: 'Name of the part',
    create: 'Create',
    load: 'Import a file',
    loadText: 'What a measuring machine has written, such as AQDEF (.dfq) or a table of CALYPSO: its parts, characteristics and values.',
    choose: 'Choose a file',
    attributes: 'Before you describe characteristics yourself',
  },
  de: {
    title: 'Dieser Server hat noch keine Teile.',
    ready: 'Er ist bereit: Datenbank, Speicher und Ereignisse antworten. Beginnen Sie mit einem von drei Dingen.',
    noneForYou: 'Es gibt kein Teil, das Sie sehen dürfen.',
    noneForYouReason: 'Bitten Sie den Administrator um das Recht plan:read für Ihre Teile.',
    demo: 'Die Demo laden',
    demoText: 'Eine Autotür mit 200 Merkmalen und 5.000 Messungen, und ein Foto von ihr.',
    copy: 'Kopieren',
    copied: 'Kopiert',
    part: 'Ein Teil anlegen',
    partText: 'Geben Sie ihm einen Namen; Merkmale mit Nennmaß und Toleranz kommen danach.',
    name: 'Name des Teils',
    create: 'Anlegen',
    load: 'Eine Datei einlesen',
    loadText: 'Was eine Messmaschine geschrieben hat, etwa AQDEF (.dfq) oder eine Tabelle von CALYPSO: ihre Teile, Merkmale und Werte.',
    choose: 'Datei wählen',
    attributes: 'Bevor Sie selbst Merkmale beschreiben',
  },
});

/** Shows three ways to begin on a server without parts. */
export function EmptyServer() {
  const t = useTexts(texts);
  const mayCreate = useMay('plan:write', '/');
  const address = useServerAddress();
  return (
    <div className={styles.empty}>
      <header className={styles.head}>
        <div>
          <h1>{mayCreate ? t.title : t.noneForYou}</h1>
          <p className={styles.lead}>{mayCreate ? t.ready : t.noneForYouReason}</p>
        </div>
        <SineBar />
      </header>
      {mayCreate && (
        <ul className={styles.ways}>
          <li>
            <h2>{t.demo}</h2>
            <p>{t.demoText}</p>
            <Command text={`${calledAs()} demo --server ${address}`} />
          </li>
          <li>
            <h2>{t.part}</h2>
            <p>{t.partText}</p>
            <NewPart />
          </li>
          <li>
            <h2>{t.load}</h2>
            <p>{t.loadText}</p>
            <Link to="/import" className={styles.way}>
              {t.choose}
            </Link>
          </li>
        </ul>
      )}
      {mayCreate && (
        <StandardAttributesButton>
          <h2 className={styles.title}>{t.attributes}</h2>
        </StandardAttributesButton>
      )}
    </div>
  );
}

/** How commands are called where the server is installed, as the page was told. */
function calledAs(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="sinebar-command"]')?.content ?? 'sinebar';
}

/** Keeps words whole: the browser would break a line behind the hyphens of an option. */
function unbroken(text: string): ReactNode {
  return text.split(' ').map((word, index) => (
    <Fragment key={index}>
      {index > 0 && ' '}
      <span>{word}</span>
    </Fragment>
  ));
}

function Command({ text }: { text: string }) {
  const t = useTexts(texts);
  const [isCopied, setCopied] = useState(false);
  return (
    <div className={styles.command}>
      <code>{unbroken(text)}</code>
      <Button onPress={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}>{isCopied ? t.copied : t.copy}</Button>
    </div>
  );
}

function NewPart() {
  const t = useTexts(texts);
  const client = useServer();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const creation = useMutation({
    mutationFn: async (written: string) => {
      const uuid = newUuid();
      await client.parts.create([{ uuid, path: childPathOf('/', 'part', written) }]);
      return uuid;
    },
    onSuccess: async (partUuid) => {
      await queries.invalidateQueries();
      await navigate({ to: '/parts/$partUuid/plan', params: { partUuid } });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    creation.mutate(name.trim());
  };
  return (
    <form className={styles.command} onSubmit={submit}>
      <div className={styles.name}>
        <TextField
          label={t.name}
          isLabelHidden
          placeholder={t.name}
          value={name}
          onChange={setName}
          error={creation.error?.message}
          validationBehavior="aria"
        />
      </div>
      <Button kind="primary" type="submit" isDisabled={name.trim() === '' || creation.isPending}>
        {t.create}
      </Button>
    </form>
  );
}
