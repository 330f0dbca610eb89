import type { Authentication } from '@sinebar/authentication';
import type { Closing } from '@sinebar/concurrency';
import type { Tracer } from '@sinebar/contracts';
import type { ServiceDatabaseOptions } from '@sinebar/database';
import type { Bus, NatsStreamAddress } from '@sinebar/message-bus';
import type { BlobStore } from '@sinebar/raw-data';
import type { Logger, SettingDefinitions, SettingsOf, Spool } from '@sinebar/runtime';
import type { ServiceName } from '../services.ts';

/** What a form of the product gives to its services. A store is opened by the first service that needs it. */
export interface Form {
  /** Returns those settings of the process that a service names. */
  settings: <D extends SettingDefinitions>(definitions: D) => SettingsOf<D>;
  authentication: Authentication;
  /** Store for files, and whether no other process writes to it. */
  files: () => Promise<{ blobs: BlobStore; soleOwner: boolean }>;
  spool: () => Promise<Spool>;
  bus: () => Promise<Bus>;
  /** The event stream in a broker that other installations may use. */
  stream?: NatsStreamAddress & { name: string };
  database: () => Pick<ServiceDatabaseOptions, 'url' | 'plant' | 'migrateAtStart' | 'startTimeoutMs'> & { signal?: AbortSignal };
  closing: Closing;
  logOf: (service: ServiceName) => Logger;
  tracer: Tracer | undefined;
}
