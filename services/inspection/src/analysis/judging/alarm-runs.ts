/** Points of a chart in the order of measurement. */
export interface RunPoints {
  /** NaN for a missing point. */
  values: ArrayLike<number>;
  /** Id of a measurement; of a group that of its first one. */
  idAt: (index: number) => number;
}

/** A point that is wrong, or ends a run that is. */
export interface RunHit {
  index: number;
  /** Number of points of the run, 1 for a single one. */
  length: number;
}

/** An alarm of the same key that has points among these. */
export interface RunAlarm {
  isOpen: boolean;
}

export interface PlannedRun<Hit, Alarm> {
  /** Absent for a new alarm. */
  alarm?: Alarm;
  /** Indices of the points that are added, ascending; none where points of the alarm were judged anew. */
  points: number[];
  /** The last hit. */
  hit: Hit;
}

/**
 * Assigns hits to alarms, so that each run has one.
 * Hits touch where their runs share a point; single points also where they follow each other. A hit that touches an open alarm extends it;
 * one that shares a point with a closed alarm belongs to it and changes nothing; any other one begins an alarm.
 * @param hits in ascending order
 * @param ownerOf finds the alarm to which the point of a measurement belongs
 */
export function planRuns<Hit extends RunHit, Alarm extends RunAlarm>(
  points: RunPoints,
  hits: readonly Hit[],
  ownerOf: (measurementId: number) => Alarm | undefined,
): PlannedRun<Hit, Alarm>[] {
  const runs: PlannedRun<Hit, Alarm>[] = [];
  const runOfAlarm = new Map<Alarm, PlannedRun<Hit, Alarm>>();
  /** Runs to which points are assigned here. */
  const runAt = new Map<number, PlannedRun<Hit, Alarm>>();
  const openAt = (index: number | undefined): PlannedRun<Hit, Alarm> | Alarm | undefined => {
    if (index === undefined) return undefined;
    const owner = ownerOf(points.idAt(index));
    return runAt.get(index) ?? (owner?.isOpen === true ? owner : undefined);
  };
  const runOf = (alarm: Alarm, hit: Hit): PlannedRun<Hit, Alarm> => {
    let run = runOfAlarm.get(alarm);
    if (!run) {
      run = { alarm, points: [], hit };
      runOfAlarm.set(alarm, run);
      runs.push(run);
    }
    return run;
  };
  for (const hit of hits) {
    const members = pointsOfRun(points, hit);
    const near = hit.length === 1 ? [...members, neighbor(points, hit.index, -1), neighbor(points, hit.index, 1)] : members;
    const touched = near.map(openAt).find((found) => found !== undefined);
    let run: PlannedRun<Hit, Alarm>;
    if (touched) run = 'points' in touched ? touched : runOf(touched, hit);
    else if (members.some((index) => ownerOf(points.idAt(index)) !== undefined)) continue;
    else {
      run = { points: [], hit };
      runs.push(run);
    }
    run.hit = hit;
    for (const index of members) {
      if (runAt.has(index) || ownerOf(points.idAt(index)) !== undefined) continue;
      runAt.set(index, run);
      run.points.push(index);
    }
  }
  for (const run of runs) run.points.sort((a, b) => a - b);
  return runs.filter(({ alarm, points: added }) => alarm !== undefined || added.length > 0);
}

/** Returns the indices of the points that a hit looks at, the newest first; a missing point ends every run. */
export function pointsOfRun({ values }: RunPoints, { index, length }: RunHit): number[] {
  const members: number[] = [];
  for (let i = index; i > index - length && i >= 0 && !Number.isNaN(values[i]!); i -= 1) members.push(i);
  return members;
}

/** Finds the point before or behind another one; missing ones lie between. */
function neighbor({ values }: RunPoints, index: number, step: -1 | 1): number | undefined {
  for (let i = index + step; i >= 0 && i < values.length; i += step) if (!Number.isNaN(values[i]!)) return i;
  return undefined;
}
