import type { IncomingMessage } from 'node:http';
import { ALL_USERS, type AbsentUsers } from '@sinebar/authentication';
import type { Database, Session } from '@sinebar/database';
import { PerUserQueue } from '@sinebar/http';
import type { Bus, Subscription } from '@sinebar/message-bus';
import {
  databaseMetrics,
  spoolMetrics,
  spoolUpkeep,
  streamMetrics,
  type HealthCheck,
  type Logger,
  type ComposedService,
  type Spool,
} from '@sinebar/runtime';
import type { InspectionSettings } from './config.ts';
import { composeTelling, type TellingSettings } from './alarms/telling/telling.ts';
import { alarmRoutes } from './alarms/alarm-routes.ts';
import { AlarmService } from './alarms/alarm-service.ts';
import { alarmImportRoutes } from './alarms/imports/alarm-import-routes.ts';
import { AlarmImportService } from './alarms/imports/alarm-import-service.ts';
import { muteRoutes } from './alarms/mutes/mute-routes.ts';
import { MuteService } from './alarms/mutes/mute-service.ts';
import { AnalysisQueue } from './analysis/analysis-queue.ts';
import { analysisRoutes } from './analysis/analysis-routes.ts';
import { AnalysisService } from './analysis/analysis-service.ts';
import { Calculator } from './analysis/calculations/calculator.ts';
import { groupRoutes } from './analysis/groups/group-routes.ts';
import { GroupService } from './analysis/groups/group-service.ts';
import type { RaisedCounts } from './alarms/raised-alarms.ts';
import { JudgingJob } from './analysis/judging/judging-job.ts';
import { SilenceJob } from './analysis/judging/silence-job.ts';
import { KeptAssessmentsJob } from './analysis/kept/kept-assessments-job.ts';
import { KeptFiguresJob } from './analysis/kept/kept-figures-job.ts';
import { partAnalysisRoutes } from './analysis/parts/part-analysis-routes.ts';
import { PartAnalysisService } from './analysis/parts/part-analysis-service.ts';
import { CharacteristicReader } from './analysis/request/characteristic-reader.ts';
import { attributeUsageRoutes } from './configuration/attribute-usage-routes.ts';
import type { EvaluationDefaults } from './evaluation/effective-evaluation.ts';
import { EvaluationReader } from './evaluation/evaluation-reader.ts';
import { evaluationRoutes } from './evaluation/evaluation-routes.ts';
import { EvaluationService } from './evaluation/evaluation-service.ts';
import { settingsRoutes } from './evaluation/settings/settings-routes.ts';
import { PlantSettingsService, readPlantSettings } from './evaluation/settings/settings-service.ts';
import { exchangeRoutes } from './exchange/exchange-routes.ts';
import { ExportService } from './exchange/exports/export-service.ts';
import { mappingRoutes } from './exchange/mappings/mapping-routes.ts';
import { MappingService } from './exchange/mappings/mapping-service.ts';
import { ImportOperations } from './exchange/imports/import-operations.ts';
import { ImportService } from './exchange/imports/import-service.ts';
import { FileReaders } from './exchange/imports/reading/file-readers.ts';
import { DrawingReader } from './reports/drawing-reader.ts';
import { composeReports } from './reports/reports.ts';
import { alarmMetrics } from './server/alarm-metrics.ts';
import { jobMetrics } from './server/job-metrics.ts';
import { catalogsRoutes } from './configuration/catalogs/catalogs-routes.ts';
import { PlanStateReader } from './configuration/plan-state.ts';
import { characteristicsRoutes } from './plan/characteristics-routes.ts';
import { AttributePurgeJob } from './configuration/attribute-purge-job.ts';
import { configurationRoutes } from './configuration/configuration-routes.ts';
import { ConfigurationReader } from './configuration/configuration.ts';
import { measurementCascade } from './measurements/deletion/measurement-cascade.ts';
import { MeasurementDeletionService } from './measurements/deletion/measurement-deletion-service.ts';
import { MeasurementReadModel } from './measurements/reading/measurement-read-model.ts';
import { measurementsDeleteRoutes } from './measurements/deletion/measurements-delete-routes.ts';
import { measurementsReadRoutes } from './measurements/reading/measurements-read-routes.ts';
import { MeasurementWriteService } from './measurements/writing/measurement-write-service.ts';
import { measurementsWriteRoutes } from './measurements/writing/measurements-write-routes.ts';
import { MeasuredPartCache } from './measurements/sets/measured-parts.ts';
import { ValueCompactionJob } from './measurements/sets/value-compaction-job.ts';
import { valuesReadRoutes } from './measurements/reading/values-read-routes.ts';
import { partsRoutes } from './plan/parts-routes.ts';
import { PendingOperationJob } from './measurements/deletion/pending-operation-job.ts';
import { deletionReader, PendingOperations, pendingOperationsRoutes } from './measurements/deletion/pending-operations-routes.ts';
import { inspectionPlanRoutes } from './plan/inspection-plan-routes.ts';
import { PlanReadModel } from './plan/reading/plan-read-model.ts';
import { noteRoutes } from './notes/note-routes.ts';
import { NoteService } from './notes/note-service.ts';
import { PlanService } from './plan/plan-service.ts';
import { PlanWrites } from './shared/plan-lock.ts';
import { showComments } from './shared/answers/shown-comment.ts';
import { hideUsers } from './shared/answers/shown-users.ts';
import { permissionsRoutes } from './server/permissions-routes.ts';
import { serviceInformationRoutes, type ServerDescription } from './server/service-information-routes.ts';
import { StatisticsJob } from './server/statistics-job.ts';
import { answerTargetRequests } from './server/target-responders.ts';
import { viewRoutes } from './views/view-routes.ts';
import { ViewService } from './views/view-service.ts';

