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
export * from './rest/analysis.ts';
export * from './rest/exchange.ts';
export * from './rest/notes.ts';
export * from './rest/views.ts';
export { joinTextFiles } from './rest/joined-files.ts';
export type { AttributeChoice, WrittenAttributes } from './rest/attributes.ts';
export {
  CAUSE_ATTRIBUTE,
  CHARACTERISTIC_KEYS,
  EVALUATION_MODELS,
  EVENT_NAMES,
  ROOT_PART_UUID,
  STANDARD_ATTRIBUTES,
  STANDARD_CAUSES,
  readVersionComment,
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
  type Evaluation,
  type EvaluationHistory,
  type EvaluationList,
  type EvaluationState,
  type EventMeta,
  type EventName,
  type EventPayloads,
  type Health,
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
  type StandardAttribute,
  type TargetEntity,
  type VersionComment,
} from '@sinebar/contracts';
