import { randomBytes, randomUUID } from 'node:crypto';
import { userKeyOf, type Principal } from '@sinebar/access-control';
import { invalidField, ServiceError, type AlarmReceiverChoice, type AlarmSubscription } from '@sinebar/contracts';
import type { Database, Session, WriteSession } from '@sinebar/database';
import { readPlantSettings } from '../../evaluation/settings/settings-service.ts';
import type { HideUsers } from '../../shared/answers/shown-users.ts';
import { requireMatch, withEtag, type TextWithEtag } from '../../shared/answers/text-etag.ts';
import type { Caller } from '../../shared/request-context.ts';
import { requireReceiver, verifiedAddress, type ReceiverLimits } from './receiver-rights.ts';
import type { ReceiverBody, SubscriptionBody } from './subscription-body.ts';
import type { SubscriptionOwners } from './subscription-owners.ts';
import {
  countSubscriptions,
  deleteSecret,
  deleteSubscription,
  findPartAt,
  insertSubscription,
  lockSubscription,
  readSubscriptions,
  unmarkedPath,
  updateSubscription,
  writeOwner,
  writeSecret,
  type StoredReceiver,
  type Subscription,
  type WrittenSubscription,
} from './subscription-store.ts';

export interface SubscriptionDependencies extends ReceiverLimits {
  database: Database;
  owners: SubscriptionOwners;
  hasLinks: boolean;
  /** Leaves out names in answers. */
  hide: HideUsers;
  now: () => Date;
}

/** Most subscriptions of a user. */
const MAX_SUBSCRIPTIONS = 100;
const SECRET_BYTES = 32;

/** Subscriptions of alarms: own ones, and with `policy:write` those of all users. */
export class SubscriptionService {
  private readonly deps: SubscriptionDependencies;

  constructor(deps: SubscriptionDependencies) {
    this.deps = deps;
  }

  list(caller: Caller): Promise<TextWithEtag> {
    return this.deps.database.read(caller, async (session) => {
      const subscriptions = await readSubscriptions(session, { owner: ownerFilter(caller.principal) });
      return withEtag(JSON.stringify(subscriptions.map((subscription) => this.answerOf(subscription, caller.principal))));
    });
  }

  /** @throws ServiceError 404 */
  read(uuid: string, caller: Caller): Promise<TextWithEtag> {
    return this.deps.database.read(caller, async (session) => this.textOf(await findSubscription(session, uuid, caller.principal), caller));
  }

  /** Tells whom the caller may have told. */
  choice({ principal, ...work }: Caller): Promise<AlarmReceiverChoice> {
    const { mailDomains, hasMail: mail, hasLinks: links, database } = this.deps;
    const ownAddress = verifiedAddress(principal);
    return database.read(work, async (session) => ({
      any: principal.holds('policy:write'),
      ...(ownAddress !== undefined && { ownAddress }),
      mailDomains: [...mailDomains],
      mail,
      links,
      zone: (await readPlantSettings(session)).zone,
    }));
  }

  /**
   * Makes a subscription of the caller. @returns it with its secret
   * @throws ServiceError 400 for an unknown part or one subscription too many; 403 for a receiver; 409 for a uuid that exists
   */
  create({ uuid = randomUUID(), ...body }: SubscriptionBody, caller: Caller): Promise<TextWithEtag> {
    const owner = this.deps.owners.ownerOf(caller.principal);
    return this.deps.database.write(caller, async (session) => {
      requireReceiver(caller.principal, body.receiver, this.deps, 'receiver');
      if ((await countSubscriptions(session, owner.userKey)) >= MAX_SUBSCRIPTIONS)
        throw new ServiceError('InvalidRequest', `There are ${MAX_SUBSCRIPTIONS} own subscriptions already. Delete one first.`);
      const written = await resolve(session, uuid, body, caller.principal);
      if (!(await insertSubscription(session, owner.userKey, this.deps.now(), written)))
        throw new ServiceError('AlreadyExists', `There is a subscription ${uuid} already.`);
      await writeOwner(session, owner);
      const secret = await this.keepSecret(session, uuid, body.receiver, undefined);
      return this.textOf(await findSubscription(session, uuid, caller.principal), caller, secret);
    });
  }

  /** Replaces everything but the owner. @returns it with its secret, if it has a new one. @throws ServiceError as `create`; 404, 412 */
  update(uuid: string, body: SubscriptionBody, caller: Caller): Promise<TextWithEtag> {
    return this.change(uuid, caller, async (session, before) => {
      // Messages are made with the rights of the owner, whoever changes the subscription.
      const found = this.deps.owners.principalOf(before.owner);
      const receiver = keptReceiver(body.receiver, before.receiver);
      if ('principal' in found) requireReceiver(found.principal, receiver, this.deps, 'receiver');
      else
        throw new ServiceError('Conflict', 'The user of this subscription cannot sign in any more. Delete it, and make one of your own.');
      await updateSubscription(session, await resolve(session, uuid, { ...body, receiver }, found.principal));
      const secret = await this.keepSecret(session, uuid, receiver, before);
      if (before.owner.userKey === userKeyOf(caller.principal)) await writeOwner(session, this.deps.owners.ownerOf(caller.principal));
      return this.textOf(await findSubscription(session, uuid, caller.principal), caller, secret);
    });
  }

  /** @throws ServiceError 404, 412 */
  delete(uuid: string, caller: Caller): Promise<void> {
    return this.change(uuid, caller, (session, subscription) => deleteSubscription(session, subscription));
  }