export interface InspectionDependencies {
  /** Its schema must be up to date before `start` is called. */
  database: Database;
  bus: Bus;
  log: Logger;
  now: () => Date;
  server: ServerDescription;
  /** Files that are imported. */
  spool: Spool;
  settings: Pick<InspectionSettings, 'SINEBAR_VERSIONING' | 'SINEBAR_SEARCH_CASE_SENSITIVE' | 'SINEBAR_DELETE_PARTS_WITH_MEASUREMENTS'> &
    Partial<
      Pick<
        InspectionSettings,
        | 'SINEBAR_REQUIRED_CAPABILITY'
        | 'SINEBAR_SHOW_USERS'
        | 'SINEBAR_DATE_ORDER'
        | 'SINEBAR_IMPORTS_PER_USER'
        | 'SINEBAR_ALARM_MAX_AGE_H'
        | 'SINEBAR_REPORT_DAYS'
        | 'SINEBAR_REPORT_TEMPLATES'
      >
    > &
    TellingSettings;
  /** Users whom alarms are told while they are not asking; default: those of access mode none. */
  users?: AbsentUsers;
  /** Logo of reports, as PNG; default: none. */
  logo?: Uint8Array | undefined;
  /** Address of the client of a request; default: the other side of its connection. */
  addressOf?: (request: IncomingMessage) => string;
}

const DEFAULT_IMPORTS_PER_USER = 2;
/** The usual requirement of the automotive industry. */
const DEFAULT_CAPABILITY = 1.33;
const DEFAULT_ALARM_MAX_AGE_H = 24;
const HOUR_MS = 3_600_000;
const PING_TIMEOUT_MS = 2000;
const VERSIONING_TYPE = { off: 'Off', on: 'On', client: 'Client' } as const;

