export { advisoryKey, tryAdvisoryLock, type AdvisoryKeyOptions, type AdvisoryLock } from './advisory-locks.ts';
export * from './database.ts';
export type { DatabaseLog } from './log.ts';
export {
  codeVersionOf,
  numberOf,
  SchemaTooNewError,
  waitForSchema,
  type SchemaVersion,
  type WaitForSchemaOptions,
} from './migrations/schema-version.ts';
export { migrate, MigrationError, type MigrateOptions, type MigrationResult } from './migrations/migrate.ts';
export { openDatabase, type OpenDatabaseOptions } from './open-database.ts';
export { literal, outboxMigration } from './outbox/outbox.ts';
export { OutboxRelay, type OutboxRelayOptions, type RelayStatus } from './outbox/outbox-relay.ts';
export { DatabaseInUseError, keepForThisProcess, type ProcessLockOptions } from './process-lock.ts';
export { checkServer, UnsuitableDatabaseError } from './connection/server-check.ts';
export { DatabaseConflict, isConnectionFailure, translateError } from './connection/translate-error.ts';
export { prepareServiceRole, type ServiceRoleOptions } from './migrations/service-role.ts';
export { openServiceDatabase, type OutboxStream, type ServiceDatabase, type ServiceDatabaseOptions } from './service-database.ts';
export { copyRows } from './connection/copy-rows.ts';
export { readObjects, readRows, type BatchSizes } from './connection/row-stream.ts';
export { installationStatement, readInstallation } from './migrations/plant-installation.ts';
export { unfinishedRestore } from './migrations/unfinished-restore.ts';
export { pathCondition } from './path-condition.ts';
export { columnsOf, joinSql, knex, NO_SQL, rawSql, sql, type Knex, type Sql, type Statement } from './sql.ts';
