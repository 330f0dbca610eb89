import type { Session, WriteSession } from '@sinebar/database';
import { isToldIn } from '../../raised-alarms.ts';
import type { StoredReceiver } from '../subscription-store.ts';
import type { TriedMessage } from './after-try.ts';

/** A message that is about to be sent. */
export interface ClaimedDelivery {
  id: string;
  uuid: string;
  subscriptionId: string;
  alarmIds: string[];
  isTest: boolean;
  /** Tries with this one, since it was created or a person asked for another one. */
  tries: number;
}

/** A message whose time has come. */
export interface DueDelivery {
  id: string;
  receiver: StoredReceiver;
}

/** A subscription with alarms whose time has come. */
export interface DueSubscription {
  id: string;
  receiver: StoredReceiver;
  escalateMinutes: number | null;
  rateAt: Date | null;
  /** Whether a message before has not got through yet. */
  isFailing: boolean;
}

/** A time of a try that lies farther ahead was computed by a clock that was set back since. */
const MAX_AHEAD = `interval '8 hours'`;
const RETENTION = `interval '30 days'`;

/** Whether there is something to collect or to send. */
export async function hasWork(session: Session, now: Date): Promise<boolean> {
  const [row] = await session.query<{ found: boolean }>(
    `SELECT EXISTS (SELECT FROM alarm_due WHERE due_at <= $1) OR EXISTS (SELECT FROM alarm_delivery
       WHERE state IN ('waiting', 'sending') AND (next_at <= $1 OR next_at > $1::timestamptz + ${MAX_AHEAD})) AS found`,
    [now],
    { name: 'alarm-has-work' },
  );
  return row?.found === true;
}

export async function readDueSubscriptions(session: Session, now: Date, limit: number): Promise<DueSubscription[]> {
  return session.query<DueSubscription & Record<string, unknown>>(
    `SELECT s.id::text AS id, s.receiver, s.escalate_minutes AS "escalateMinutes", s.rate_at AS "rateAt",
       EXISTS (SELECT FROM alarm_delivery d WHERE d.subscription_id = s.id AND d.state IN ('waiting', 'sending') AND d.tries > 1)
         AS "isFailing"
     FROM alarm_subscription s WHERE EXISTS (SELECT FROM alarm_due due WHERE due.subscription_id = s.id AND due.due_at <= $1)
     ORDER BY s.rate_at NULLS FIRST LIMIT $2`,
    [now, limit],
    { name: 'alarm-due-subscriptions' },
  );
}

/** Takes the alarms of a subscription whose time has come. @returns ids of those that are still to be told */
export async function takeDue(session: WriteSession, { id, escalateMinutes }: DueSubscription, now: Date): Promise<string[]> {
  const taken = await session.query<{ id: string }>(
    'DELETE FROM alarm_due WHERE subscription_id = $1 AND due_at <= $2 RETURNING alarm_id::text AS id',
    [id, now],
    { name: 'alarm-due-take' },
  );
  const told = await session.query<{ id: string }>(
    `SELECT id::text AS id FROM alarm WHERE id = ANY($1::bigint[]) AND ${isToldIn(escalateMinutes === null ? 'message' : 'escalation')}
     ORDER BY alarm.id`,
    [taken.map((due) => due.id)],
    { name: escalateMinutes === null ? 'alarm-due-told' : 'alarm-due-escalated' },
  );
  return told.map((alarm) => alarm.id);
}

/** Adds a message, due at once, and keeps when the next one may follow. */
export async function insertDelivery(
  session: WriteSession,
  {
    uuid,
    subscriptionId,
    alarmIds,
    at,
    rateAt,
  }: { uuid: string; subscriptionId: string; alarmIds: readonly string[]; at: Date; rateAt: Date },
): Promise<void> {
  await session.query(
    `INSERT INTO alarm_delivery (uuid, subscription_id, state, is_test, alarm_ids, created_at, next_at, tries, all_tries, answer)
     VALUES ($1, $2, 'waiting', false, $3::bigint[], $4, $4, 0, 0, '')`,
    [uuid, subscriptionId, alarmIds, at],
    { name: 'alarm-delivery-insert' },
  );
  await session.query('UPDATE alarm_subscription SET rate_at = $2 WHERE id = $1', [subscriptionId, rateAt], { name: 'alarm-rate' });
}

/**
 * Finds messages that may be sent: the oldest of each subscription that has none on its way.
 * @param except ids of messages that this process is sending
 */
export async function readDueDeliveries(session: Session, now: Date, except: readonly string[]): Promise<DueDelivery[]> {
  return session.query<DueDelivery & Record<string, unknown>>(
    `SELECT id::text AS id, receiver FROM (
       SELECT DISTINCT ON (d.subscription_id) d.id, d.next_at, s.receiver
       FROM alarm_delivery d JOIN alarm_subscription s ON s.id = d.subscription_id
       WHERE d.state IN ('waiting', 'sending') AND (d.next_at <= $1 OR d.next_at > $1::timestamptz + ${MAX_AHEAD})
         AND NOT EXISTS (SELECT FROM alarm_delivery other WHERE other.subscription_id = d.subscription_id AND other.state = 'sending'
           AND other.id <> d.id AND other.next_at > $1 AND other.next_at <= $1::timestamptz + ${MAX_AHEAD})
       ORDER BY d.subscription_id, d.tries, d.id
     ) AS due WHERE due.id <> ALL($2::bigint[]) ORDER BY due.next_at, due.id`,
    [now, except],
    { name: 'alarm-due-deliveries' },
  );
}

/** Writes that messages are being sent. @param until time at which a try is given up whose process has ended */
export async function claimDeliveries(session: WriteSession, ids: readonly string[], now: Date, until: Date): Promise<ClaimedDelivery[]> {
  return session.query<ClaimedDelivery & Record<string, unknown>>(
    `UPDATE alarm_delivery SET state = 'sending', tries = tries + 1, all_tries = all_tries + 1, tried_at = $2, next_at = $3
     WHERE id = ANY($1::bigint[])
     RETURNING id::text AS id, uuid, subscription_id::text AS "subscriptionId", alarm_ids::text[] AS "alarmIds", is_test AS "isTest", tries`,
    [ids, now, until],
    { name: 'alarm-delivery-claim' },
  );
}

/** Writes the result of a try, unless another one has begun since. */
export async function finishTry(
  session: WriteSession,
  { id, tries }: ClaimedDelivery,
  { state, answer, nextAt, finishedAt }: TriedMessage,
): Promise<void> {
  await session.query(
    `UPDATE alarm_delivery SET state = $3, answer = $4, next_at = $5, finished_at = $6
     WHERE id = $1 AND tries = $2 AND state = 'sending'`,
    [id, tries, state, answer, nextAt, finishedAt],
    { name: 'alarm-delivery-finish' },
  );
}

/** Deletes messages that were finished long ago. */
export async function deleteOldDeliveries(session: WriteSession, now: Date): Promise<void> {
  await session.query(`DELETE FROM alarm_delivery WHERE finished_at < $1::timestamptz - ${RETENTION}`, [now]);
}