  private change<T>(uuid: string, caller: Caller, act: (session: WriteSession, before: Subscription) => Promise<T>): Promise<T> {
    return this.deps.database.write(caller, async (session) => {
      await lockSubscription(session, uuid);
      const before = await findSubscription(session, uuid, caller.principal);
      requireMatch(caller.ifMatch, this.textOf(before, caller).etag, `The subscription ${uuid}`);
      return act(session, before);
    });
  }

  /** Stores the secret of a receiver. @returns it where it is new and belongs into the answer */
  private async keepSecret(
    session: WriteSession,
    uuid: string,
    receiver: ReceiverBody,
    before: Subscription | undefined,
  ): Promise<string | undefined> {
    if (receiver.kind === 'email') {
      // The key of the links in mails stays, so that those of earlier mails still work.
      if (before?.receiver.kind === 'webhook') await deleteSecret(session, uuid);
      return undefined;
    }
    if (isSecretAddress(receiver)) {
      if (!isKeptAddress(receiver, before?.receiver)) await writeSecret(session, uuid, receiver.url);
      return undefined;
    }
    const isKept = before?.hasSecret === true && before.receiver.kind === 'webhook' && before.receiver.shape === 'standard';
    if (receiver.secret === undefined && isKept) return undefined;
    const secret = receiver.secret ?? `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
    await writeSecret(session, uuid, secret);
    return secret;
  }

  private textOf(subscription: Subscription, { principal }: Caller, secret?: string): TextWithEtag {
    const answer = this.answerOf(subscription, principal);
    const { etag } = withEtag(JSON.stringify(answer));
    const { receiver } = answer;
    const shown = secret === undefined || receiver.kind === 'email' ? answer : { ...answer, receiver: { ...receiver, secret } };
    return { text: JSON.stringify(shown), etag };
  }

  private answerOf(subscription: Subscription, reader: Principal): AlarmSubscription {
    const { uuid, receiver, partUuid, markedPath, kinds, escalateMinutes, digest, quietHours, language, owner, createdAt } = subscription;
    const rights = this.deps.owners.rightsFor(subscription);
    const answer: AlarmSubscription = {
      uuid,
      receiver,
      partUuid,
      ...(markedPath !== null && { partPath: unmarkedPath(markedPath) }),
      kinds,
      ...(escalateMinutes !== null && { escalateAfterMinutes: escalateMinutes }),
      ...(digest && { digest }),
      ...(quietHours && { quietHours }),
      language,
      own: owner.userKey === userKeyOf(reader),
      ...(owner.name !== '' && { user: owner.name }),
      time: createdAt.toISOString(),
      ...('paused' in rights && { paused: rights.paused }),
    };
    return this.deps.hide(answer, reader);
  }
}

/** Returns the user key of those whose subscriptions somebody may see; `undefined` for all. */
export function ownerFilter(reader: Principal): string | undefined {
  return reader.holds('policy:write') ? undefined : userKeyOf(reader);
}

/** Finds a subscription that somebody may see and change. @throws ServiceError 404 */
export async function findSubscription(session: Session, uuid: string, reader: Principal): Promise<Subscription> {
  const [found] = await readSubscriptions(session, { uuid, owner: ownerFilter(reader) });
  if (found) return found;
  throw new ServiceError('NotFound', `There is no subscription ${uuid}.`);
}

/** Finds what a body refers to. @throws ServiceError 400 for a part that is not there, or that its owner may not know */
async function resolve(
  session: Session,
  uuid: string,
  { receiver, partPath, kinds, escalateAfterMinutes, digest, quietHours, language }: SubscriptionBody,
  owner: Principal,
): Promise<WrittenSubscription> {
  const part = await findPartAt(session, partPath.stored);
  const readable = owner.scopeOf('measurement:read');
  const mayKnow = readable.includes(partPath.stored) || readable.prefixes.some((prefix) => prefix.startsWith(partPath.stored));
  if (!part || !mayKnow) throw invalidField('partPath', `There is no part ${partPath.written} whose measurements the user may read.`);
  return {
    uuid,
    receiver: storedReceiver(receiver),
    partUuid: part.uuid,
    kinds,
    escalateMinutes: escalateAfterMinutes ?? null,
    digest: digest ?? null,
    quietHours: quietHours ?? null,
    language,
  };
}

/** Whether whoever knows the whole address can send messages to its readers. */
function isSecretAddress({ shape }: { shape: string }): boolean {
  return shape !== 'standard';
}

function storedReceiver(receiver: ReceiverBody): StoredReceiver {
  if (receiver.kind === 'email') return { kind: 'email', address: receiver.address };
  const { shape } = receiver;
  const { href, origin } = new URL(receiver.url);
  return { kind: 'webhook', shape, url: isSecretAddress(receiver) ? origin : href };
}

/** A receiver that is sent back as it was read keeps its secret address. */
function keptReceiver(receiver: ReceiverBody, before: StoredReceiver): ReceiverBody {
  return receiver.kind === 'webhook' && isKeptAddress(receiver, before) ? { ...receiver, url: (before as { url: string }).url } : receiver;
}

function isKeptAddress(receiver: { url: string; shape: string }, before: StoredReceiver | undefined): boolean {
  if (before?.kind !== 'webhook' || before.shape !== receiver.shape || !isSecretAddress(receiver)) return false;
  const { origin, pathname, search } = new URL(receiver.url);
  return origin === before.url && pathname === '/' && search === '';
}