/** Composes the inspection service: plan, configuration, catalogs and measurements. It opens no port; the caller runs the outbox relay. */
export function composeInspection({
  database,
  bus,
  log,
  now,
  server,
  spool,
  settings,
  users = ALL_USERS,
  addressOf = ({ socket }) => socket.remoteAddress ?? '',
  logo,
}: InspectionDependencies): ComposedService {
  const configurations = new ConfigurationReader();
  const purge = new AttributePurgeJob(database, log);
  const compaction = new ValueCompactionJob(database, log);
  const required = settings.SINEBAR_REQUIRED_CAPABILITY;
  const defaults = async (session: Session): Promise<EvaluationDefaults> => {
    const value = (await readPlantSettings(session)).required ?? required;
    return { required: value ?? DEFAULT_CAPABILITY, requiredSource: value === undefined ? 'default' : 'setting' };
  };
  const evaluationReader = new EvaluationReader(defaults);
  const maxAgeMs = (settings.SINEBAR_ALARM_MAX_AGE_H ?? DEFAULT_ALARM_MAX_AGE_H) * HOUR_MS;
  const raised: RaisedCounts = new Map();
  const watching = { database, configurations, evaluations: evaluationReader, now, log, maxAgeMs, raised };
  const assessments = new KeptAssessmentsJob(watching);
  const operations = new PendingOperationJob({ database, configurations, now, log });
  const shownUsers = settings.SINEBAR_SHOW_USERS ?? 'all';
  const hide = hideUsers(shownUsers);
  const telling = composeTelling({ database, users, settings, hide, now, log });
  const judging = new JudgingJob({ ...watching, onStored: () => telling.jobs.notices.wake() });
  const versioning = settings.SINEBAR_VERSIONING;
  const caseSensitive = settings.SINEBAR_SEARCH_CASE_SENSITIVE;
  // Comments are kept and shown only while the server versions.
  const showComment = versioning === 'off' ? () => undefined : showComments(shownUsers);
  const states = new PlanStateReader({ database, configurations, versioning, shownUsers, caseSensitive });
  const writes = new PlanWrites(database);
  const planDependencies = {
    plan: new PlanService({
      writes,
      measurements: measurementCascade,
      configurations,
      versioning,
      deleteWithMeasurements: settings.SINEBAR_DELETE_PARTS_WITH_MEASUREMENTS,
      onDeleted: () => compaction.wake(),
      now,
    }),
    reads: new PlanReadModel({ database, configurations, states, versioning: versioning !== 'off', showComment }),
    caseSensitive,
  };
  const partCache = new MeasuredPartCache();
  const measurementReads = {
    reads: new MeasurementReadModel({ database, configurations, partCache, showComment }),
    caseSensitive,
  };
  const calculator = new Calculator();
  const reading = { database, configurations, caseSensitive, evaluations: evaluationReader };
  const analysis = new AnalysisService({ ...reading, calculator });
  const groups = new GroupService({ database, characteristics: new CharacteristicReader(reading), calculator });
  const evaluations = new EvaluationService({
    database,
    writes,
    defaults,
    hide,
    now,
  });
  const mappings = new MappingService({ database, hide, now });
  const readers = new FileReaders(log);
  const imports = new ImportService({
    database,
    writes,
    configurations,
    purge,
    measurements: measurementCascade,
    versioning,
    spool,
    readers,
    now,
  });
  const upkeep = spoolUpkeep(spool, now, log);
  const importOperations = new ImportOperations({ database, imports, now, log });
  const importQueue = new PerUserQueue({
    limit: settings.SINEBAR_IMPORTS_PER_USER ?? DEFAULT_IMPORTS_PER_USER,
    what: 'imports',
    advice: 'Wait for one to end, or ask an administrator to raise SINEBAR_IMPORTS_PER_USER.',
    addressOf,
  });
  const analysisQueue = new AnalysisQueue(addressOf);
  const parts = new PartAnalysisService({ ...reading, calculator });
  const reports = composeReports({
    database,
    configurations,
    parts,
    analysis,
    hide,
    drawings: new DrawingReader(bus),
    settings,
    logo,
    sending: telling.sending,
    addressOf,
    now,
    log,
  });
  const jobs = {
    'pending operations': operations,
    'attribute purge': purge,
    'value compaction': compaction,
    'kept figures': new KeptFiguresJob(database, log, () => assessments.wake()),
    'kept assessments': assessments,
    alarms: judging,
    silence: new SilenceJob({ database, now, log, raised }),
    statistics: new StatisticsJob(database, log),
    reports: reports.jobs.expiry,
    'report schedules': reports.jobs.schedules,
    'alarm notices': telling.jobs.notices,
    'alarm messages': telling.jobs.deliveries,
  };
  let responders: Subscription[] = [];
  return {
    name: 'inspection',
    document: {
      below: '/dataServiceRest',
      title: 'Sinebar inspection service',
      description: 'Inspection plan, configuration, catalogs, measurements, measured values and their analysis.',
    },
    routes: [
      ...serviceInformationRoutes(database, server),
      ...permissionsRoutes(),
      ...configurationRoutes({ writes, configurations, purge, states, now, versioningType: VERSIONING_TYPE[versioning] }),
      ...catalogsRoutes({ writes, configurations, states, now }),
      ...partsRoutes(planDependencies),
      ...characteristicsRoutes(planDependencies),
      ...inspectionPlanRoutes(planDependencies),
      ...measurementsReadRoutes(measurementReads),
      ...valuesReadRoutes(measurementReads),
      ...measurementsWriteRoutes(new MeasurementWriteService({ database, configurations, partCache, versioning, now })),
      ...attributeUsageRoutes({ database, configurations }),
      ...measurementsDeleteRoutes({
        deletion: new MeasurementDeletionService({ database, configurations }),
        operations: new PendingOperations({ database, configurations, job: operations, now }),
        caseSensitive,
      }),
      ...pendingOperationsRoutes([deletionReader(database, operations), importOperations]),
      ...analysisRoutes(analysis, analysisQueue),
      ...groupRoutes(groups, analysisQueue),
      ...evaluationRoutes(evaluations),
      ...noteRoutes(new NoteService({ database, hide, now })),
      ...telling.routes,
      ...alarmRoutes(new AlarmService({ database, hide, now })),
      ...alarmImportRoutes(new AlarmImportService(database)),
      ...muteRoutes(new MuteService({ database, hide, now })),
      ...viewRoutes(new ViewService({ database, hide, now })),
      ...settingsRoutes(new PlantSettingsService({ database, writes, hide, now })),
      ...mappingRoutes(mappings),
      ...exchangeRoutes({
        imports,
        operations: importOperations,
        queue: importQueue,
        exports: new ExportService({ database, configurations, evaluations: reading.evaluations }),
        mappings,
        caseSensitive,
        dateOrder: settings.SINEBAR_DATE_ORDER,
      }),
      ...partAnalysisRoutes(parts, analysisQueue),
      ...reports.routes,
    ],
    observe: (metrics) => {
      databaseMetrics(metrics, 'inspection', database);
      streamMetrics(metrics, 'inspection', bus);
      spoolMetrics(metrics, 'inspection', spool);
      jobMetrics(metrics, database, jobs);
      alarmMetrics(metrics, database, raised);
      telling.observe(metrics);
      reports.observe(metrics);
    },
    start: async () => {
      await upkeep.start();
      responders = await answerTargetRequests(bus, database);
      for (const job of Object.values(jobs)) job.start();
      database.onAnnounced(() => judging.wake());
    },
    stop: async () => {
      // Reports are ended with the job that waits for them.
      await Promise.all([...Object.values(jobs), importOperations, upkeep, reports].map((job) => job.stop()));
      await telling.stop();
      await Promise.all(responders.map((responder) => responder.stop()));
      await Promise.all([analysis.close(), readers.close()]);
    },
    health: async (): Promise<HealthCheck[]> => {
      const reachable = await database.ping(PING_TIMEOUT_MS);
      const { connected, description } = bus.status();
      return [
        { name: 'inspection database', healthy: reachable, detail: reachable ? 'answers' : `does not answer within ${PING_TIMEOUT_MS} ms` },
        { name: 'message bus', healthy: connected, detail: description },
      ];
    },
  };
}
