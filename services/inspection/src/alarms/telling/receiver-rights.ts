import type { Principal } from '@sinebar/access-control';
import { invalidField, ServiceError } from '@sinebar/contracts';
import type { StoredReceiver } from './subscription-store.ts';

/** Returns the address of a user that the provider of the token has verified. */
export function verifiedAddress({ claims }: Principal): string | undefined {
  const { email, email_verified: isVerified } = claims ?? {};
  return typeof email === 'string' && email.length > 2 && isVerified === true ? email : undefined;
}

/**
 * Whether a user may have a receiver told: with `policy:write` every one, else addresses of some domains and the own one.
 * @param mailDomains in lower case
 */
export function mayTell(owner: Principal, receiver: StoredReceiver, mailDomains: readonly string[]): boolean {
  if (owner.holds('policy:write')) return true;
  if (receiver.kind !== 'email') return false;
  const address = receiver.address.toLowerCase();
  return mailDomains.includes(address.slice(address.lastIndexOf('@') + 1)) || verifiedAddress(owner)?.toLowerCase() === address;
}

/** Receivers that this server can tell, and that everybody may name. */
export interface ReceiverLimits {
  /** Domains whose addresses everybody may have told, in lower case. */
  mailDomains: readonly string[];
  /** Whether the server can send mail. */
  hasMail: boolean;
  /** Why a webhook at the address could never be sent; `undefined` for an address that can be tried. */
  webhookProblem: (url: string) => string | undefined;
}

/** Checks that an owner may have a receiver told, and that the server can. @throws ServiceError 400, which names the field; 403 */
export function requireReceiver(
  owner: Principal,
  receiver: StoredReceiver,
  { mailDomains, hasMail, webhookProblem }: ReceiverLimits,
  field: string,
): void {
  if (!mayTell(owner, receiver, mailDomains)) {
    const own = verifiedAddress(owner);
    throw new ServiceError(
      'Forbidden',
      receiver.kind === 'webhook'
        ? 'Webhooks need the right policy:write.'
        : `Other addresses than ${own === undefined ? 'those of the domains in SINEBAR_MAIL_DOMAINS' : `${own} and those of the domains in SINEBAR_MAIL_DOMAINS`} need the right policy:write.`,
    );
  }
  if (receiver.kind === 'email') {
    if (!hasMail) throw invalidField(field, 'This server sends no mail. Set SINEBAR_SMTP_URL, or choose a webhook.');
    return;
  }
  const problem = webhookProblem(receiver.url);
  if (problem !== undefined) throw invalidField(`${field}.url`, problem);
}
