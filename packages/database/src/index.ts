export * from './database.js';
export type { DatabaseLog } from './log.js';
export {
  codeVersionOf,
  numberOf,
  SchemaTooNewError,
  waitForSchema,
  type SchemaVersion,
  type WaitForSchemaOptions,
} from './schema-version.js';
export { migrate, MigrationError, type MigrateOptions, type MigrationResult } from './migrate.js';
export { openDatabase, type OpenDatabaseOptions } from './open-database.js';
export { outboxMigration } from './outbox.js';
export { OutboxRelay, type OutboxRelayOptions, type RelayStatus } from './outbox-relay.js';
export { checkServer, UnsuitableDatabaseError } from './server-check.js';
export { codeOf, DatabaseConflict, isConnectionFailure, translateError } from './translate-error.js';
export { prepareServiceRole, type ServiceRoleOptions } from './service-role.js';
export { openServiceDatabase, type OutboxStream, type ServiceDatabase, type ServiceDatabaseOptions } from './service-database.js';
export { readObjects, readRows, type BatchSizes } from './row-stream.js';
export { UNFINISHED_RESTORE_SCHEMA, UNFINISHED_RESTORE_TABLE } from './unfinished-restore.js';
export type { SqlFragment, Statement } from './sql.js';
