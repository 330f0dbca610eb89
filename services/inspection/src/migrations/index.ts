import { outboxMigration, type Migration } from '@sinebar/database';
import { inspectionPlan } from './0002-inspection-plan.js';
import { configuration } from './0003-configuration.js';
import { planHistory } from './0004-plan-history.js';
import { measurements } from './0005-measurements.js';
import { pendingOperations } from './0006-pending-operations.js';
import { valuesVersion } from './0007-values-version.js';
import { imports } from './0009-imports.js';
import { keptFigures } from './0010-kept-figures.js';
import { importOperations } from './0011-import-operations.js';
import { aggregations } from './0012-aggregations.js';
import { importStates } from './0013-import-states.js';

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
];
