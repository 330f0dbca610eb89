import type { StartedProduct } from './product.ts';

/** A way to run the product with data that survive a crash. */
export interface Variant {
  name: string;
  /** Starts the product; a second start uses the data of the first. */
  start: (env?: Readonly<Record<string, string>>) => Promise<StartedProduct>;
  /** Folder with the data, if they are in one folder. */
  dataFolder: string | undefined;
  /** Variables that name the database and the store of the product; empty where these are embedded. */
  environment: Readonly<Record<string, string>>;
  remove(): Promise<void>;
}
