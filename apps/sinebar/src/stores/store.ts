import type { NatsStreamAddress } from '@sinebar/message-bus';
import type { OpenedBlobStore } from '@sinebar/raw-data';

/** Rows and files of one installation, accessed below the services, without their rights and limits. */
export interface Store {
  kind: 'embedded' | 'distributed';
  /** Display name: `the data folder /var/lib/sinebar`. */
  name: string;
  databaseUrl: string;
  /** Plant of the installation, empty for the only one. */
  plant: string;
  blobs: OpenedBlobStore['blobs'];
  /** Data folder with rows and files, in the embedded variant. */
  dataDir: string | undefined;
  /** Event stream in a message broker, in the distributed variant; without a name that of the product. */
  stream: NatsStreamAddress | undefined;
  /** True if the product is known to be stopped: nothing publishes or follows. */
  isStopped: boolean;
  close(): Promise<void>;
}
