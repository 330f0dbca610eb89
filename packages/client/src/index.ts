export * from './sinebar-client.ts';
export { SinebarError, type ClientErrorCode } from './http/sinebar-error.ts';
export type { Credentials, CredentialsReason, CredentialsSource } from './http/credentials.ts';
export type { RequestOptions } from './http/rest-connection.ts';
export * from './events/event-connection.ts';
export * from './events/sequence-store.ts';
export * from './rest/plan.ts';
export * from './rest/measurements.ts';
export * from './rest/configuration.ts';
export * from './rest/raw-data.ts';
export * from './rest/alarms.ts';
export * from './rest/analysis.ts';
export * from './rest/exchange.ts';
export * from './rest/notes.ts';
export * from './rest/reports.ts';
export * from './rest/subscriptions.ts';
export * from './rest/views.ts';
export { joinTextFiles } from './rest/joined-files.ts';
export type { AttributeChoice, WrittenAttributes } from './rest/attributes.ts';
export {
  ACTION_ATTRIBUTE,
  ALARM_KINDS,
  ALARM_STATES,
  CAUSE_ATTRIBUTE,
  CHARACTERISTIC_KEYS,
  DELIVERY_STATES,
  EVALUATION_MODELS,
  EVENT_NAMES,
  FIRST_ARTICLE_FIELDS,
  OPEN_ALARM_STATES,
  ROOT_PART_UUID,
  STAMP_ATTRIBUTES,
  STAMP_KEYS,
  STANDARD_ACTIONS,
  STANDARD_ATTRIBUTES,
  STANDARD_CAUSES,
  STANDARD_ENTRY_CATALOGS,
  chooseDrawing,
  readStamp,
  readVersionComment,
  stampNumber,
  type AlarmDelivery,
  type AlarmReceiver,
  type AlarmReceiverChoice,
  type AlarmSubscription,
  type Alarm,
  type AlarmKind,
  type AlarmLimits,
  type AlarmMute,
  type ChangedAlarms,
  type ImportedAlarms,
  type AlarmState,
  type AlarmStep,
  type AnyAttributeDefinition,
  type ArchiveEntries,
  type AttributeOwner,
  type Catalog,
  type CatalogEntry,
  type Characteristic,
  type CharacteristicGroups,
  type CharacteristicSeries,
  type CharacteristicSummary,
  type ConfigurationAnswer,
  type CorrelationAnswer,
  type DeliveryState,
  type Evaluation,
  type EvaluationHistory,
  type EvaluationList,
  type EvaluationState,
  type DrawingPoint,
  type EventMeta,
  type EventName,
  type EventPayloads,
  type FirstArticleField,
  type Health,
  type KeptReport,
  type ReportRun,
  type ReportSchedule,
  type ReportTemplate,
  type ImportAnswer,
  type ReadTable,
  type Measurement,
  type MeasurementStatus,
  type MeasurementWithValues,
  type Note,
  type NowStatus,
  type OperationState,
  type Part,
  type PartChanges,
  type PartChildren,
  type PartOverview,
  type PartStatuses,
  type ProcessStatus,
  type PlantSettings,
  type PlantSettingsState,
  type ProbabilityPlotAnswer,
  type AccessPolicyAnswer,
  type Permissions,
  type RawDataEntity,
  type RawDataInformation,
  type SavedView,
  type ServiceInformation,
  type ShiftOfTime,
  type Stamp,
  type StandardAttribute,
  type StandardCatalog,
  type TargetEntity,
  type VersionComment,
} from '@sinebar/contracts';
