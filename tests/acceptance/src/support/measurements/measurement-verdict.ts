import type { FollowedChange } from '../events/change-follower.ts';
import { requestOf, type MeasuredPart, type ReadMeasurement } from './measurement-content.ts';
import { isWhole, type ChangeKind, type DoubtfulChange, type MeasurementLoad, type OwnMeasurement } from './measurement-load.ts';

type Counts = Record<ChangeKind, number>;

const EVENTS: Readonly<Record<string, ChangeKind>> = {
  MeasurementCreated: 'create',
  MeasurementModified: 'replace',
  MeasurementDeleted: 'delete',
};

/** Finds violations in the stored state and the events after a load; empty when there are none. */
export function problemsOf(
  load: MeasurementLoad,
  parts: readonly MeasuredPart[],
  stored: readonly ReadMeasurement[],
  changes: readonly FollowedChange[],
): string[] {
  const byUuid = new Map(stored.map((measurement) => [measurement.uuid, measurement]));
  const events = eventsOf(changes);
  const { problems: eventProblems, counts } = events;
  const problems = [...load.problems, ...eventProblems];
  if (byUuid.size !== stored.length) problems.push('a measurement is listed twice');
  for (const measurement of stored) if (!isWhole(measurement, parts)) problems.push(`stored torn: ${JSON.stringify(measurement)}`);

  const doubtful = new Map<OwnMeasurement, ChangeKind | undefined>();
  for (const doubt of load.doubts) {
    const happened = outcomeOf(doubt, byUuid);
    if (happened === 'neither') problems.push(`${doubt.kind} ${doubt.request} is stored in part, or something else is`);
    for (const measurement of doubt.measurements) doubtful.set(measurement, happened === 'done' ? doubt.kind : undefined);
  }
  for (const measurement of load.own) {
    const { uuid, request, acknowledged } = measurement;
    const isDoubtful = doubtful.has(measurement);
    const found = byUuid.get(uuid);
    if (!isDoubtful && (found && requestOf(found)) !== request)
      problems.push(`${uuid} is not stored as request ${request} has left it: ${JSON.stringify(found)}`);
    const extra = doubtful.get(measurement);
    const expected = { ...acknowledged, ...(extra && { [extra]: acknowledged[extra] + 1 }) };
    const announced = counts.get(uuid) ?? { create: 0, replace: 0, delete: 0 };
    if (JSON.stringify(announced) !== JSON.stringify(expected))
      problems.push(`${uuid} has the events ${JSON.stringify(announced)}, not ${JSON.stringify(expected)}`);
  }
  const known = new Set([...load.own, ...load.shared].map(({ uuid }) => uuid));
  for (const uuid of [...byUuid.keys(), ...counts.keys()]) if (!known.has(uuid)) problems.push(`${uuid} was never sent`);
  return [...problems, ...sharedProblems(load, byUuid, counts)];
}

/** Checks that a request happened completely or not at all. */
function outcomeOf({ kind, request, measurements }: DoubtfulChange, stored: ReadonlyMap<string, ReadMeasurement>) {
  const after = kind === 'delete' ? undefined : request;
  const found = measurements.map(({ uuid }) => stored.get(uuid)).map((each) => each && requestOf(each));
  if (found.every((each) => each === after)) return 'done';
  return found.every((each, i) => each === measurements[i]?.request) ? 'undone' : 'neither';
}

/** Checks that the shared measurements come from one request that no later one followed. */
function sharedProblems(
  { shared, replacements }: MeasurementLoad,
  stored: ReadonlyMap<string, ReadMeasurement>,
  counts: Map<string, Counts>,
): string[] {
  const problems: string[] = [];
  const requests = new Set(shared.map(({ uuid }) => requestOf(stored.get(uuid) ?? { attributes: {} })));
  const [last] = requests;
  if (requests.size !== 1) problems.push(`shared measurements are stored in the states ${[...requests].join()}`);
  const winner = replacements.find(({ request }) => request === last);
  const isFirst = shared.every(({ request }) => request === last);
  if (!winner && !isFirst) problems.push(`shared measurements are in the state ${last}, which nobody sent`);
  const end = winner ? winner.acknowledged : 0;
  const later = replacements.find(({ begun, acknowledged }) => end !== undefined && begun > end && acknowledged !== undefined);
  if (later) problems.push(`shared measurements are in the state ${last}, though request ${later.request} came later`);
  const least = replacements.filter(({ acknowledged }) => acknowledged !== undefined).length;
  for (const { uuid } of shared) {
    const announced = counts.get(uuid);
    const isRight =
      announced?.create === 1 && announced.delete === 0 && announced.replace >= least && announced.replace <= replacements.length;
    if (!isRight)
      problems.push(`the shared measurement ${uuid} has the events ${JSON.stringify(announced)}; ${least} changes were acknowledged`);
  }
  return problems;
}

/** Groups different events by measurement; an event may be repeated. */
function eventsOf(changes: readonly FollowedChange[]): { counts: Map<string, Counts>; problems: string[] } {
  const counts = new Map<string, Counts>();
  const problems: string[] = [];
  const seen = new Set<string>();
  for (const { event, data, meta } of changes) {
    const kind = EVENTS[event];
    if (kind === undefined || seen.has(meta.id)) continue;
    seen.add(meta.id);
    const uuid = String(data['MeasurementUuid']);
    const count = counts.get(uuid) ?? { create: 0, replace: 0, delete: 0 };
    if (kind === 'create' ? count.replace + count.delete > 0 : count.create === 0 || count.delete > 0)
      problems.push(`${event} of ${uuid} came in the wrong order`);
    count[kind] += 1;
    counts.set(uuid, count);
  }
  return { counts, problems };
}
