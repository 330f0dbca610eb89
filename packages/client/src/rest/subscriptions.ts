import type { AlarmDelivery, AlarmReceiver, AlarmReceiverChoice, AlarmSubscription, DeliveryState } from '@sinebar/contracts';
import { segment } from '../http/query-text.ts';
import type { RequestOptions, RestConnection } from '../http/rest-connection.ts';

/** A subscription as it is sent: its receiver, its alarms and its times. */
export interface SubscriptionContent extends Pick<AlarmSubscription, 'escalateAfterMinutes' | 'digest' | 'quietHours'> {
  receiver: AlarmReceiver;
  /** Everything at and below this part counts; `/` is the whole plan. */
  partPath: string;
  /** Default: all. */
  kinds?: AlarmSubscription['kinds'];
  /** Default: `en`. */
  language?: AlarmSubscription['language'];
}

/** Selects messages; all conditions have to be met. */
export interface DeliverySelection extends RequestOptions {
  state?: DeliveryState | readonly DeliveryState[];
  subscriptionUuid?: string;
  /** Most messages, at most 1,000; by default 100. */
  limitResult?: number;
}

const PATH = '/alarmServiceRest';

/** Subscriptions of alarms, and the messages that they send. */
export class Subscriptions {
  private readonly connection: RestConnection;

  constructor(connection: RestConnection) {
    this.connection = connection;
  }

  /** Lists the own ones, and with `policy:write` those of all users. */
  list({ signal }: RequestOptions = {}): Promise<AlarmSubscription[]> {
    return this.connection.json({ method: 'GET', path: `${PATH}/subscriptions`, ...(signal && { signal }) });
  }

  /** @returns `etag` is a condition for changes. @throws SinebarError 404 */
  async get(uuid: string, { signal }: RequestOptions = {}): Promise<AlarmSubscription & { etag: string }> {
    const response = await this.connection.answer({ method: 'GET', path: subscriptionPath(uuid), ...(signal && { signal }) });
    return { ...((await response.json()) as AlarmSubscription), etag: response.headers.get('etag') ?? '' };
  }

  /** Reads whom the user may have told, and what the server can send. */
  receivers({ signal }: RequestOptions = {}): Promise<AlarmReceiverChoice> {
    return this.connection.json({ method: 'GET', path: `${PATH}/receivers`, ...(signal && { signal }) });
  }

  /**
   * @returns the subscription as it is stored; only this answer holds the secret of a webhook
   * @throws SinebarError 400; 403 for a receiver that the user may not have told; 409 for a uuid that exists
   */
  create(subscription: SubscriptionContent & { uuid?: string }, { signal }: RequestOptions = {}): Promise<AlarmSubscription> {
    return this.connection.json({ method: 'POST', path: `${PATH}/subscriptions`, json: subscription, ...(signal && { signal }) });
  }

  /**
   * Replaces everything but the user; a secret stays where none is given.
   * @param options.etag of the subscription that was read: refuses to overwrite the change of another
   * @throws SinebarError 400, 403, 404; 412 when another has changed it
   */
  update(
    uuid: string,
    { receiver, partPath, kinds, escalateAfterMinutes, digest, quietHours, language }: SubscriptionContent,
    { etag, signal }: RequestOptions & { etag?: string } = {},
  ): Promise<AlarmSubscription> {
    return this.connection.json({
      method: 'PUT',
      path: subscriptionPath(uuid),
      json: { receiver, partPath, kinds, escalateAfterMinutes, digest, quietHours, language },
      ...(etag !== undefined && { headers: { 'If-Match': etag } }),
      ...(signal && { signal }),
    });
  }

  /** @throws SinebarError 404, 412 */
  delete(uuid: string, { etag, signal }: RequestOptions & { etag?: string } = {}): Promise<void> {
    return this.connection.done({
      method: 'DELETE',
      path: subscriptionPath(uuid),
      ...(etag !== undefined && { headers: { 'If-Match': etag } }),
      ...(signal && { signal }),
    });
  }

  /** Sends a test message at once. @returns the message; `delivery` tells how it went. @throws SinebarError 404, 409, 429 */
  test(uuid: string, { signal }: RequestOptions = {}): Promise<AlarmDelivery> {
    return this.connection.json({ method: 'POST', path: `${subscriptionPath(uuid)}/test`, ...(signal && { signal }) });
  }

  /** Lists messages, the newest first. @throws SinebarError 404 */
  deliveries({ signal, state, ...query }: DeliverySelection = {}): Promise<AlarmDelivery[]> {
    const states = state && { state: `{${[state].flat().join(',')}}` };
    return this.connection.json({ method: 'GET', path: `${PATH}/deliveries`, query: { ...query, ...states }, ...(signal && { signal }) });
  }

  /** @throws SinebarError 404 */
  delivery(uuid: string, { signal }: RequestOptions = {}): Promise<AlarmDelivery> {
    return this.connection.json({ method: 'GET', path: `${PATH}/deliveries/${segment(uuid)}`, ...(signal && { signal }) });
  }

  /** Sends a message again that has failed, or at once one that waits. @throws SinebarError 404, 409 */
  retry(uuid: string, { signal }: RequestOptions = {}): Promise<AlarmDelivery> {
    return this.connection.json({ method: 'POST', path: `${PATH}/deliveries/${segment(uuid)}/retry`, ...(signal && { signal }) });
  }
}

function subscriptionPath(uuid: string): string {
  return `${PATH}/subscriptions/${segment(uuid)}`;
}
