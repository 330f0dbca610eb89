import { PerUserQueue, type PerUserQueueOptions, type Route } from '@sinebar/http';
import type { Metrics } from '@sinebar/runtime';
import type { Sending } from '../alarms/telling/telling.ts';
import type { BackgroundJob } from '../shared/background-job.ts';
import { firstArticleRoutes } from './first-articles/first-article-routes.ts';
import { FirstArticleService } from './first-articles/first-article-service.ts';
import { ReportExpiryJob } from './report-expiry-job.ts';
import { reportRoutes } from './report-routes.ts';
import { ReportService, type ReportDependencies } from './report-service.ts';
import { ReportTally } from './report-tally.ts';
import { ReportTemplates } from './report-templates.ts';
import { ReportTurns } from './writing/report-turns.ts';
import { ReportWriter } from './writing/report-writer.ts';
import { ReportSender } from './schedules/report-sender.ts';
import { ScheduleJob } from './schedules/schedule-job.ts';
import { scheduleRoutes } from './schedules/schedule-routes.ts';
import { ScheduleService } from './schedules/schedule-service.ts';

/** Settings of reports. */
export interface ReportSettings {
  SINEBAR_REPORT_DAYS?: number | undefined;
  SINEBAR_REPORT_TEMPLATES?: string | undefined;
}

export interface ReportsDependencies extends Omit<ReportDependencies, 'templates' | 'writer' | 'tally' | 'keptDays'> {
  settings: ReportSettings;
  sending: Sending;
  addressOf: PerUserQueueOptions['addressOf'];
}

/** Reports of the inspection service. */
export interface Reports {
  routes: Route[];
  jobs: { expiry: BackgroundJob; schedules: BackgroundJob };
  observe: (metrics: Metrics) => void;
  stop: () => Promise<void>;
}

const DEFAULT_REPORT_DAYS = 90;
const REPORTS_PER_USER = 2;

/** Wires what makes reports, keeps them, and sends them by schedule. */
export function composeReports({ settings, sending, addressOf, ...deps }: ReportsDependencies): Reports {
  const { database, hide, now, log } = deps;
  const keptDays = settings.SINEBAR_REPORT_DAYS ?? DEFAULT_REPORT_DAYS;
  const templates = new ReportTemplates(settings.SINEBAR_REPORT_TEMPLATES, log);
  const tally = new ReportTally();
  const service = new ReportService({ ...deps, templates, writer: new ReportWriter(), tally, keptDays });
  const queue = new PerUserQueue({ limit: REPORTS_PER_USER, what: 'reports', advice: 'Wait for one to end.', addressOf });
  const turns = new ReportTurns();
  const { owners, receivers } = sending;
  const sender = new ReportSender({ ...sending, database, reports: service, now });
  const making = new ScheduleJob({ database, owners, reports: service, turns, sender, keptDays, now, log });
  const schedules = new ScheduleService({ database, owners, receivers, templates, hide, now, onDue: () => making.wake() });
  return {
    routes: [
      ...firstArticleRoutes(new FirstArticleService(database)),
      ...reportRoutes({ service, templates, queue, turns }),
      ...scheduleRoutes(schedules),
    ],
    jobs: { expiry: new ReportExpiryJob({ database, keptDays, now }, log), schedules: making },
    observe: (metrics) => tally.observe(metrics),
    stop: () => service.stop(),
  };
}
