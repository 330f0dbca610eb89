import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Button } from '../../design/controls/button';
import { Combo } from '../../design/controls/combo';
import { useFormats, useLanguage, useTexts } from '../../design/language/language';
import { Failed } from '../../design/states/pane-state';
import { queryKeys } from '../../server/queries/keys';
import { useServer } from '../../server/server';
import { useMayOnServer } from '../../server/session/use-session';
import { useConfiguration } from '../attributes/configuration';
import { causeCatalog, causesOf, causeText, createCauses } from './causes';
import { texts } from './texts';
import styles from './notes.module.css';

const NO_CAUSE = 'none';

interface CauseFieldProps {
  cause: number | undefined;
  /** Text of the cause when the note was written, where the catalog no longer has it. */
  writtenText: string | undefined;
  onChange: (cause: number | undefined) => void;
}

/** A choice of one of the causes of the plant; where there is no catalog of them, a button that creates it. */
export function CauseField({ cause, writtenText, onChange }: CauseFieldProps) {
  const t = useTexts(texts);
  const language = useLanguage();
  const { count } = useFormats();
  const { configuration, isReady } = useConfiguration();
  if (!isReady) return null;
  const catalog = causeCatalog(configuration);
  if (!catalog) return <NoCauses />;
  const causes = causesOf(catalog, language);
  const isGone = cause !== undefined && !causes.some(({ key }) => key === cause);
  return (
    <Combo
      label={t.cause}
      options={[
        { id: NO_CAUSE, name: t.noCause },
        ...causes.map(({ key, text }) => ({ id: String(key), name: text, note: String(key) })),
        ...(isGone ? [{ id: String(cause), name: t.goneCause(causeText(writtenText ?? String(cause), language)) }] : []),
      ]}
      chosen={cause === undefined ? NO_CAUSE : String(cause)}
      onChoose={(id) => onChange(id === NO_CAUSE ? undefined : Number(id))}
      note={t.causeNote(catalog.name, count(causes.length))}
    />
  );
}

function NoCauses() {
  const t = useTexts(texts);
  const language = useLanguage();
  const server = useServer();
  const queries = useQueryClient();
  const { configuration } = useConfiguration();
  const [mayDefine, mayFill] = [useMayOnServer('configuration:write'), useMayOnServer('catalog:write')];
  const creation = useMutation({
    mutationFn: () => createCauses(server, configuration, language),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.configuration() }),
  });
  return (
    <div className={styles.noCauses}>
      <p>{t.noCauses}</p>
      {mayDefine && mayFill ? (
        <Button isDisabled={creation.isPending} onPress={() => creation.mutate()}>
          {t.createCauses}
        </Button>
      ) : (
        <p>{t.noCausesRight}</p>
      )}
      {creation.error && <Failed error={creation.error} />}
    </div>
  );
}
