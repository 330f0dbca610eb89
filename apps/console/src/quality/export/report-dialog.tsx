import type { ReportOrder, ReportSelection, ReportTemplate } from '@sinebar/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../design/controls/button';
import { Dialog } from '../../design/controls/dialog';
import { SelectField } from '../../design/controls/select-field';
import { TextField } from '../../design/controls/text-field';
import { TimeField, TimeFields } from '../../design/controls/time-field';
import { openFile } from '../../design/export/open-file';
import { fileNameOf, saveAnswer } from '../../design/export/save-file';
import { useLanguage, useTexts } from '../../design/language/language';
import { Failed, Skeleton } from '../../design/states/pane-state';
import textStyles from '../../design/styles/text.module.css';
import { queryKeys } from '../../server/queries/keys';
import { reportTemplatesQuery } from '../../server/queries/report-queries';
import { useServer } from '../../server/server';
import { FormDialog } from '../editing/form-dialog';
import { ScheduleDialog } from '../schedules/schedule-dialog';
import { FirstArticleDialog } from './first-article-dialog';
import { texts } from './report-texts';
import styles from './report.module.css';

const LANGUAGES = [
  ['en', 'English'],
  ['de', 'Deutsch'],
] as const;
const FORMATS = ['pdf', 'xlsx'] as const;
const PAGES = ['usual', 'worst', 'all', 'none'] as const;
/** Most characteristics that get pages of their own. */
const MAX_WORST = 1000;

/** Subject of a report, with the times that the page shows. */
export interface Reported {
  subject: 'part' | 'characteristic' | 'measurement';
  selection: ReportSelection;
  /** Times that the page shows. */
  from?: string;
  to?: string;
  /** Whether the page shows fewer values than those of its times. */
  isFiltered?: boolean;
}

/** Choices of the reader. */
interface Chosen {
  language: 'en' | 'de';
  from: string;
  to: string;
  pages: (typeof PAGES)[number];
  /** Text of the field; empty: as the template says. */
  worst: string;
  format: (typeof FORMATS)[number];
}

/** Use that is made of a report. */
type Use = 'save' | 'preview' | 'keep';

/** Asks for the form of a report, and saves, shows or keeps it. Closing the dialog ends the request. */
export function ReportDialog({ title, reported, onClose }: { title: readonly string[]; reported: Reported; onClose: () => void }) {
  const t = useTexts(texts);
  const shown = useLanguage();
  const server = useServer();
  const queries = useQueryClient();
  const [ending] = useState(() => new AbortController());
  const [name, setName] = useState<string>();
  const [chosen, setChosen] = useState<Chosen>(() => ({
    language: shown,
    from: reported.from ?? '',
    to: reported.to ?? '',
    pages: 'usual',
    worst: '',
    format: 'pdf',
  }));
  const [isTyping, setTyping] = useState(false);
  const [isRepeating, setRepeating] = useState(false);
  const [isRepeated, setRepeated] = useState(false);
  const templates = useQuery(reportTemplatesQuery(server));
  const offered = (templates.data ?? []).filter(({ for: subject, problem }) => problem === undefined && subject === reported.subject);
  const template = offered.find((each) => each.name === name) ?? offered[0];
  const { signal } = ending;
  const making = useMutation({
    mutationFn: async ({ use, order, fileName }: { use: Use; order: ReportOrder; fileName: string }) => {
      if (use === 'keep') await server.reports.keep(order, { signal });
      else if (use === 'save') await saveAnswer(await server.reports.make(order, { signal }), fileName);
      else await openFile(async () => (await server.reports.make(order, { signal })).blob(), t);
    },
    onSuccess: (_, { use }) => {
      if (use === 'save') onClose();
      if (use === 'keep') void queries.invalidateQueries({ queryKey: queryKeys.reports('kept') });
    },
  });
  const close = () => {
    ending.abort();
    onClose();
  };
  const make = (use: Use) => {
    if (!template) return;
    const fileName = fileNameOf([template.title[chosen.language], ...title], chosen.format);
    making.mutate({ use, order: orderOf(template, chosen, reported), fileName });
  };
  const problem = problemOf(chosen, template);
  if (making.isSuccess && making.variables.use === 'keep')
    return <Kept title={t.keptTitle} text={t.keptText} to="/reports" onClose={close} />;
  if (isRepeated) return <Kept title={t.repeatedTitle} text={t.repeatedText} to="/reports/schedules" onClose={close} />;
  if (isRepeating && template) {
    const { template: of, selection, language, options } = orderOf(template, chosen, reported);
    const { partUuid, characteristicUuids } = selection;
    return (
      <ScheduleDialog
        subject={{
          template: of,
          selection: { partUuid, ...(characteristicUuids && { characteristicUuids: [...characteristicUuids] }) },
          language,
          ...(options && { options }),
        }}
        name={[template.title[chosen.language], ...title].join(', ')}
        onSaved={() => setRepeated(true)}
        onClose={() => setRepeating(false)}
      />
    );
  }
  return (
    <>
      <FormDialog
        title={t.title}
        action={making.isPending ? t.making : t.make}
        canSubmit={template !== undefined && problem === undefined && !making.isPending}
        error={making.error}
        onSubmit={() => make('save')}
        onClose={close}
        draft={undefined}
        otherActions={
          chosen.format === 'pdf'
            ? [
                { name: t.preview, onPress: () => make('preview') },
                { name: t.keep, onPress: () => make('keep') },
                ...(reported.subject === 'measurement' ? [] : [{ name: t.repeat, onPress: () => setRepeating(true) }]),
              ]
            : []
        }
      >
        {templates.error !== null && <Failed error={templates.error} onRetry={() => void templates.refetch()} />}
        {templates.isPending && <Skeleton rows={5} />}
        {template && (
          <>
            <SelectField
              label={t.template}
              value={template.name}
              onChoose={setName}
              options={offered.map((each) => [each.name, each.title[shown]] as const)}
            />
            <ReportFields
              template={template}
              subject={reported.subject}
              chosen={chosen}
              change={(changed) => setChosen({ ...chosen, ...changed })}
            />
            {hasForms(template) && (
              <p className={styles.forms}>
                <Button onPress={() => setTyping(true)}>{t.forms}</Button>
              </p>
            )}
            {reported.isFiltered === true && <p className={textStyles.explanation}>{t.unfiltered}</p>}
            <p role={problem === 'order' ? 'alert' : undefined} className={textStyles.explanation}>
              {problem === 'order' ? t.order : reported.subject === 'measurement' ? '' : t.open}
            </p>
          </>
        )}
      </FormDialog>
      {isTyping && <FirstArticleDialog partUuid={reported.selection.partUuid} onClose={() => setTyping(false)} />}
    </>
  );
}

