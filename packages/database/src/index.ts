export { advisoryKey, tryAdvisoryLock, type AdvisoryKeyOptions, type AdvisoryLock } from './advisory-locks.js';
export * from './database.js';
export type { DatabaseLog } from './log.js';
export {
  codeVersionOf,
  numberOf,
  SchemaTooNewError,
  waitForSchema,
  type SchemaVersion,
  type WaitForSchemaOptions,
} from './migrations/schema-version.js';
export { migrate, MigrationError, type MigrateOptions, type MigrationResult } from './migrations/migrate.js';
export { openDatabase, type OpenDatabaseOptions } from './pool/open-database.js';
export { literal, outboxMigration } from './outbox/outbox.js';
export { OutboxRelay, type OutboxRelayOptions, type RelayStatus } from './outbox/outbox-relay.js';
export { checkServer, UnsuitableDatabaseError } from './pool/server-check.js';
export { DatabaseConflict, isConnectionFailure, translateError } from './transaction/translate-error.js';
export { prepareServiceRole, type ServiceRoleOptions } from './migrations/service-role.js';
export { openServiceDatabase, type OutboxStream, type ServiceDatabase, type ServiceDatabaseOptions } from './service-database.js';
export { copyRows } from './pool/copy-rows.js';
export { readObjects, readRows, type BatchSizes } from './pool/row-stream.js';
export { installationStatement, readInstallation } from './migrations/plant-installation.js';
export { unfinishedRestore } from './migrations/unfinished-restore.js';
export { columnsOf, joinSql, NO_SQL, rawSql, sql, type Sql, type Statement } from './sql.js';
