import {
  OPEN_ALARM_STATES,
  type Alarm,
  type AlarmDelivery,
  type AlarmPage,
  type AlarmSelection,
  type DeliverySelection,
  type SinebarClient,
} from '@sinebar/client';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { queryKeys } from './keys';

type Chosen = Omit<AlarmPage, 'signal'>;

/** Alarms, the newest first, without their steps. */
export function alarmsQuery(client: SinebarClient, selection: Chosen) {
  return queryOptions({
    queryKey: queryKeys.alarms('list', selection),
    queryFn: ({ signal }) => client.alarms.list({ ...selection, signal }),
  });
}

/** One alarm with its steps. */
export function alarmQuery(client: SinebarClient, uuid: string) {
  return queryOptions({
    queryKey: queryKeys.alarms('one', uuid),
    queryFn: ({ signal }) => client.alarms.get(uuid, { signal }),
  });
}

/** Number of alarms; servers of earlier releases have none. */
export function alarmCountQuery(client: SinebarClient, selection: Omit<AlarmSelection, 'signal'>) {
  return queryOptions({
    queryKey: queryKeys.alarms('count', selection),
    queryFn: ({ signal }) => client.alarms.count({ ...selection, signal }),
    retry: false,
  });
}

/** Most alarms of one characteristic that are listed and marked. */
export const MAX_OF_ITEM = 200;

/** Alarms of a characteristic, the newest first, but for those that were withdrawn, and those of old values, which would cover a chart. */
export function alarmsOfItemQuery(client: SinebarClient, characteristicUuid: string) {
  return queryOptions({
    queryKey: queryKeys.alarms('of item', characteristicUuid),
    queryFn: ({ signal }): Promise<Alarm[]> =>
      client.alarms.list({ characteristicUuid, state: [...OPEN_ALARM_STATES, 'closed'], told: true, limitResult: MAX_OF_ITEM, signal }),
  });
}

/** Planned stops that are not over. */
export function mutesQuery(client: SinebarClient) {
  return queryOptions({
    queryKey: queryKeys.alarms('mutes'),
    queryFn: ({ signal }) => client.alarms.mutes({ signal }),
  });
}

/** Attribute of the unit of a characteristic. */
const UNIT = 2142;
/** Most uuids of one request: an address holds some thousand characters. */
const BATCH = 100;

/** Units of characteristics by their uuids; those without one are missing. */
export function unitsQuery(client: SinebarClient, uuids: readonly string[]) {
  return queryOptions({
    queryKey: queryKeys.plan('units', uuids),
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, string>> => {
      const batches = Array.from({ length: Math.ceil(uuids.length / BATCH) }, (_, i) => uuids.slice(i * BATCH, (i + 1) * BATCH));
      const found = await Promise.all(
        batches.map((charUuids) => client.characteristics.list({ charUuids, requestedCharacteristicAttributes: [UNIT], signal })),
      );
      return new Map(found.flat().flatMap(({ uuid, attributes: { [UNIT]: unit } }) => (unit ? [[uuid, unit] as const] : [])));
    },
    enabled: uuids.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
}

/** The own subscriptions, and with `policy:write` those of all users. */
export function subscriptionsQuery(client: SinebarClient) {
  return queryOptions({
    queryKey: queryKeys.alarms('subscriptions'),
    queryFn: ({ signal }) => client.subscriptions.list({ signal }),
  });
}

/** Receivers that the reader may have told, and what the server can send. */
export function receiversQuery(client: SinebarClient) {
  return queryOptions({
    queryKey: queryKeys.alarms('receivers'),
    queryFn: ({ signal }) => client.subscriptions.receivers({ signal }),
  });
}

/** Most messages of one list. */
export const MAX_DELIVERIES = 1000;
/** Time between two readings of messages, which no event tells of, ms. */
const DELIVERIES_EVERY_MS = 5_000;

/** Messages, the newest first. */
export function deliveriesQuery(client: SinebarClient, selection: Omit<DeliverySelection, 'signal' | 'limitResult'>) {
  return queryOptions({
    queryKey: queryKeys.alarms('deliveries', selection),
    queryFn: ({ signal }) => client.subscriptions.deliveries({ ...selection, limitResult: MAX_DELIVERIES, signal }),
    refetchInterval: DELIVERIES_EVERY_MS,
    placeholderData: keepPreviousData,
  });
}

/** Time between two questions for one message, ms. */
const DELIVERY_EVERY_MS = 1_000;

/** One message, asked for again until it has been tried. */
export function deliveryQuery(client: SinebarClient, uuid: string) {
  return queryOptions({
    queryKey: queryKeys.alarms('delivery', uuid),
    queryFn: ({ signal }) => client.subscriptions.delivery(uuid, { signal }),
    refetchInterval: ({ state: { data } }) => (data === undefined || isUnanswered(data) ? DELIVERY_EVERY_MS : false),
  });
}

function isUnanswered({ state, answer }: AlarmDelivery): boolean {
  return state === 'sending' || (state === 'waiting' && answer === undefined);
}
