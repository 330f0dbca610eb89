import type { Principal } from '@sinebar/access-control';
import type { Alarm } from '@sinebar/contracts';
import type { Session } from '@sinebar/database';
import { parseMarkedPath } from '@sinebar/query-language';
import type { HideUsers } from '../../../shared/answers/shown-users.ts';
import { countAlarms, readAlarms } from '../../alarm-store.ts';
import type { ToldIn } from '../../raised-alarms.ts';

/** Alarms that a message describes; the others are counted. */
export const MAX_DESCRIBED = 100;
/** Values of a characteristic in a picture. */
const NEWEST_VALUES = 25;
/** Keys of attributes: unit, decimal places and nominal of a characteristic. */
const KEYS = { unit: '2142', places: '2022', nominal: '2101' } as const;

/** Attributes of a characteristic that say something about its values. */
export interface ToldCharacteristic {
  id: number;
  partId: number;
  unit: string | undefined;
  /** Text of K2022. */
  places: string | undefined;
  limits: { lowerTolerance?: number; upperTolerance?: number; nominal?: number };
}

export interface ToldAlarm {
  alarm: Alarm;
  /** Names from the top of the plan, that of the part or characteristic last. */
  names: readonly string[];
  characteristic: ToldCharacteristic | undefined;
}

/** Content of a message. */
export interface Told {
  /** Alarms that are still to be told, described or not. */
  count: number;
  /** Newest first, {@link MAX_DESCRIBED} at most. */
  described: ToldAlarm[];
}

export interface NewestValue {
  measurementUuid: string;
  /** Absent for a measurement without a time. */
  time: Date | null;
  value: number;
}

/** Reads the alarms of a message that are still to be told, as far as a user may read them. */
export async function readTold(
  session: Session,
  ids: readonly string[],
  { principal, toldIn, hide }: { principal: Principal; toldIn: ToldIn; hide: HideUsers },
): Promise<Told> {
  const readable = principal.scopeOf('measurement:read');
  const selection = { ids, toldIn };
  const count = await countAlarms(session, readable, selection);
  const alarms = await readAlarms(session, readable, { ...selection, limit: MAX_DESCRIBED, offset: 0 });
  const uuids = alarms.flatMap(({ characteristicUuid }) => characteristicUuid ?? []);
  const characteristics = await readCharacteristics(session, uuids);
  return {
    count,
    described: alarms.map((alarm) => ({
      alarm: hide(alarm, principal),
      names: parseMarkedPath(alarm.characteristicPath ?? alarm.partPath).map(({ name }) => name),
      characteristic: characteristics.get(alarm.characteristicUuid ?? ''),
    })),
  };
}

async function readCharacteristics(session: Session, uuids: readonly string[]): Promise<Map<string, ToldCharacteristic>> {
  if (uuids.length === 0) return new Map();
  const rows = await session.query<{
    uuid: string;
    id: number;
    partId: number;
    unit: string | null;
    places: string | null;
    nominal: number | null;
    lower: number | null;
    upper: number | null;
  }>(
    `SELECT uuid, id, part_id AS "partId", attributes ->> '${KEYS.unit}' AS unit, attributes ->> '${KEYS.places}' AS places,
       limit_number(attributes ->> '${KEYS.nominal}') AS nominal, lower_tolerance AS lower, upper_tolerance AS upper
     FROM plan_item WHERE uuid = ANY($1::uuid[])`,
    [uuids],
    { name: 'told-characteristics' },
  );
  return new Map(
    rows.map(({ uuid, id, partId, unit, places, nominal, lower, upper }) => [
      uuid,
      {
        id,
        partId,
        unit: unit ?? undefined,
        places: places ?? undefined,
        limits: {
          ...(lower !== null && { lowerTolerance: lower }),
          ...(upper !== null && { upperTolerance: upper }),
          ...(nominal !== null && { nominal }),
        },
      },
    ]),
  );
}

/** Reads the newest values of a characteristic, oldest first. */
export async function readNewestValues(
  session: Session,
  { id, partId }: Pick<ToldCharacteristic, 'id' | 'partId'>,
): Promise<NewestValue[]> {
  const rows = await session.query<NewestValue & Record<string, unknown>>(
    `SELECT m.uuid AS "measurementUuid", m.measured_at AS time, m."values"[array_position(s.characteristic_ids, $2)] AS value
     FROM measurement m JOIN characteristic_set s ON s.id = m.characteristic_set_id
     WHERE m.part_id = $1 AND s.part_id = $1 AND $2 = ANY(s.characteristic_ids)
       AND m."values"[array_position(s.characteristic_ids, $2)] IS NOT NULL
     ORDER BY m.measured_at DESC NULLS LAST, m.id DESC LIMIT ${NEWEST_VALUES}`,
    [partId, id],
  );
  return rows.reverse();
}
