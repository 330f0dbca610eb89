import type { ReportRun, ReportSchedule } from '@sinebar/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Button } from '../../design/controls/button';
import { useFormats, useTexts } from '../../design/language/language';
import { Glyph } from '../../design/status/glyph';
import listed from '../../design/tables/listed.module.css';
import table from '../../design/tables/table.module.css';
import { useScheduleWords } from '../../quality/schedules/use-schedule-words';
import { lastRunQuery } from '../../server/queries/report-queries';
import { useServer } from '../../server/server';
import { texts } from './texts';

interface ScheduleTableProps {
  schedules: readonly ReportSchedule[];
  isRunning: boolean;
  onRun: (schedule: ReportSchedule) => void;
  onEdit: (schedule: ReportSchedule) => void;
  onRemove: (schedule: ReportSchedule) => void;
}

/** Schedules with their times and receivers, and what they made last. */
export function ScheduleTable({ schedules, isRunning, onRun, onEdit, onRemove }: ScheduleTableProps) {
  const t = useTexts(texts);
  const words = useScheduleWords();
  const hasOthers = schedules.some(({ own }) => !own);
  return (
    <div className={table.scrolled}>
      <table className={`${table.data} ${listed.wide}`} aria-label={t.title}>
        <thead>
          <tr>
            <td className={table.glyph} />
            <th scope="col">{t.name}</th>
            <th scope="col">{t.when}</th>
            <th scope="col">{t.receivers}</th>
            <th scope="col">{t.state}</th>
            {hasOthers && <th scope="col">{t.user}</th>}
            <td />
          </tr>
        </thead>
        <tbody>
          {schedules.map((schedule) => {
            const { uuid, name, selection, partPath, when, receivers, paused, enabled, user } = schedule;
            return (
              <tr key={uuid}>
                <td className={table.glyph}>
                  <Glyph name={paused === undefined && enabled ? 'inLimits' : 'inWarning'} label="" />
                </td>
                <th scope="row">
                  <bdi>{name}</bdi>
                  <span className={listed.second}>
                    {partPath === undefined ? (
                      t.paused_part
                    ) : (
                      <Link to="/parts/$partUuid" params={{ partUuid: selection.partUuid }}>
                        {partPath === '/' ? t.root : partPath}
                      </Link>
                    )}
                  </span>
                </th>
                <td>
                  {words.when(when.cron)}
                  {when.zone !== undefined && <span className={listed.second}>{when.zone}</span>}
                </td>
                <td>
                  {receivers.length === 0
                    ? t.nobody
                    : receivers.map((receiver) => (receiver.kind === 'email' ? receiver.address : new URL(receiver.url).host)).join(', ')}
                </td>
                <td>
                  <ScheduleState schedule={schedule} />
                </td>
                {hasOthers && (
                  <td>
                    <bdi>{user}</bdi>
                  </td>
                )}
                <td className={listed.actions}>
                  <Button
                    kind="quiet"
                    aria-label={t.runOf(name)}
                    isDisabled={isRunning || paused !== undefined}
                    onPress={() => onRun(schedule)}
                  >
                    {t.run}
                  </Button>
                  <Button kind="quiet" aria-label={t.editOf(name)} onPress={() => onEdit(schedule)}>
                    {t.edit}
                  </Button>
                  <Button kind="quietDanger" aria-label={t.removeOf(name)} onPress={() => onRemove(schedule)}>
                    {t.remove}
                  </Button>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** Time of the next report, or why there is none; and how the last one went. */
function ScheduleState({ schedule: { uuid, next, paused } }: { schedule: ReportSchedule }) {
  const t = useTexts(texts);
  const { count, dayTime } = useFormats();
  const { data: run } = useQuery(lastRunQuery(useServer(), uuid));
  const unsent = (run?.sent ?? []).filter(({ state }) => state !== 'delivered' && state !== 'cancelled').length;
  const stateText = ({ state }: ReportRun) => (state === 'done' && unsent > 0 ? t.notSent(count(unsent)) : t[state]);
  const reason = run?.reason ?? run?.sent.find(({ state }) => state !== 'delivered')?.answer;
  return (
    <>
      {paused === undefined ? (next === undefined ? t.resting : t.next(dayTime(next))) : t[`paused_${paused}`]}
      {run && (
        <span className={listed.second} title={reason}>
          {t.last(dayTime(run.due), stateText(run))}
          {run.state === 'failed' && reason !== undefined && `: ${reason}`}
        </span>
      )}
    </>
  );
}
