import type { ReportSchedule } from '@sinebar/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ConfirmDialog } from '../../design/controls/confirm-dialog';
import { useTexts } from '../../design/language/language';
import { Page } from '../../design/page/page';
import { Nothing } from '../../design/states/nothing';
import { Failed, Pane } from '../../design/states/pane-state';
import textStyles from '../../design/styles/text.module.css';
import { ScheduleDialog } from '../../quality/schedules/schedule-dialog';
import { queryKeys } from '../../server/queries/keys';
import { schedulesQuery } from '../../server/queries/report-queries';
import { useServer } from '../../server/server';
import { ScheduleTable } from './schedule-table';
import { texts } from './texts';

/** Schedules of reports: what they made last, and how to change them. */
export function SchedulesPage() {
  const t = useTexts(texts);
  return (
    <Page
      title={t.title}
      facts={
        <p className={textStyles.answer}>
          {t.lead}{' '}
          <Link to="/reports" className={textStyles.linkInText}>
            {t.toReports}
          </Link>
        </p>
      }
    >
      <Schedules />
    </Page>
  );
}

type Open = { what: 'edit'; schedule: ReportSchedule & { etag: string } } | { what: 'remove'; schedule: ReportSchedule };

function Schedules() {
  const t = useTexts(texts);
  const server = useServer();
  const queries = useQueryClient();
  const list = useQuery(schedulesQuery(server));
  const [open, setOpen] = useState<Open>();
  const renew = () => queries.invalidateQueries({ queryKey: queryKeys.reports() });
  // A schedule is read again before it is changed, with the condition for it.
  const reading = useMutation({ mutationFn: (uuid: string) => server.reports.schedule(uuid) });
  const running = useMutation({ mutationFn: (uuid: string) => server.reports.runSchedule(uuid), onSuccess: renew });
  const error = reading.error ?? running.error;
  return (
    <>
      {error && <Failed error={error} />}
      <Pane query={list}>
        {(schedules) =>
          schedules.length === 0 ? (
            <Nothing title={t.none}>{t.noneText}</Nothing>
          ) : (
            <ScheduleTable
              schedules={schedules}
              isRunning={running.isPending}
              onRun={({ uuid }) => running.mutate(uuid)}
              onEdit={({ uuid }) => reading.mutate(uuid, { onSuccess: (schedule) => setOpen({ what: 'edit', schedule }) })}
              onRemove={(schedule) => setOpen({ what: 'remove', schedule })}
            />
          )
        }
      </Pane>
      {open?.what === 'edit' && (
        <ScheduleDialog
          subject={subjectOf(open.schedule)}
          name={open.schedule.name}
          schedule={open.schedule}
          onSaved={() => setOpen(undefined)}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open?.what === 'remove' && (
        <ConfirmDialog
          title={t.removeTitle}
          goes={[t.removeGoes(open.schedule.name)]}
          action={t.removeAction}
          onConfirm={async () => {
            await server.reports.deleteSchedule(open.schedule.uuid);
            // Its last run is still shown, and cannot be read any more.
            await queries.invalidateQueries({ queryKey: schedulesQuery(server).queryKey });
          }}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  );
}

function subjectOf({ template, selection, language, options }: ReportSchedule) {
  return { template, selection, language, ...(options && { options }) };
}
