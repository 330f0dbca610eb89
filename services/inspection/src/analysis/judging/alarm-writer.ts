import { RULES, type RunRule } from '@sinebar/statistics';
import {
  endAlarms,
  extendAlarms,
  isOpen,
  lockOwnedPoints,
  raiseAlarms,
  readOpenAlarms,
  removePoints,
  type AlarmExtension,
  type AlarmKey,
  type AlarmWriting,
  type NewAlarm,
  type OpenAlarm,
  type OwnedPoint,
  type PointsNeeded,
} from '../../alarms/raised-alarms.ts';
import type { AssessedCharacteristic } from '../assessment/assessed-characteristics.ts';
import { planRuns, pointsOfRun, type PlannedRun } from './alarm-runs.ts';
import type { JudgedCharacteristic, JudgedHit, JudgedPoints, JudgedTrack } from './judged-points.ts';

export interface AlarmFindings {
  judged: readonly JudgedCharacteristic[];
  /** Times at which the changed measurements were written, by their ids. */
  writtenAt: ReadonlyMap<number, number>;
  maxAgeMs: number;
}

interface Owner {
  alarm: OpenAlarm;
  isOpen: boolean;
}

type Planned = { judged: JudgedCharacteristic; track: JudgedTrack; run: PlannedRun<JudgedHit, Owner> };

/** Raises, extends, withdraws and closes alarms as the changed values of a part demand. */
export async function storeFindings(writing: AlarmWriting, { judged, writtenAt, maxAgeMs }: AlarmFindings): Promise<void> {
  const { session, part } = writing;
  const owned = await lockOwnedPoints(
    session,
    judged.map(({ assessed }) => assessed.characteristic.id),
    [...new Set([...writtenAt.keys(), ...judged.flatMap(({ tracks }) => tracks.flatMap(neededPoints))])],
  );
  const owners = ownersOf(owned);
  const planned = judged.flatMap((one) =>
    one.tracks.flatMap((track): Planned[] => {
      const ofTrack = owners.get(keyOf(one.assessed.characteristic.id, track.key));
      return planRuns(track.points, track.hits, (measurementId) => ofTrack?.get(measurementId)).map((run) => ({ judged: one, track, run }));
    }),
  );
  const isOld = (plan: Planned) => isOldRun(plan, writtenAt, maxAgeMs);
  const extensions = planned.filter(isExtension).map((plan) => extensionOf(plan, isOld(plan)));
  await extendAlarms(writing, extensions);
  const begun = planned.filter(({ run }) => !run.alarm);
  await raiseAlarms(
    writing,
    begun.map((plan) => newAlarm(plan, isOld(plan))),
  );
  const byId = new Map(judged.map((one) => [one.assessed.characteristic.id, one]));
  await removePoints(writing, leavingPoints(owners, judged, writtenAt), (alarm) =>
    pointsNeeded(alarm, byId.get(alarm.characteristicId!)?.assessed),
  );
  const open = (await readOpenAlarms(session, part.id)).filter((alarm) => isFine(alarm, byId.get(alarm.characteristicId ?? NaN)));
  await endAlarms(writing, open, 'closed');
}

/** Whether there is anything to store. */
export function hasFindings({ judged }: Pick<AlarmFindings, 'judged'>, open: readonly OpenAlarm[]): boolean {
  return open.length > 0 || judged.some(({ tracks }) => tracks.some(({ hits }) => hits.length > 0));
}

/** Measurements of the points whose alarms have to be known: those of the runs, and those beside single points. */
function neededPoints({ points, hits, affected }: JudgedTrack): number[] {
  const ids = [...affected];
  for (const hit of hits) {
    for (const index of pointsOfRun(points, hit)) ids.push(points.idAt(index));
    if (hit.length > 1) continue;
    for (const step of [-1, 1]) {
      let index = hit.index + step;
      while (Number.isNaN(points.values[index] ?? 0)) index += step;
      if (index >= 0 && index < points.values.length) ids.push(points.idAt(index));
    }
  }
  return ids;
}

function keyOf(characteristicId: number | null, { kind, rule, chart }: AlarmKey): string {
  return `${characteristicId} ${kind} ${rule} ${chart}`;
}

/** Finds the alarms of points, by the keys of their tracks and by their measurements. */
function ownersOf(owned: readonly OwnedPoint[]): Map<string, Map<number, Owner>> {
  const byAlarm = new Map<OpenAlarm, Owner>();
  const owners = new Map<string, Map<number, Owner>>();
  for (const { alarm, measurementId } of owned) {
    const owner = byAlarm.get(alarm) ?? { alarm, isOpen: isOpen(alarm) };
    byAlarm.set(alarm, owner);
    const key = keyOf(alarm.characteristicId, alarm);
    const ofTrack = owners.get(key) ?? new Map<number, Owner>();
    owners.set(key, ofTrack.set(measurementId, owner));
  }
  return owners;
}

/** Whether a run adds points to an alarm, or gives its newest point another value: that was replaced, or its group has grown. */
function isExtension({ track, run: { alarm: owner, points, hit } }: Planned): boolean {
  if (!owner) return false;
  return points.length > 0 || (isNewestOf(track.points.idAt(hit.index), owner.alarm) && hit.value !== owner.alarm.lastValue);
}

function isNewestOf(measurementId: number, { lastMeasurementId }: OpenAlarm): boolean {
  return measurementId === lastMeasurementId;
}

