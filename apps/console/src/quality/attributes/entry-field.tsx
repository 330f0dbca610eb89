import { STANDARD_ACTIONS, STANDARD_CAUSES } from '@sinebar/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Button } from '../../design/controls/button';
import { Combo } from '../../design/controls/combo';
import { defineTexts, useFormats, useLanguage, useTexts } from '../../design/language/language';
import { Failed } from '../../design/states/pane-state';
import { queryKeys } from '../../server/queries/keys';
import { useServer } from '../../server/server';
import { useMayOnServer } from '../../server/session/use-session';
import { useConfiguration } from './configuration';
import { createEntryCatalog, entriesOf, entryCatalog, entryText } from './entry-catalogs';
import styles from './entry-field.module.css';

const texts = defineTexts({
  en: {
    cause: 'Cause',
    action: 'Action',
    none: '(none)',
    gone: (text: string) => `${text} (no longer in the catalog)`,
    note: (catalog: string, count: string) => `catalog ${catalog}, ${count} entries`,
    noCatalog_cause: 'This server has no catalog of causes.',
    noCatalog_action: 'This server has no catalog of actions.',
    create_cause: 'Create it with usual causes',
    create_action: 'Create it with usual actions',
    noRight: 'The rights configuration:write and catalog:write are needed to create it.',
  },
  de: {
    cause: 'Ursache',
    action: 'Maßnahme',
    none: '(keine)',
    gone: (text: string) => `${text} (nicht mehr im Katalog)`,
    note: (catalog: string, count: string) => `Katalog ${catalog}, ${count} Einträge`,
    noCatalog_cause: 'Dieser Server hat keinen Katalog der Ursachen.',
    noCatalog_action: 'Dieser Server hat keinen Katalog der Maßnahmen.',
    create_cause: 'Mit üblichen Ursachen anlegen',
    create_action: 'Mit üblichen Maßnahmen anlegen',
    noRight: 'Zum Anlegen sind die Rechte configuration:write und catalog:write nötig.',
  },
});

const CATALOGS = { cause: STANDARD_CAUSES, action: STANDARD_ACTIONS } as const;
const NONE = 'none';

interface EntryFieldProps {
  /** The choice: a cause, or an action. */
  kind: keyof typeof CATALOGS;
  /** Key of the entry. */
  chosen: number | undefined;
  /** Text of the entry when it was chosen, where the catalog no longer has it. */
  writtenText: string | undefined;
  onChange: (key: number | undefined) => void;
}

/** A choice of one of the causes or actions of the plant; where there is no catalog of them, a button that creates it. */
export function EntryField({ kind, chosen, writtenText, onChange }: EntryFieldProps) {
  const t = useTexts(texts);
  const language = useLanguage();
  const { count } = useFormats();
  const { configuration, isReady } = useConfiguration();
  if (!isReady) return null;
  const standard = CATALOGS[kind];
  const catalog = entryCatalog(configuration, standard);
  if (!catalog) return <NoCatalog kind={kind} />;
  const entries = entriesOf(catalog, standard, language);
  const isGone = chosen !== undefined && !entries.some(({ key }) => key === chosen);
  return (
    <Combo
      label={t[kind]}
      options={[
        { id: NONE, name: t.none },
        ...entries.map(({ key, text }) => ({ id: String(key), name: text, note: String(key) })),
        ...(isGone ? [{ id: String(chosen), name: t.gone(entryText(writtenText ?? String(chosen), standard, language)) }] : []),
      ]}
      chosen={chosen === undefined ? NONE : String(chosen)}
      onChoose={(id) => onChange(id === NONE ? undefined : Number(id))}
      note={t.note(catalog.name, count(entries.length))}
    />
  );
}

function NoCatalog({ kind }: Pick<EntryFieldProps, 'kind'>) {
  const t = useTexts(texts);
  const language = useLanguage();
  const server = useServer();
  const queries = useQueryClient();
  const { configuration } = useConfiguration();
  const [mayDefine, mayFill] = [useMayOnServer('configuration:write'), useMayOnServer('catalog:write')];
  const creation = useMutation({
    mutationFn: () => createEntryCatalog(server, configuration, CATALOGS[kind], language),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.configuration() }),
  });
  return (
    <div className={styles.noCatalog}>
      <p>{t[`noCatalog_${kind}`]}</p>
      {mayDefine && mayFill ? (
        <Button isDisabled={creation.isPending} onPress={() => creation.mutate()}>
          {t[`create_${kind}`]}
        </Button>
      ) : (
        <p>{t.noRight}</p>
      )}
      {creation.error && <Failed error={creation.error} />}
    </div>
  );
}
