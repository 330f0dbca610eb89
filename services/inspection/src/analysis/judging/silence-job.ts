import type { PlantSettingsState } from '@sinebar/contracts';
import type { StepOutcome } from '@sinebar/concurrency';
import { tryAdvisoryLock, type Database, type Session, type WriteSession } from '@sinebar/database';
import type { Logger } from '@sinebar/runtime';
import { alarmWriting, endAlarms, IS_OPEN, raiseAlarms, readOpenAlarms, type RaisedCounts } from '../../alarms/raised-alarms.ts';
import { PlantClock } from '../../evaluation/settings/plant-clock.ts';
import { readPlantSettings } from '../../evaluation/settings/settings-service.ts';
import { BackgroundJob } from '../../shared/background-job.ts';
import { sharePlan } from '../../shared/plan-lock.ts';
import { mapInTurns } from '../../shared/turns.ts';
import { readTotals } from '../kept/kept-figures-store.ts';
import { elapsedInShifts, millisecondsOf } from './silence.ts';

const STATEMENT_TIMEOUT_MS = 60_000;
const POLL: StepOutcome = { waitMs: 30_000 };

/** A part or characteristic that says itself how long nothing may be measured. */
interface WatchedItem {
  id: number;
  uuid: string;
  kind: 'part' | 'characteristic';
  partId: number;
  /** ISO 8601; absent where only an open alarm is left. */
  silence: string | null;
  owner: string;
  reaction: string;
}

interface LastMeasurement {
  id: number;
  /** Milliseconds since 1970: when it was measured, or stored where it has no time or one in the future. */
  time: number;
}

/** Raises an alarm where nothing was measured for longer than the evaluation allows, and closes it at the next measurement. */
export class SilenceJob extends BackgroundJob {
  private readonly deps: { database: Database; now: () => Date; log: Logger; raised: RaisedCounts };

  constructor(deps: SilenceJob['deps']) {
    super(deps.log, 'the time since the last measurements could not be compared; trying again');
    this.deps = deps;
  }

  async step(signal: AbortSignal): Promise<StepOutcome> {
    const { database } = this.deps;
    const work = { signal, statementTimeoutMs: STATEMENT_TIMEOUT_MS };
    const { due, ended } = await database.snapshot(work, (session) => this.find(session));
    if (due.length === 0 && ended.length === 0) return POLL;
    await database.write(work, async (session) => {
      await sharePlan(session);
      if (!(await tryAdvisoryLock(session, 'alarms'))) return;
      for (const partId of new Set([...due, ...ended].map(({ item }) => item.partId))) await this.store(session, partId, due, ended);
    });
    return POLL;
  }

  /** Finds what has been silent for too long, and alarms that a measurement has ended. */
  private async find(session: Session): Promise<{ due: Silent[]; ended: Silent[] }> {
    const items = await readWatched(session);
    if (items.length === 0) return { due: [], ended: [] };
    const last = await readLast(session, items);
    const alarms = await readSilenceAlarms(session, items);
    const settings = await readPlantSettings(session);
    const nowMs = this.deps.now().getTime();
    const elapsed = clockOf(settings);
    const silent: Silent[] = items.flatMap((item) => {
      const measurement = last.get(item.id);
      return measurement ? [{ item, measurement }] : [];
    });
    const ended = silent.filter(({ item, measurement }) => {
      const alarm = alarms.get(item.id);
      return alarm?.isOpen === true && alarm.measurementId !== measurement.id;
    });
    const candidates = silent.filter(
      ({ item, measurement }) => item.silence !== null && alarms.get(item.id)?.measurementId !== measurement.id,
    );
    const stops = await readStops(session, candidates, nowMs);
    const areDue = await mapInTurns(candidates, ({ item, measurement }) => {
      const most = millisecondsOf(item.silence!);
      const fromMs = Math.max(measurement.time, stops.get(item.id) ?? -Infinity);
      return fromMs < nowMs && elapsed(fromMs, nowMs, most) >= most;
    });
    return { due: candidates.filter((_, i) => areDue[i]), ended };
  }

  private async store(session: WriteSession, partId: number, due: readonly Silent[], ended: readonly Silent[]): Promise<void> {
    const writing = await alarmWriting(session, partId, this.deps);
    if (!writing) return;
    const ofPart = (list: readonly Silent[]) => list.filter(({ item }) => item.partId === partId);
    const endedIds = new Set(ofPart(ended).map(({ item }) => characteristicOf(item)?.id ?? null));
    const open = (await readOpenAlarms(session, partId)).filter(({ kind }) => kind === 'silence');
    await endAlarms(
      writing,
      open.filter(({ characteristicId }) => endedIds.has(characteristicId)),
      'closed',
    );
    const known = await readSilenceAlarms(
      session,
      ofPart(due).map(({ item }) => item),
    );
    await raiseAlarms(
      writing,
      ofPart(due)
        .filter(({ item, measurement }) => known.get(item.id)?.measurementId !== measurement.id)
        .map(({ item, measurement }) => {
          const characteristic = characteristicOf(item);
          return {
            kind: 'silence' as const,
            rule: '',
            chart: '' as const,
            ...(characteristic && { characteristic }),
            points: [],
            firstTime: measurement.time,
            newest: { measurementId: measurement.id, time: measurement.time },
            detail: {},
            owner: item.owner,
            reaction: item.reaction,
            isOld: false,
          };
        }),
    );
  }
}

interface Silent {
  item: WatchedItem;
  measurement: LastMeasurement;
}

function characteristicOf({ kind, id, uuid }: WatchedItem): { id: number; uuid: string } | undefined {
  return kind === 'characteristic' ? { id, uuid } : undefined;
}

