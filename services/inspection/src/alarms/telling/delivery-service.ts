import { randomUUID } from 'node:crypto';
import { ServiceError, type AlarmDelivery } from '@sinebar/contracts';
import type { Database, Session } from '@sinebar/database';
import { withEtag, type TextWithEtag } from '../../shared/answers/text-etag.ts';
import type { Caller } from '../../shared/request-context.ts';
import { countTests, insertTest, readDeliveries, retryDelivery, type DeliverySelection } from './delivery-store.ts';
import type { SubscriptionOwners } from './subscription-owners.ts';
import { findSubscription, ownerFilter } from './subscription-service.ts';
import { lockSubscription } from './subscription-store.ts';

export interface DeliveryDependencies {
  database: Database;
  owners: SubscriptionOwners;
  /** Called after a message became due. */
  onDue: () => void;
  now: () => Date;
}

const TEST_WINDOW_MS = 60_000;
const MAX_TESTS = 3;

/** Messages of own subscriptions, and with `policy:write` those of all users. */
export class DeliveryService {
  private readonly deps: DeliveryDependencies;

  constructor(deps: DeliveryDependencies) {
    this.deps = deps;
  }

  /** Lists the newest first. @throws ServiceError 404 for a named subscription */
  list(selection: Omit<DeliverySelection, 'owner' | 'uuid'>, caller: Caller): Promise<TextWithEtag> {
    return this.deps.database.snapshot(caller, async (session) => {
      const { subscriptionUuid } = selection;
      if (subscriptionUuid !== undefined) await findSubscription(session, subscriptionUuid, caller.principal);
      return withEtag(JSON.stringify(await readDeliveries(session, { ...selection, owner: ownerFilter(caller.principal) })));
    });
  }

  /** @throws ServiceError 404 */
  read(uuid: string, caller: Caller): Promise<AlarmDelivery> {
    return this.deps.database.read(caller, (session) => findDelivery(session, uuid, caller));
  }

  /** Sends a test to the receiver of a subscription. @throws ServiceError 404; 409 for one that is paused; 429 */
  async test(subscriptionUuid: string, caller: Caller): Promise<AlarmDelivery> {
    const { database, owners, now, onDue } = this.deps;
    const delivery = await database.write(caller, async (session) => {
      await lockSubscription(session, subscriptionUuid);
      const subscription = await findSubscription(session, subscriptionUuid, caller.principal);
      const rights = owners.rightsFor(subscription);
      if ('paused' in rights) throw new ServiceError('Conflict', `The subscription ${subscriptionUuid} is paused (${rights.paused}).`);
      const at = now();
      if ((await countTests(session, subscription.id, new Date(at.getTime() - TEST_WINDOW_MS))) >= MAX_TESTS) {
        throw new ServiceError('TooManyRequests', `A subscription sends ${MAX_TESTS} tests in a minute. Try again later.`, {
          retryAfterSeconds: TEST_WINDOW_MS / 1000,
        });
      }
      const uuid = randomUUID();
      await insertTest(session, uuid, subscription.id, at);
      return findDelivery(session, uuid, caller);
    });
    onDue();
    return delivery;
  }

  /** Sends a message again that failed, or at once one that waits. @throws ServiceError 404; 409 for one that is sent or has arrived */
  async retry(uuid: string, caller: Caller): Promise<AlarmDelivery> {
    const { database, now, onDue } = this.deps;
    const delivery = await database.write(caller, async (session) => {
      const { state } = await findDelivery(session, uuid, caller);
      if (!(await retryDelivery(session, uuid, now())))
        throw new ServiceError('Conflict', `The message ${uuid} is ${state}. Only one that waits or has failed can be sent again.`);
      return findDelivery(session, uuid, caller);
    });
    onDue();
    return delivery;
  }
}

async function findDelivery(session: Session, uuid: string, { principal }: Caller): Promise<AlarmDelivery> {
  const [found] = await readDeliveries(session, { uuid, owner: ownerFilter(principal), limit: 1 });
  if (found) return found;
  throw new ServiceError('NotFound', `There is no message ${uuid}.`);
}
