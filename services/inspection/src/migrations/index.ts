import { outboxMigration, type Migration } from '@sinebar/database';
import { inspectionPlan } from './0002-inspection-plan.ts';
import { configuration } from './0003-configuration.ts';
import { planHistory } from './0004-plan-history.ts';
import { measurements } from './0005-measurements.ts';
import { pendingOperations } from './0006-pending-operations.ts';
import { valuesVersion } from './0007-values-version.ts';
import { imports } from './0009-imports.ts';
import { keptFigures } from './0010-kept-figures.ts';
import { importOperations } from './0011-import-operations.ts';
import { aggregations } from './0012-aggregations.ts';
import { importStates } from './0013-import-states.ts';
import { evaluations } from './0014-evaluations.ts';
import { plantSettings } from './0015-plant-settings.ts';
import { notes } from './0016-notes.ts';
import { keptAssessments } from './0017-kept-assessments.ts';
import { savedViews } from './0018-saved-views.ts';
import { tableMappings } from './0019-table-mappings.ts';
import { alarms } from './0020-alarms.ts';
import { alarmSubscriptions } from './0021-alarm-subscriptions.ts';
import { reports } from './0022-reports.ts';
import { firstArticles } from './0023-first-articles.ts';
import { reportSchedules } from './0024-report-schedules.ts';

export const INSPECTION_SCHEMA = 'inspection';
export const inspectionMigrations: readonly Migration[] = [
  outboxMigration('0001-outbox'),
  inspectionPlan,
  configuration,
  planHistory,
  measurements,
  pendingOperations,
  valuesVersion,
  imports,
  keptFigures,
  importOperations,
  aggregations,
  importStates,
  evaluations,
  plantSettings,
  notes,
  keptAssessments,
  savedViews,
  tableMappings,
  alarms,
  alarmSubscriptions,
  reports,
  firstArticles,
  reportSchedules,
];
