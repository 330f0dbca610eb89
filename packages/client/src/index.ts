export * from './sinebar-client.js';
export { SinebarError, type ClientErrorCode } from './http/sinebar-error.js';
export type { Credentials, CredentialsReason, CredentialsSource } from './http/credentials.js';
export type { RequestOptions } from './http/rest-connection.js';
export * from './events/event-connection.js';
export * from './events/sequence-store.js';
export * from './rest/plan.js';
export * from './rest/measurements.js';
export * from './rest/configuration.js';
export * from './rest/raw-data.js';
export * from './rest/analysis.js';
export * from './rest/exchange.js';
export { joinTextFiles } from './rest/joined-files.js';
export type { AttributeChoice, WrittenAttributes } from './rest/attributes.js';
export {
  CHARACTERISTIC_KEYS,
  EVENT_NAMES,
  ROOT_PART_UUID,
  STANDARD_ATTRIBUTES,
  type AnyAttributeDefinition,
  type ArchiveEntries,
  type AttributeOwner,
  type Catalog,
  type CatalogEntry,
  type Characteristic,
  type CharacteristicSeries,
  type CharacteristicSummary,
  type ConfigurationAnswer,
  type CorrelationAnswer,
  type EventMeta,
  type EventName,
  type EventPayloads,
  type Health,
  type ImportAnswer,
  type Measurement,
  type MeasurementStatus,
  type MeasurementWithValues,
  type OperationState,
  type Part,
  type PartChildren,
  type PartOverview,
  type PartStatuses,
  type ProbabilityPlotAnswer,
  type Permissions,
  type RawDataEntity,
  type RawDataInformation,
  type ServiceInformation,
  type StandardAttribute,
  type TargetEntity,
} from '@sinebar/contracts';
