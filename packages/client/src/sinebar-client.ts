import type { ServiceInformation } from '@sinebar/contracts';
import { EventConnection, type EventOptions } from './events/event-connection.js';
import { CredentialsKeeper, type CredentialsSource } from './http/credentials.js';
import { RestConnection, type RequestOptions } from './http/rest-connection.js';
import { Catalogs, Configuration } from './rest/configuration.js';
import { Measurements } from './rest/measurements.js';
import { Characteristics, Parts } from './rest/plan.js';
import { RawData } from './rest/raw-data.js';

export interface SinebarOptions {
  /** Of the server, as in a browser: `http://localhost:8080`. */
  url: string;
  /** Left out where the server asks for none. */
  credentials?: CredentialsSource;
  /** Default: the global one. */
  fetch?: typeof fetch;
  /** How often a read is tried again while the server says that it is busy; default 3. Writes are never repeated. */
  retries?: number;
}

/** One Sinebar server, for one user. Failed requests throw {@link SinebarError}; all take an `AbortSignal`. */
export class SinebarClient {
  readonly parts: Parts;
  readonly characteristics: Characteristics;
  readonly measurements: Measurements;
  readonly configuration: Configuration;
  readonly catalogs: Catalogs;
  readonly rawData: RawData;
  private readonly credentials: CredentialsKeeper;
  private readonly connection: RestConnection;

  /** @throws TypeError when the url is none */
  constructor({ credentials, ...options }: SinebarOptions) {
    this.credentials = new CredentialsKeeper(credentials);
    this.connection = new RestConnection({ ...options, credentials: this.credentials });
    this.parts = new Parts(this.connection);
    this.characteristics = new Characteristics(this.connection);
    this.measurements = new Measurements(this.connection);
    this.configuration = new Configuration(this.connection);
    this.catalogs = new Catalogs(this.connection);
    this.rawData = new RawData(this.connection);
  }

  /** Needs no credentials. */
  serviceInformation(options: RequestOptions = {}): Promise<ServiceInformation> {
    return this.connection.json({ method: 'GET', path: '/dataServiceRest/serviceInformation', ...options });
  }

  /** Change events: register listeners on it, then `connect`. */
  events(options: EventOptions = {}): EventConnection {
    return new EventConnection({ ...options, url: this.connection.url, credentials: this.credentials });
  }
}

/** A client, after the server was asked once. @throws SinebarError when it cannot be reached or is something else */
export async function connect(options: SinebarOptions & RequestOptions): Promise<SinebarClient> {
  const { signal, ...rest } = options;
  const client = new SinebarClient(rest);
  await client.serviceInformation(signal ? { signal } : {});
  return client;
}
