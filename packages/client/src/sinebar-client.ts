import type { AccessPolicyAnswer, Health, Permissions, ServiceInformation } from '@sinebar/contracts';
import { EventConnection, type EventOptions } from './events/event-connection.ts';
import { CredentialsKeeper, type CredentialsSource } from './http/credentials.ts';
import { RestConnection, type RequestOptions } from './http/rest-connection.ts';
import { errorOf } from './http/sinebar-error.ts';
import { Alarms } from './rest/alarms.ts';
import { Analysis } from './rest/analysis.ts';
import { Catalogs, Configuration } from './rest/configuration.ts';
import { Exchange } from './rest/exchange.ts';
import { Measurements } from './rest/measurements.ts';
import { Notes } from './rest/notes.ts';
import { Characteristics, Parts, PlanItems } from './rest/plan.ts';
import { RawData } from './rest/raw-data.ts';
import { Reports } from './rest/reports.ts';
import { Subscriptions } from './rest/subscriptions.ts';
import { Views } from './rest/views.ts';

export interface SinebarOptions {
  /** Address of the server: `http://localhost:8080`. */
  url: string;
  /** Credentials; not needed in access mode `none`. */
  credentials?: CredentialsSource;
  /** Replacement for the global `fetch`. */
  fetch?: typeof fetch;
  /** Maximum retries of a read that the server is too busy for; default 3. Writes are never repeated. */
  retries?: number;
}

/** Client of one Sinebar server for one user. Failed requests throw {@link SinebarError}; all take an `AbortSignal`. */
export class SinebarClient {
  readonly parts: Parts;
  readonly characteristics: Characteristics;
  readonly planItems: PlanItems;
  readonly measurements: Measurements;
  readonly configuration: Configuration;
  readonly catalogs: Catalogs;
  readonly rawData: RawData;
  readonly alarms: Alarms;
  readonly analysis: Analysis;
  readonly exchange: Exchange;
  readonly notes: Notes;
  readonly views: Views;
  readonly reports: Reports;
  /** Subscriptions of alarms, and the messages that they send. */
  readonly subscriptions: Subscriptions;
  private readonly credentials: CredentialsKeeper;
  private readonly connection: RestConnection;

  /** @throws TypeError when the url is invalid */
  constructor({ credentials, ...options }: SinebarOptions) {
    this.credentials = new CredentialsKeeper(credentials);
    this.connection = new RestConnection({ ...options, credentials: this.credentials });
    this.parts = new Parts(this.connection);
    this.characteristics = new Characteristics(this.connection);
    this.planItems = new PlanItems(this.connection);
    this.measurements = new Measurements(this.connection);
    this.configuration = new Configuration(this.connection);
    this.catalogs = new Catalogs(this.connection);
    this.rawData = new RawData(this.connection);
    this.alarms = new Alarms(this.connection);
    this.analysis = new Analysis(this.connection);
    this.exchange = new Exchange(this.connection);
    this.notes = new Notes(this.connection);
    this.views = new Views(this.connection);
    this.reports = new Reports(this.connection);
    this.subscriptions = new Subscriptions(this.connection);
  }

  /** Reads the service information; needs no credentials. */
  serviceInformation(options: RequestOptions = {}): Promise<ServiceInformation> {
    return this.connection.json({ method: 'GET', path: '/dataServiceRest/serviceInformation', ...options });
  }

  /** Reads whether all services can do their work; what is unhealthy is an answer, not an error. Details are only for who signs in. */
  async health(options: RequestOptions = {}): Promise<Health> {
    const path = '/healthServiceRest/all/ready';
    const response = await this.connection.answer({ method: 'GET', path, accept: [503], ...options });
    const unread = response.clone();
    const answer = (await response.json().catch(() => undefined)) as Partial<Health> | undefined;
    if (answer?.status === undefined) throw await errorOf(unread, `GET ${path}`);
    return { ...answer, status: answer.status };
  }

  /**
   * Reads what the user may do.
   * @param options.partPath only the rights on this part
   */
  permissions({ partPath, ...options }: RequestOptions & { partPath?: string } = {}): Promise<Permissions> {
    return this.connection.json({ method: 'GET', path: '/dataServiceRest/permissions', query: { partPath }, ...options });
  }

  /**
   * Reads the access policy in force, without passwords; with a user or a role also why they may do what.
   * @param options.partPath the part on which rights are explained
   * @throws SinebarError 403 without policy:write, 404 without a policy, and for an unknown user or role
   */
  accessPolicy({
    signal,
    ...query
  }: RequestOptions & { user?: string; role?: string; partPath?: string } = {}): Promise<AccessPolicyAnswer> {
    return this.connection.json({ method: 'GET', path: '/dataServiceRest/accessPolicy', query, ...(signal && { signal }) });
  }

  /** Makes a connection for change events: register listeners on it, then call `connect`. */
  events(options: EventOptions = {}): EventConnection {
    return new EventConnection({ ...options, url: this.connection.url, credentials: this.credentials });
  }
}

/** Makes a client and sends one request to check the server. @throws SinebarError when it is unreachable or not Sinebar */
export async function connect(options: SinebarOptions & RequestOptions): Promise<SinebarClient> {
  const { signal, ...rest } = options;
  const client = new SinebarClient(rest);
  await client.serviceInformation(signal ? { signal } : {});
  return client;
}