interface ReportFieldsProps {
  template: ReportTemplate;
  subject: Reported['subject'];
  chosen: Chosen;
  change: (changed: Partial<Chosen>) => void;
}

function ReportFields({ template, subject, chosen, change }: ReportFieldsProps) {
  const t = useTexts(texts);
  const { language, format, from, to, pages, worst } = chosen;
  return (
    <>
      <SelectField label={t.language} value={language} onChoose={(each) => change({ language: each })} options={LANGUAGES} />
      <SelectField
        label={t.format}
        value={format}
        onChoose={(each) => change({ format: each })}
        options={FORMATS.map((each) => [each, t[each]] as const)}
      />
      {subject !== 'measurement' && (
        <TimeFields>
          <TimeField label={t.from} value={from} onChange={(time) => change({ from: time })} />
          <TimeField label={t.until} value={to} onChange={(time) => change({ to: time })} />
        </TimeFields>
      )}
      {hasPages(template, chosen) && (
        <SelectField
          label={t.pages}
          value={pages}
          onChoose={(each) => change({ pages: each })}
          options={PAGES.map((each) => [each, t[`pages_${each}`]] as const)}
        />
      )}
      {hasWorst(template, chosen) && (
        <TextField
          label={t.worst}
          value={worst}
          onChange={(text) => change({ worst: text })}
          placeholder={String(template.worst)}
          error={isWorst(worst) ? undefined : t.worstProblem}
          inputMode="numeric"
          validationBehavior="aria"
        />
      )}
    </>
  );
}

interface KeptProps {
  title: string;
  text: string;
  to: '/reports' | '/reports/schedules';
  onClose: () => void;
}

/** Says where a report, or its schedule, is found. */
function Kept({ title, text, to, onClose }: KeptProps) {
  const t = useTexts(texts);
  return (
    <Dialog title={title} isOpen onClose={onClose} buttons={<Button onPress={onClose}>{t.close}</Button>}>
      <p role="status">
        {text}{' '}
        <Link to={to} className={styles.link}>
          {to === '/reports' ? t.toReports : t.toSchedules}
        </Link>
      </p>
    </Dialog>
  );
}

/** Whether a reader can choose which characteristics get pages of their own. */
function hasPages(template: ReportTemplate, { format }: Chosen): boolean {
  return template.for === 'part' && format === 'pdf' && template.sections.includes('pages');
}

function hasWorst(template: ReportTemplate, chosen: Chosen): boolean {
  return hasPages(template, chosen) && (chosen.pages === 'usual' ? template.pages : chosen.pages) === 'worst';
}

function hasForms({ sections }: ReportTemplate): boolean {
  return sections.some((section) => /^form\d$/.test(section));
}

/** Whether a text is a number of characteristics, or leaves that to the template. */
function isWorst(text: string): boolean {
  return text === '' || (/^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_WORST);
}

/** Returns why a report cannot be made. */
function problemOf(chosen: Chosen, template: ReportTemplate | undefined): 'order' | 'worst' | undefined {
  const { from, to, worst } = chosen;
  if (from !== '' && to !== '' && from >= to) return 'order';
  return template && hasWorst(template, chosen) && !isWorst(worst) ? 'worst' : undefined;
}

function orderOf(template: ReportTemplate, chosen: Chosen, { selection }: Reported): ReportOrder {
  const { language, format, from, to, pages, worst } = chosen;
  const options = {
    ...(hasPages(template, chosen) && pages !== 'usual' && { pages }),
    ...(hasWorst(template, chosen) && worst !== '' && { worst: Number(worst) }),
  };
  return {
    template: template.name,
    selection,
    language,
    ...(format !== 'pdf' && { format }),
    ...(from !== '' && { from }),
    ...(to !== '' && { to }),
    ...(Object.keys(options).length > 0 && { options }),
  };
}
