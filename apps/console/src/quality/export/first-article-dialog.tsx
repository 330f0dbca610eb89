import { FIRST_ARTICLE_FIELDS, type FirstArticleField } from '@sinebar/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { TextField } from '../../design/controls/text-field';
import { defineTexts, useLanguage, useTexts } from '../../design/language/language';
import { Failed, Skeleton } from '../../design/states/pane-state';
import textStyles from '../../design/styles/text.module.css';
import { statusOf } from '../../server/error-status';
import { plainPathOf } from '../../server/queries/plan-path';
import { firstArticleQuery } from '../../server/queries/report-queries';
import { useServer } from '../../server/server';
import { useMay } from '../../server/session/use-session';
import { FormDialog } from '../editing/form-dialog';
import { usePart } from '../plan/use-plan-items';
import styles from './report.module.css';

const texts = defineTexts({
  en: {
    title: 'Fields of the forms',
    save: 'Save',
    lead: 'They are kept for the part and stand in each of its first article reports. An empty field has the attribute of the part, which stands here in grey.',
    form1: 'Form 1: part number accountability',
    form2: 'Form 2: materials, special processes, functional tests',
    form3: 'Form 3: characteristics',
    form3Text: 'It is filled from the plan and the newest values: each characteristic with its number, requirement and result.',
    mayNot: 'You may read these fields. To change them you need the right to write notes of the part.',
    overtaken: 'Somebody else has changed the fields meanwhile. Their texts are shown where you typed nothing; save again to add yours.',
  },
  de: {
    title: 'Felder der Formulare',
    save: 'Speichern',
    lead: 'Sie werden für das Teil aufbewahrt und stehen in jedem seiner Erstmusterprüfberichte. Ein leeres Feld hat das Attribut des Teils, das hier grau steht.',
    form1: 'Formular 1: Teilenummern',
    form2: 'Formular 2: Werkstoffe, besondere Prozesse, Funktionsprüfungen',
    form3: 'Formular 3: Merkmale',
    form3Text: 'Es füllt sich aus dem Plan und den neuesten Werten: jedes Merkmal mit Nummer, Forderung und Ergebnis.',
    mayNot: 'Sie dürfen diese Felder lesen. Um sie zu ändern, brauchen Sie das Recht, Notizen des Teils zu schreiben.',
    overtaken:
      'Jemand anderes hat die Felder inzwischen geändert. Wo Sie nichts eingegeben haben, stehen die neuen Texte; mit „Speichern“ kommen Ihre dazu.',
  },
});

const FORMS = [1, 2] as const;
const MAX_LENGTH = 1000;
/** Fields that list something, one a line, or have room for sentences. */
const LINES: ReadonlySet<string> = new Set([
  ...['indexOfParts', 'indexOfPartNames', 'indexOfPartTypes', 'indexOfReports'],
  ...['additionalChanges', 'comments', 'materialComments'],
]);

/** Texts by the names of fields. */
type Fields = Readonly<Record<string, string>>;

/** Asks for what the forms of a first article inspection need and no attribute holds. */
export function FirstArticleDialog({ partUuid, onClose }: { partUuid: string; onClose: () => void }) {
  const t = useTexts(texts);
  const server = useServer();
  const queries = useQueryClient();
  const part = usePart(partUuid);
  const kept = useQuery(firstArticleQuery(server, partUuid));
  const mayWrite = useMay('note:write', part.data && plainPathOf(part.data.path));
  /** Fields that the reader has changed; the others follow the server. */
  const [typed, setTyped] = useState<Fields>({});
  const fields = { ...kept.data?.fields, ...typed };
  const saving = useMutation({
    mutationFn: async (etag: string) => {
      const filled = Object.fromEntries(Object.entries(fields).filter(([, text]) => text.trim() !== ''));
      try {
        await server.reports.setFirstArticle(partUuid, filled, { etag });
      } catch (error) {
        if (statusOf(error) !== 412) throw error;
        await kept.refetch();
        throw new Error(t.overtaken, { cause: error });
      }
      await queries.invalidateQueries({ queryKey: firstArticleQuery(server, partUuid).queryKey });
    },
    onSuccess: onClose,
  });
  const attributeOf = ({ key }: FirstArticleField) => (key === undefined ? undefined : part.data?.attributes[key]);
  return (
    <FormDialog
      title={t.title}
      action={t.save}
      canSubmit={mayWrite && kept.data !== undefined && !saving.isPending}
      error={saving.error}
      onSubmit={() => kept.data && saving.mutate(kept.data.etag)}
      onClose={onClose}
      draft={{ form: `first article ${partUuid}`, value: typed, onRestore: setTyped }}
      isWide
    >
      {kept.error !== null && <Failed error={kept.error} onRetry={() => void kept.refetch()} />}
      {kept.isPending && <Skeleton rows={10} />}
      {kept.data && (
        <>
          <p className={textStyles.explanation}>{t.lead}</p>
          {part.data && !mayWrite && <p role="status">{t.mayNot}</p>}
          {FORMS.map((form) => (
            <fieldset key={form} className={styles.form} disabled={!mayWrite}>
              <legend className={textStyles.title}>{t[`form${form}`]}</legend>
              <div className={styles.fields}>
                {FIRST_ARTICLE_FIELDS.filter((field) => field.form === form).map((field) => (
                  <FormField
                    key={field.name}
                    field={field}
                    text={fields[field.name] ?? ''}
                    attribute={attributeOf(field)}
                    isDisabled={!mayWrite}
                    onChange={(text) => setTyped({ ...typed, [field.name]: text })}
                  />
                ))}
              </div>
            </fieldset>
          ))}
          <section className={styles.form}>
            <h3 className={textStyles.title}>{t.form3}</h3>
            <p className={textStyles.explanation}>{t.form3Text}</p>
          </section>
        </>
      )}
    </FormDialog>
  );
}

interface FormFieldProps {
  field: FirstArticleField;
  text: string;
  /** Text of the attribute of the part, which stands for an empty field. */
  attribute: unknown;
  isDisabled: boolean;
  onChange: (text: string) => void;
}

function FormField({ field: { name, number, names }, text, attribute, isDisabled, onChange }: FormFieldProps) {
  const label = `${number}. ${names[useLanguage()]}`;
  const given = { ...(typeof attribute === 'string' && { placeholder: attribute }), maxLength: MAX_LENGTH };
  if (!LINES.has(name)) return <TextField label={label} value={text} onChange={onChange} isDisabled={isDisabled} {...given} />;
  return (
    <label className={styles.lines}>
      {label}
      <textarea {...given} rows={2} dir="auto" value={text} disabled={isDisabled} onChange={(event) => onChange(event.target.value)} />
    </label>
  );
}
