import type { NatsStreamPlace } from '@sinebar/message-bus';
import type { BlobStore } from '@sinebar/raw-data';

/** Rows and files of one installation, as maintenance sees them: below the services, without their rights and limits. */
export interface Store {
  kind: 'embedded' | 'distributed';
  /** For people: `the data folder /var/lib/sinebar`. */
  name: string;
  databaseUrl: string;
  blobs: BlobStore;
  /** Where rows and files lie, of the embedded variant. */
  dataDir: string | undefined;
  /** The event stream in a message broker, of the distributed variant; without a name that of the product. */
  stream: NatsStreamPlace | undefined;
  /** Whether the product is known to be stopped: nobody publishes what waits, nobody follows. */
  isStopped: boolean;
  close(): Promise<void>;
}
