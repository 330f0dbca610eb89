import type { AlarmKind, AlarmDigest, MessageLanguage, QuietHours, WebhookShape } from '@sinebar/contracts';
import { joinSql, rawSql, sql, type Session, type Sql, type WriteSession } from '@sinebar/database';

/** A receiver as it is stored: without secrets. */
export type StoredReceiver = { kind: 'email'; address: string } | { kind: 'webhook'; url: string; shape: WebhookShape };

/** Somebody with subscriptions. */
export interface Owner {
  userKey: string;
  name: string;
  claims: Record<string, unknown> | null;
  seenAt: Date;
}

export interface Subscription {
  id: string;
  uuid: string;
  owner: Owner;
  receiver: StoredReceiver;
  hasSecret: boolean;
  partUuid: string;
  /** Stored and marked path; `null` when there is no such part. */
  path: string | null;
  markedPath: string | null;
  kinds: AlarmKind[];
  escalateMinutes: number | null;
  digest: AlarmDigest | null;
  quietHours: QuietHours | null;
  language: MessageLanguage;
  createdAt: Date;
  rateAt: Date | null;
}

interface SubscriptionRow extends Omit<Subscription, 'owner'> {
  owner: string;
  ownerName: string | null;
  claims: Record<string, unknown> | null;
  seenAt: Date | null;
}

const COLUMNS = rawSql(`s.id::text AS id, s.uuid, s.owner, o.name AS "ownerName", o.claims, o.seen_at AS "seenAt", s.receiver,
  secret.subscription_uuid IS NOT NULL AS "hasSecret", s.part_uuid AS "partUuid", part.path, part.marked_path AS "markedPath", s.kinds,
  s.escalate_minutes AS "escalateMinutes", s.digest, s.quiet_hours AS "quietHours", s.language, s.created_at AS "createdAt",
  s.rate_at AS "rateAt"`);
const TABLES = rawSql(`alarm_subscription s LEFT JOIN alarm_owner o ON o.user_key = s.owner
  LEFT JOIN alarm_subscription_secret secret ON secret.subscription_uuid = s.uuid
  LEFT JOIN plan_item part ON part.uuid = s.part_uuid AND part.kind = 'part'`);

/** Reads subscriptions in the order in which they were made. @param owner user key; `undefined` for those of all users */
export async function readSubscriptions(
  session: Session,
  { owner, uuid, ids }: { owner?: string | undefined; uuid?: string; ids?: readonly string[] } = {},
): Promise<Subscription[]> {
  const conditions: Sql[] = [sql`true`];
  if (owner !== undefined) conditions.push(sql`s.owner = ${owner}`);
  if (uuid !== undefined) conditions.push(sql`s.uuid = ${uuid}::uuid`);
  if (ids !== undefined) conditions.push(sql`s.id = ANY(${ids}::bigint[])`);
  const rows = await session.query<SubscriptionRow & Record<string, unknown>>(
    sql`SELECT ${COLUMNS} FROM ${TABLES} WHERE ${joinSql(conditions, ' AND ')} ORDER BY s.id`,
  );
  return rows.map(({ owner: userKey, ownerName, claims, seenAt, ...row }) => ({
    ...row,
    owner: { userKey, name: ownerName ?? '', claims, seenAt: seenAt ?? row.createdAt },
  }));
}

/** Locks a subscription that exists until the transaction ends. */
export async function lockSubscription(session: WriteSession, uuid: string): Promise<void> {
  await session.query('SELECT FROM alarm_subscription WHERE uuid = $1 FOR UPDATE', [uuid]);
}

/** A subscription as it is written. */
export interface WrittenSubscription {
  uuid: string;
  receiver: StoredReceiver;
  partUuid: string;
  kinds: readonly AlarmKind[];
  escalateMinutes: number | null;
  digest: AlarmDigest | null;
  quietHours: QuietHours | null;
  language: MessageLanguage;
}

const json = (value: unknown) => (value === null ? null : JSON.stringify(value));
const contentOf = ({ receiver, partUuid, kinds, escalateMinutes, digest, quietHours, language }: WrittenSubscription) => [
  json(receiver),
  partUuid,
  kinds,
  escalateMinutes,
  json(digest),
  json(quietHours),
  language,
];

/** @returns false if there is a subscription with the uuid */
export async function insertSubscription(session: WriteSession, owner: string, at: Date, written: WrittenSubscription): Promise<boolean> {
  const inserted = await session.execute(
    `INSERT INTO alarm_subscription (uuid, owner, created_at, receiver, part_uuid, kinds, escalate_minutes, digest, quiet_hours, language)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (uuid) DO NOTHING`,
    [written.uuid, owner, at, ...contentOf(written)],
  );
  return inserted === 1;
}

