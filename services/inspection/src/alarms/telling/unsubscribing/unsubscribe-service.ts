import type { Database, Session, WorkOptions } from '@sinebar/database';
import { deleteSubscription, lockSubscription, readSecret, readSubscriptions, type Subscription } from '../subscription-store.ts';
import { isUnsubscribeToken } from './unsubscribe-link.ts';

/** Subscription that a link of a mail names: `ended` without such a subscription, `refused` where it was not made for its receiver. */
type Found = { kind: 'ended' | 'refused' } | { kind: 'found'; subscription: Subscription; address: string };

/** Ends subscriptions by the links of their mails: whoever has one needs no sign-in. */
export class UnsubscribeService {
  private readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  find(uuid: string, token: string, work: WorkOptions): Promise<Found> {
    return this.database.read(work, (session) => findBy(session, uuid, token));
  }

  /** Deletes the subscription. Once it is gone, the answer is the same, so that a repeated request succeeds. */
  end(uuid: string, token: string, work: WorkOptions): Promise<{ kind: 'ended'; isNew: boolean } | { kind: 'refused' }> {
    return this.database.write(work, async (session) => {
      await lockSubscription(session, uuid);
      const found = await findBy(session, uuid, token);
      if (found.kind === 'refused') return { kind: 'refused' };
      if (found.kind === 'found') await deleteSubscription(session, found.subscription);
      return { kind: 'ended', isNew: found.kind === 'found' };
    });
  }
}

async function findBy(session: Session, uuid: string, token: string): Promise<Found> {
  const [subscription] = await readSubscriptions(session, { uuid });
  if (!subscription) return { kind: 'ended' };
  const { receiver } = subscription;
  const key = await readSecret(session, uuid);
  if (receiver.kind !== 'email' || key === undefined) return { kind: 'refused' };
  const { address } = receiver;
  return isUnsubscribeToken(token, key, { uuid, address }) ? { kind: 'found', subscription, address } : { kind: 'refused' };
}
