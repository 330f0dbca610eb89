import type { AlarmDelivery, DeliveryState } from '@sinebar/contracts';
import { joinSql, rawSql, sql, type Session, type Sql, type WriteSession } from '@sinebar/database';
import type { StoredReceiver } from './subscription-store.ts';

export interface DeliverySelection {
  uuid?: string | undefined;
  subscriptionUuid?: string | undefined;
  states?: readonly DeliveryState[] | undefined;
  /** User key of the owner of the subscription; `undefined` for all. */
  owner?: string | undefined;
  limit: number;
}

interface DeliveryRow {
  uuid: string;
  subscriptionUuid: string;
  state: DeliveryState;
  receiver: StoredReceiver;
  isTest: boolean;
  count: number;
  alarmUuids: string[] | null;
  createdAt: Date;
  nextAt: Date;
  tries: number;
  triedAt: Date | null;
  finishedAt: Date | null;
  answer: string;
}

const MAX_SHOWN_ALARMS = 100;
const COLUMNS = rawSql(`d.uuid, s.uuid AS "subscriptionUuid", d.state, s.receiver, d.is_test AS "isTest", cardinality(d.alarm_ids) AS count,
  (SELECT array_agg(a.uuid::text ORDER BY a.id) FROM alarm a WHERE a.id = ANY(d.alarm_ids[:${MAX_SHOWN_ALARMS}])) AS "alarmUuids",
  d.created_at AS "createdAt", d.next_at AS "nextAt", d.all_tries AS tries, d.tried_at AS "triedAt", d.finished_at AS "finishedAt", d.answer`);

/** Reads messages, the newest first. */
export async function readDeliveries(session: Session, selection: DeliverySelection): Promise<AlarmDelivery[]> {
  const { uuid, subscriptionUuid, states, owner, limit } = selection;
  const conditions: Sql[] = [sql`true`];
  if (uuid !== undefined) conditions.push(sql`d.uuid = ${uuid}::uuid`);
  if (subscriptionUuid !== undefined) conditions.push(sql`s.uuid = ${subscriptionUuid}::uuid`);
  if (states !== undefined) conditions.push(sql`d.state = ANY(${states}::text[])`);
  if (owner !== undefined) conditions.push(sql`s.owner = ${owner}`);
  const rows = await session.query<DeliveryRow & Record<string, unknown>>(
    sql`SELECT ${COLUMNS} FROM alarm_delivery d JOIN alarm_subscription s ON s.id = d.subscription_id
      WHERE ${joinSql(conditions, ' AND ')} ORDER BY d.id DESC LIMIT ${limit}::int`,
  );
  return rows.map(deliveryOf);
}

/** Adds a test message, due at once. */
export async function insertTest(session: WriteSession, uuid: string, subscriptionId: string, at: Date): Promise<void> {
  await session.query(
    `INSERT INTO alarm_delivery (uuid, subscription_id, state, is_test, alarm_ids, created_at, next_at, tries, all_tries, answer)
     VALUES ($1, $2, 'waiting', true, '{}', $3, $3, 0, 0, '')`,
    [uuid, subscriptionId, at],
  );
}

/** Counts the test messages of a subscription since a time. */
export async function countTests(session: Session, subscriptionId: string, since: Date): Promise<number> {
  const [row] = await session.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM alarm_delivery WHERE subscription_id = $1 AND is_test AND created_at > $2',
    [subscriptionId, since],
  );
  return row?.count ?? 0;
}

/** Makes a message due again, with all its tries. @returns false while one is sent, and for one that has arrived or was cancelled */
export async function retryDelivery(session: WriteSession, uuid: string, at: Date): Promise<boolean> {
  const updated = await session.execute(
    `UPDATE alarm_delivery SET state = 'waiting', next_at = $2, tries = 0, finished_at = NULL
     WHERE uuid = $1 AND state IN ('waiting', 'failed')`,
    [uuid, at],
  );
  return updated === 1;
}

function deliveryOf(row: DeliveryRow): AlarmDelivery {
  const { uuid, subscriptionUuid, state, receiver, isTest, count, alarmUuids, createdAt, nextAt, tries, triedAt, finishedAt, answer } = row;
  return {
    uuid,
    subscriptionUuid,
    state,
    receiver: { kind: receiver.kind, to: receiver.kind === 'email' ? receiver.address : new URL(receiver.url).origin },
    test: isTest,
    alarms: count,
    alarmUuids: alarmUuids ?? [],
    created: createdAt.toISOString(),
    tries,
    ...(triedAt && { lastTry: triedAt.toISOString() }),
    ...((state === 'waiting' || state === 'sending') && { nextTry: nextAt.toISOString() }),
    ...(finishedAt && { finished: finishedAt.toISOString() }),
    ...(answer !== '' && { answer }),
  };
}