export async function updateSubscription(session: WriteSession, written: WrittenSubscription): Promise<void> {
  await session.query(
    `UPDATE alarm_subscription SET receiver = $2, part_uuid = $3, kinds = $4, escalate_minutes = $5, digest = $6, quiet_hours = $7,
       language = $8 WHERE uuid = $1`,
    [written.uuid, ...contentOf(written)],
  );
}

/** Deletes a subscription with its messages, and its owner where nothing else is of it. */
export async function deleteSubscription(session: WriteSession, { id, uuid, owner }: Subscription): Promise<void> {
  await session.query('DELETE FROM alarm_delivery WHERE subscription_id = $1', [id]);
  await session.query('DELETE FROM alarm_due WHERE subscription_id = $1', [id]);
  await session.query('DELETE FROM alarm_subscription_secret WHERE subscription_uuid = $1', [uuid]);
  await session.query('DELETE FROM alarm_subscription WHERE id = $1', [id]);
  await deleteUnusedOwner(session, owner.userKey);
}

/** Deletes an owner without subscriptions and schedules of reports. */
export async function deleteUnusedOwner(session: WriteSession, userKey: string): Promise<void> {
  await session.query(
    `DELETE FROM alarm_owner WHERE user_key = $1 AND NOT EXISTS (SELECT FROM alarm_subscription WHERE owner = $1)
       AND NOT EXISTS (SELECT FROM report_schedule WHERE owner = $1)`,
    [userKey],
  );
}

export async function writeSecret(session: WriteSession, uuid: string, secret: string): Promise<void> {
  await session.query(
    `INSERT INTO alarm_subscription_secret (subscription_uuid, secret) VALUES ($1, $2)
     ON CONFLICT (subscription_uuid) DO UPDATE SET secret = EXCLUDED.secret`,
    [uuid, secret],
  );
}

/** Stores a secret where a subscription has none. @returns the one that it has then; `undefined` without such a subscription */
export async function ensureSecret(session: WriteSession, uuid: string, secret: string): Promise<string | undefined> {
  await session.query(
    `INSERT INTO alarm_subscription_secret (subscription_uuid, secret) SELECT uuid, $2 FROM alarm_subscription WHERE uuid = $1
     ON CONFLICT (subscription_uuid) DO NOTHING`,
    [uuid, secret],
  );
  return readSecret(session, uuid);
}

export async function deleteSecret(session: WriteSession, uuid: string): Promise<void> {
  await session.query('DELETE FROM alarm_subscription_secret WHERE subscription_uuid = $1', [uuid]);
}

export async function readSecret(session: Session, uuid: string): Promise<string | undefined> {
  const [row] = await session.query<{ secret: string }>('SELECT secret FROM alarm_subscription_secret WHERE subscription_uuid = $1', [
    uuid,
  ]);
  return row?.secret;
}

export async function writeOwner(session: WriteSession, { userKey, name, claims, seenAt }: Owner): Promise<void> {
  await session.query(
    `INSERT INTO alarm_owner (user_key, name, claims, seen_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (user_key) DO UPDATE SET name = EXCLUDED.name, claims = EXCLUDED.claims, seen_at = EXCLUDED.seen_at`,
    [userKey, name, json(claims), seenAt],
  );
}

/** Keeps the claims of a token for a user who has subscriptions. */
export async function renewOwner(session: WriteSession, { userKey, name, claims, seenAt }: Owner): Promise<void> {
  await session.query('UPDATE alarm_owner SET name = $2, claims = $3, seen_at = $4 WHERE user_key = $1', [
    userKey,
    name,
    json(claims),
    seenAt,
  ]);
}

export async function countSubscriptions(session: Session, owner: string): Promise<number> {
  const [row] = await session.query<{ count: number }>('SELECT count(*)::int AS count FROM alarm_subscription WHERE owner = $1', [owner]);
  return row?.count ?? 0;
}

/** Finds a part by its stored path. */
export async function findPartAt(session: Session, path: string): Promise<{ uuid: string } | undefined> {
  const [row] = await session.query<{ uuid: string }>(`SELECT uuid FROM plan_item WHERE path = $1 AND kind = 'part'`, [path]);
  return row;
}

/** Writes `P:/Line/Cell/` as clients do in a parameter: `/Line/Cell`. */
export function unmarkedPath(markedPath: string): string {
  return markedPath.replace(/^[PC]*:/, '').replace(/(?<=.)\/$/, '');
}
