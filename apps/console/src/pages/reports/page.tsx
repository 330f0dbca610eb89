import type { KeptReport } from '@sinebar/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../design/controls/button';
import { ConfirmDialog } from '../../design/controls/confirm-dialog';
import { FilterField } from '../../design/controls/field';
import { openFile } from '../../design/export/open-file';
import { fileNameOf, saveAnswer } from '../../design/export/save-file';
import { useFormats, useTexts } from '../../design/language/language';
import { Fill } from '../../design/layout/fill';
import { OptionsLine } from '../../design/layout/lines';
import { Page } from '../../design/page/page';
import { Nothing } from '../../design/states/nothing';
import { Failed, Pane } from '../../design/states/pane-state';
import textStyles from '../../design/styles/text.module.css';
import { statusOf } from '../../server/error-status';
import { queryKeys } from '../../server/queries/keys';
import { namesOf } from '../../server/queries/plan-path';
import { keptReportsQuery, MAX_REPORTS } from '../../server/queries/report-queries';
import { useServer } from '../../server/server';
import { useView } from '../../server/use-view';
import { ReportTable } from './report-table';
import type { ReportsAddress } from './search';
import { texts } from './texts';

/** Reports that are kept: opened, saved and deleted. */
export function ReportsPage() {
  const t = useTexts(texts);
  return (
    <Page
      title={t.title}
      facts={
        <p className={textStyles.answer}>
          {t.lead}{' '}
          <Link to="/reports/schedules" className={textStyles.linkInText}>
            {t.toSchedules}
          </Link>
        </p>
      }
    >
      <Fill>
        <Reports />
      </Fill>
    </Page>
  );
}

function Reports() {
  const t = useTexts(texts);
  const { count } = useFormats();
  const server = useServer();
  const {
    view: { find = '' },
    change,
  } = useView<ReportsAddress>();
  const list = useQuery(keptReportsQuery(server));
  const [removed, setRemoved] = useState<KeptReport>();
  const opening = useMutation({
    mutationFn: ({ uuid }: KeptReport) => openFile(async () => (await server.reports.content(uuid)).blob(), t),
  });
  const saving = useMutation({
    mutationFn: async ({ uuid, title }: KeptReport) => saveAnswer(await server.reports.content(uuid), fileNameOf([title], 'pdf')),
  });
  const error = opening.error ?? saving.error;
  const act = (action: typeof opening, report: KeptReport) => {
    opening.reset();
    saving.reset();
    action.mutate(report);
  };
  const wanted = find.toLowerCase();
  const found = (list.data ?? []).filter(({ title, partPath }) =>
    [title, ...namesOf(partPath)].some((text) => text.toLowerCase().includes(wanted)),
  );
  return (
    <>
      <OptionsLine>
        <FilterField label={t.find} value={find} onChange={(text) => change({ find: text === '' ? undefined : text })} />
        {list.data !== undefined && list.data.length > 0 && (
          <span>{list.data.length < MAX_REPORTS ? t.found(count(found.length), found.length === 1) : t.foundCut(count(found.length))}</span>
        )}
      </OptionsLine>
      {error && <Failed error={error} />}
      <Pane query={list}>
        {(reports) =>
          found.length > 0 ? (
            <ReportTable
              reports={found}
              onOpen={(report) => act(opening, report)}
              onSave={(report) => act(saving, report)}
              onRemove={setRemoved}
            />
          ) : reports.length > 0 ? (
            <Nothing title={t.noMatch}>
              <Button onPress={() => change({ find: undefined })}>{t.removeFilter}</Button>
            </Nothing>
          ) : (
            <Nothing title={t.none}>{t.noneText}</Nothing>
          )
        }
      </Pane>
      {removed && <RemoveReport report={removed} onClose={() => setRemoved(undefined)} />}
    </>
  );
}

/** Asks before a report is deleted. */
function RemoveReport({ report: { uuid, title, created }, onClose }: { report: KeptReport; onClose: () => void }) {
  const t = useTexts(texts);
  const { dateTime } = useFormats();
  const server = useServer();
  const queries = useQueryClient();
  const remove = async () => {
    try {
      await server.reports.delete(uuid);
    } catch (error) {
      // Somebody else was faster.
      if (statusOf(error) !== 404) throw error;
    }
    await queries.invalidateQueries({ queryKey: queryKeys.reports('kept') });
  };
  return (
    <ConfirmDialog
      title={t.removeTitle}
      goes={[`${title}, ${dateTime(created)}`]}
      action={t.removeAction}
      onConfirm={remove}
      onClose={onClose}
    />
  );
}