/** Returns what measures the time between two times, without the time between shifts where the plant has shifts. */
function clockOf({ zone, shifts }: Pick<PlantSettingsState, 'zone' | 'shifts'>): (fromMs: number, toMs: number, most: number) => number {
  if (shifts.length === 0) return (fromMs, toMs) => toMs - fromMs;
  const clock = new PlantClock({ zone, shifts });
  return (fromMs, toMs, most) => elapsedInShifts(clock, fromMs, toMs, most);
}

/** Reads the items that have the member themselves, or an open alarm, with the owner and the reaction that hold for them. */
async function readWatched(session: Session): Promise<WatchedItem[]> {
  const member = (
    name: string,
  ) => `coalesce((SELECT level.state ->> '${name}' FROM evaluation level JOIN plan_item above ON above.id = level.item_id
    WHERE starts_with(item.path, above.path) AND level.state ? '${name}' ORDER BY above.depth DESC LIMIT 1), '') AS ${name}`;
  return session.query<WatchedItem & Record<string, unknown>>(
    `SELECT item.id, item.uuid, item.kind, item.part_id AS "partId", e.state ->> 'silence' AS silence, ${member('owner')}, ${member('reaction')}
     FROM plan_item item LEFT JOIN evaluation e ON e.item_id = item.id
     WHERE item.id IN (SELECT item_id FROM evaluation WHERE state ? 'silence'
       UNION SELECT coalesce(characteristic_id, part_id) FROM alarm WHERE kind = 'silence' AND ${IS_OPEN})`,
    [],
    { name: 'silence-watched' },
  );
}

/** Finds the newest measurements: of parts those at or below them, of characteristics those with a value. */
async function readLast(session: Session, items: readonly WatchedItem[]): Promise<Map<number, LastMeasurement>> {
  const last = new Map<number, LastMeasurement>();
  const parts = items.filter(({ kind }) => kind === 'part').map(({ id }) => id);
  const ofParts = await session.query<{ item: number } & LastMeasurement>(
    `SELECT item.id AS item, newest.id::float8 AS id, newest.ms AS time
     FROM plan_item item CROSS JOIN LATERAL (
       SELECT m.id, m.ms FROM plan_item part CROSS JOIN LATERAL (
         SELECT m.id, ${TIME} AS ms FROM measurement m WHERE m.part_id = part.id AND NOT m.aggregation
         ORDER BY m.measured_at DESC NULLS LAST, m.id DESC LIMIT 1) m
       WHERE part.kind = 'part' AND part.path >= item.path
         AND part.path < CASE item.path WHEN '' THEN 'q' ELSE left(item.path, -1) || '0' END
       ORDER BY m.ms DESC, m.id DESC LIMIT 1) newest
     WHERE item.id = ANY($1::int[])`,
    [parts],
  );
  for (const { item, id, time } of ofParts) last.set(item, { id, time });
  const characteristics = items.filter(({ kind }) => kind === 'characteristic');
  if (characteristics.length === 0) return last;
  const totals = await readTotals(session, [...new Set(characteristics.map(({ partId }) => partId))], 'all');
  const lastIds = new Map<number, number>();
  for (const { id, partId } of characteristics) {
    const figures = totals.get(partId);
    const column = figures?.ids.indexOf(id) ?? -1;
    if (figures && column >= 0 && figures.figures.count[column]! > 0) lastIds.set(id, figures.figures.lastId[column]!);
  }
  const rows = await session.query<LastMeasurement & Record<string, unknown>>(
    `SELECT m.id::float8 AS id, ${TIME} AS time FROM measurement m WHERE m.id = ANY($1::bigint[])`,
    [Array.from(lastIds.values(), String)],
  );
  const times = new Map(rows.map(({ id, time }) => [id, time]));
  for (const [item, id] of lastIds) if (times.has(id)) last.set(item, { id, time: times.get(id)! });
  return last;
}

const TIME = 'extract(epoch FROM least(coalesce(m.measured_at, m.created), m.created))::float8 * 1000';

/** Reads when the planned stops end that have begun: nothing is measured then, so silence counts from their end. */
async function readStops(session: Session, silent: readonly Silent[], nowMs: number): Promise<Map<number, number>> {
  if (silent.length === 0) return new Map();
  const rows = await session.query<{ item: number; endMs: number }>(
    `SELECT item.id AS item, extract(epoch FROM max(mute.until_at))::float8 * 1000 AS "endMs"
     FROM alarm_mute mute JOIN plan_item part ON part.id = mute.part_id JOIN plan_item item ON starts_with(item.path, part.path)
     WHERE item.id = ANY($1::int[]) AND mute.from_at <= $2 GROUP BY item.id`,
    [silent.map(({ item }) => item.id), new Date(nowMs)],
    { name: 'silence-stops' },
  );
  return new Map(rows.map(({ item, endMs }) => [item, endMs]));
}

/** Reads the newest alarm of silence of each item. */
async function readSilenceAlarms(
  session: Session,
  items: readonly WatchedItem[],
): Promise<Map<number, { measurementId: number; isOpen: boolean }>> {
  const rows = await session.query<{ item: number; measurementId: number; isOpen: boolean }>(
    `SELECT DISTINCT ON (item) coalesce(characteristic_id, part_id) AS item, last_measurement_id::float8 AS "measurementId",
       ${IS_OPEN} AS "isOpen"
     FROM alarm WHERE kind = 'silence' AND part_id = ANY($1::int[]) ORDER BY item, id DESC`,
    [[...new Set(items.map(({ partId }) => partId))]],
  );
  return new Map(rows.map(({ item, ...alarm }) => [item, alarm]));
}
