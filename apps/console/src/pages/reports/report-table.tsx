import type { KeptReport } from '@sinebar/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Button } from '../../design/controls/button';
import { Menu } from '../../design/controls/menu';
import { Hidden } from '../../design/controls/text-field';
import { useFormats, useLanguage, useTexts } from '../../design/language/language';
import { Glyph, type GlyphName } from '../../design/status/glyph';
import type { TableColumn } from '../../design/table/table-column';
import { VirtualTable } from '../../design/table/virtual-table';
import styles from '../../design/tables/table.module.css';
import { namesOf } from '../../server/queries/plan-path';
import { reportTemplatesQuery } from '../../server/queries/report-queries';
import { useServer } from '../../server/server';
import { texts } from './texts';

const GLYPHS: Readonly<Record<KeptReport['state'], GlyphName>> = { running: 'inWarning', done: 'inLimits', failed: 'outOfTolerance' };
/** Two lines of text with their space, and the line below, px; the style sheet says the same. */
const ROW_HEIGHT = 43;

interface ReportTableProps {
  reports: readonly KeptReport[];
  onOpen: (report: KeptReport) => void;
  onSave: (report: KeptReport) => void;
  onRemove: (report: KeptReport) => void;
}

/** Kept reports, the newest first. */
export function ReportTable({ reports, onOpen, onSave, onRemove }: ReportTableProps) {
  const t = useTexts(texts);
  const language = useLanguage();
  const { count, dateTime, dayTime, day, size } = useFormats();
  const { data: templates = [] } = useQuery(reportTemplatesQuery(useServer()));
  const nameOf = (template: string) => templates.find(({ name }) => name === template)?.title[language] ?? template;
  const madeText = ({ created, user }: KeptReport) => [dayTime(created), user === undefined ? '' : t.by(user)];
  const outcomeText = ({ state, reason, pages, sizeBytes }: KeptReport) =>
    state === 'failed'
      ? (reason ?? '')
      : [pages === undefined ? '' : t.pages(count(pages), pages === 1), sizeBytes === undefined ? '' : size(sizeBytes)]
          .filter((text) => text !== '')
          .join(', ');
  const stateText = ({ state, whole }: KeptReport) => (whole ? t[state] : `${t[state]}, ${t.notWhole}`);
  const part = ({ partUuid, partPath }: KeptReport) => (
    <Link to="/parts/$partUuid" params={{ partUuid }}>
      {namesOf(partPath).join(' / ') || t.root}
    </Link>
  );
  const columns: TableColumn<KeptReport>[] = [
    {
      id: 'glyph',
      width: 26,
      content: 'glyph',
      head: <Hidden>{t.state}</Hidden>,
      cell: ({ state }) => <Glyph name={GLYPHS[state]} label={t[state]} />,
    },
    {
      id: 'report',
      isRowHeader: true,
      wraps: true,
      head: t.report,
      cell: (report) => (
        <span className={styles.two} title={report.title}>
          <span>{report.title}</span>
          <span className={styles.second}>{part(report)}</span>
        </span>
      ),
      narrow: {
        // The other columns give way to it, which says the same.
        least: 240,
        cell: (report) => (
          <span className={styles.two}>
            <span>{report.title}</span>
            <span className={styles.second}>{part(report)}</span>
            <span className={styles.second}>{madeText(report).join(' ')}</span>
            <span className={styles.second}>
              {stateText(report)}
              {outcomeText(report) !== '' && `: ${outcomeText(report)}`}
            </span>
          </span>
        ),
      },
    },
    { id: 'template', width: 150, givesWay: 1, head: t.template, cell: ({ template }) => nameOf(template) },
    {
      id: 'period',
      width: 150,
      givesWay: 3,
      head: t.period,
      cell: ({ from, to }) => (
        <span className={styles.two} title={[from, to].flatMap((time) => (time === undefined ? [] : [dateTime(time)])).join(' – ')}>
          {from !== undefined && <span>{t.from(dayTime(from))}</span>}
          <span>{t.until(dayTime(to))}</span>
        </span>
      ),
    },
    {
      id: 'made',
      width: 124,
      givesWay: 5,
      head: t.made,
      cell: (report) => {
        const [time, user] = madeText(report);
        return (
          <span className={styles.two}>
            <time dateTime={report.created} title={dateTime(report.created)}>
              {time}
            </time>
            <span className={styles.second}>{user}</span>
          </span>
        );
      },
    },
    {
      id: 'state',
      width: 190,
      givesWay: 4,
      head: t.state,
      cell: (report) => (
        <span className={styles.two} title={report.whole ? (report.reason ?? '') : t.notWholeReason}>
          <span>{stateText(report)}</span>
          <span className={styles.second}>{outcomeText(report)}</span>
        </span>
      ),
    },
    {
      id: 'expires',
      width: 110,
      givesWay: 2,
      head: t.expires,
      // The server knows the time only once the report is written.
      cell: ({ state, expires }) => (state === 'running' ? '' : <time dateTime={expires}>{day(expires)}</time>),
    },
    {
      id: 'actions',
      width: 200,
      head: <Hidden>{t.actions}</Hidden>,
      cell: (report) => (
        <>
          {report.state === 'done' && (
            <>
              <Button kind="quiet" aria-label={t.openOf(report.title)} onPress={() => onOpen(report)}>
                {t.open}
              </Button>
              <Button kind="quiet" aria-label={t.saveOf(report.title)} onPress={() => onSave(report)}>
                {t.save}
              </Button>
            </>
          )}
          <Button kind="quiet" aria-label={t.removeOf(report.title)} onPress={() => onRemove(report)}>
            {t.remove}
          </Button>
        </>
      ),
      narrow: {
        width: 64,
        cell: (report) => (
          <Menu
            button={{ children: '⋯', 'aria-label': t.actionsOf(report.title) }}
            entries={[
              ...(report.state === 'done'
                ? [
                    { key: 'open', name: t.open, onAction: () => onOpen(report) },
                    { key: 'save', name: t.save, onAction: () => onSave(report) },
                  ]
                : []),
              { key: 'remove', name: t.remove, onAction: () => onRemove(report) },
            ]}
          />
        ),
      },
    },
  ];
  return (
    <VirtualTable
      keptAs="reports"
      label={t.title}
      columns={columns}
      rowCount={reports.length}
      rowAt={(index) => reports[index]}
      keyOf={(index) => reports[index]?.uuid ?? String(index)}
      rowHeight={ROW_HEIGHT}
    />
  );
}