/** Whether all new points of a run were measured long before they were stored. Without a time, or from the future, the storing counts. */
function isOldRun({ track, run }: Planned, writtenAt: ReadonlyMap<number, number>, maxAgeMs: number): boolean {
  // A value that changes is no reason to tell an alarm.
  if (run.points.length === 0) return true;
  const written = run.points.flatMap((index) => {
    const storedMs = writtenAt.get(track.points.idAt(index));
    return storedMs === undefined ? [] : [{ storedMs, measuredMs: track.points.timeAt(index) }];
  });
  return written.length > 0 && written.every(({ storedMs, measuredMs }) => storedMs - measuredMs > maxAgeMs);
}

function newAlarm({ judged: { assessed }, track: { key, points }, run }: Planned, isOld: boolean): NewAlarm {
  const { id, uuid } = assessed.characteristic;
  return {
    ...key,
    characteristic: { id, uuid },
    points: run.points.map((index) => points.idAt(index)),
    firstTime: points.timeAt(run.points[0]!),
    newest: newestOf(points, run.hit),
    detail: run.hit.detail,
    owner: assessed.owner,
    reaction: assessed.reaction,
    isOld,
  };
}

function newestOf({ idAt, timeAt }: JudgedPoints, { index, value }: JudgedHit) {
  return { measurementId: idAt(index), time: timeAt(index), value };
}

function extensionOf({ track: { points }, run: { alarm: owner, points: added, hit } }: Planned, isOld: boolean): AlarmExtension {
  const { alarm } = owner!;
  const newest = newestOf(points, hit);
  return {
    alarm,
    points: added.map((index) => points.idAt(index)),
    firstTime: added[0] === undefined ? NaN : points.timeAt(added[0]),
    ...((isAfter(newest, alarm) || isNewestOf(newest.measurementId, alarm)) && { newest: { ...newest, detail: hit.detail } }),
    isOld,
  };
}

function isAfter({ measurementId, time }: { measurementId: number; time: number }, { lastTime, lastMeasurementId }: OpenAlarm): boolean {
  // A measurement without a time comes before all others.
  const [a, b] = [Number.isNaN(time) ? -Infinity : time, Number.isNaN(lastTime) ? -Infinity : lastTime];
  return a > b || (a === b && measurementId > (lastMeasurementId ?? 0));
}

/** Finds points of open alarms that were judged anew and are fine. */
function leavingPoints(
  owners: ReadonlyMap<string, ReadonlyMap<number, Owner>>,
  judged: readonly JudgedCharacteristic[],
  writtenAt: ReadonlyMap<number, number>,
): OwnedPoint[] {
  const tracks = new Map(
    judged.flatMap(({ assessed, tracks }) => tracks.map((track) => [keyOf(assessed.characteristic.id, track.key), track] as const)),
  );
  return Array.from(owners, ([key, ofTrack]) => {
    const track = tracks.get(key);
    const covered = new Set(track?.hits.flatMap((hit) => pointsOfRun(track.points, hit).map((index) => track.points.idAt(index))));
    const affected = new Set(track?.affected);
    const isLeaving = (alarm: OpenAlarm, measurementId: number) =>
      isOfValues(alarm) && (affected.has(measurementId) || writtenAt.has(measurementId)) && !covered.has(measurementId);
    return Array.from(ofTrack, ([measurementId, owner]) =>
      owner.isOpen && isLeaving(owner.alarm, measurementId) ? [{ alarm: owner.alarm, measurementId }] : [],
    ).flat();
  }).flat();
}

/** Whether an alarm speaks of single points or runs. */
export function isOfValues({ kind }: AlarmKey): boolean {
  return kind === 'tolerance' || kind === 'plausibility' || kind === 'rule';
}

/** Returns what an alarm needs: a run that has lost a point may be too short for its rule. */
export function pointsNeeded(alarm: AlarmKey, assessed: AssessedCharacteristic | undefined): PointsNeeded {
  const { chart, counts } = assessed?.request ?? {};
  const isOfPoint = alarm.chart === 'location' && chart?.type === 'individuals' && !chart.memory && !counts;
  return { least: leastPoints(alarm, assessed), isOfMeasurement: alarm.kind !== 'rule' || isOfPoint };
}

function leastPoints({ kind, rule, chart }: AlarmKey, assessed: AssessedCharacteristic | undefined): number {
  if (kind !== 'rule' || chart === 'variation') return 1;
  const usual = Object.hasOwn(RULES, rule) ? RULES[rule as RunRule] : undefined;
  if (!usual) return 1;
  const length = assessed?.request.chart.rules.find((setting) => setting.rule === rule)?.length ?? usual.length;
  return usual.pattern === 'mostBeyond1' || usual.pattern === 'mostBeyond2' ? length - 1 : length;
}

/** Whether so many points behind an alarm are fine that it closes by itself. */
function isFine(alarm: OpenAlarm, judged: JudgedCharacteristic | undefined): boolean {
  if (!judged || !isOfValues(alarm)) return false;
  const track = judged.tracks.find(({ key }) => key.kind === alarm.kind && key.rule === alarm.rule && key.chart === alarm.chart);
  const { values, idAt, timeAt } = track?.points ?? judged.values;
  let fine = 0;
  for (let index = values.length - 1; index >= 0; index -= 1) {
    if (index === track?.lastHit || !isAfter({ measurementId: idAt(index), time: timeAt(index) }, alarm)) break;
    if (!Number.isNaN(values[index]!)) fine += 1;
  }
  return fine >= judged.assessed.autoClose;
}
