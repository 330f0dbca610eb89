import { createHmac, timingSafeEqual } from 'node:crypto';

/** Whom a link ends a subscription for. */
export interface Unsubscriber {
  /** Uuid of the subscription. */
  uuid: string;
  address: string;
}

/** Signs that a mail to the address told of the subscription; another address of the subscription has another signature. */
function unsubscribeToken(key: string, { uuid, address }: Unsubscriber): string {
  return createHmac('sha256', key).update(`unsubscribe\n${uuid}\n${address}`).digest('base64url');
}

/** Compares in constant time. */
export function isUnsubscribeToken(token: string, key: string, unsubscriber: Unsubscriber): boolean {
  const [given, right] = [Buffer.from(token), Buffer.from(unsubscribeToken(key, unsubscriber))];
  return given.length === right.length && timingSafeEqual(given, right);
}

/** Writes the link that ends a subscription. @param publicUrl address of the server without a trailing slash */
export function unsubscribeLink(publicUrl: string, key: string, unsubscriber: Unsubscriber): string {
  const token = unsubscribeToken(key, unsubscriber);
  return `${publicUrl}/alarmServiceRest/subscriptions/${unsubscriber.uuid}/unsubscribe?token=${token}`;
}
