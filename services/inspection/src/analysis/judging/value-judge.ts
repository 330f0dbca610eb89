import { PathScope } from '@sinebar/access-control';
import type { Session } from '@sinebar/database';
import { isLimitRule } from '@sinebar/statistics';
import type { Configuration } from '../../configuration/configuration.ts';
import { ruleOf } from '../../configuration/attribute-values.ts';
import { mapInTurns } from '../../shared/turns.ts';
import { indexLimitsOf } from '../analysed-characteristic.ts';
import { valueSelection } from '../analysis-parameters.ts';
import { EVERYTHING, type AssessedCharacteristic } from '../assessment/assessed-characteristics.ts';
import { readAssessedSeries } from '../assessment/assessed-series.ts';
import type { Calculator } from '../calculations/calculator.ts';
import type { BrokenRule, JudgedSeries } from '../calculations/tasks.ts';
import { firstTimeFrom, readIdentifiedValues, SAMPLE_SIZE_KEY } from '../characteristic-values.ts';
import type { PartSet } from '../figures/part-figures.ts';
import { readKeptModels } from '../kept/kept-assessment-store.ts';
import { readTotals } from '../kept/kept-figures-store.ts';
import { MIN_POINTS, readKeptLimits, type KeptLimits } from '../kept/kept-limits.ts';
import { earlierModel } from '../kept/kept-models.ts';
import { withoutMissing } from '../request/measured-values.ts';
import { stageRanges } from '../request/stage-ranges.ts';
import { sortKeyBefore, sortKeyBehind, sortKeyOf } from './alarm-changes.ts';
import type { ChangedMeasurements } from './changed-measurements.ts';
import {
  completeGroups,
  cutWindow,
  implausibleHits,
  ruleTracks,
  toleranceHits,
  trackOf,
  type JudgedCharacteristic,
  type JudgedPoints,
} from './judged-points.ts';
import { readWindow, type WindowSeries } from './judged-window.ts';

/** Measurements that are read before and behind those that changed: rules look at 30 points at most. */
const CONTEXT = 40;
const MAX_CONTEXT = 1100;

export interface Judging {
  session: Session;
  configuration: Configuration;
  calculator: Calculator;
  signal: AbortSignal;
  partId: number;
  sets: readonly PartSet[];
  changed: ChangedMeasurements;
}

/** Series whose rules are judged, and what turns the findings into tracks. */
interface RuleWork {
  judged: JudgedCharacteristic;
  points: JudgedPoints;
  item: JudgedSeries;
}

/** Judges the changed values of characteristics. @param contexts points that are needed before the changed ones, by characteristic */
export async function judgeCharacteristics(
  judging: Judging,
  assessed: readonly AssessedCharacteristic[],
  contexts: ReadonlyMap<number, number>,
): Promise<JudgedCharacteristic[]> {
  const { session, changed } = judging;
  const isChanged = (id: number) => changed.writtenAt.has(id);
  const ids = assessed.map(({ characteristic }) => characteristic.id);
  const kept = await readKeptLimits(session, ids);
  const series = await readSeries(judging, assessed, kept, contexts);
  const works: RuleWork[] = [];
  const whole: JudgedCharacteristic[] = [];
  const judged = await mapInTurns(series, ({ one, ...how }) => {
    const points = pointsOf(one);
    const implausible = implausibleHits(one.values, one.assessed);
    // A value that is a mistake of the measurement is missing for everything else.
    const plausible = withoutImplausible(one.values, one.assessed);
    const result: JudgedCharacteristic = {
      assessed: one.assessed,
      values: points,
      tracks: [
        trackOf({ kind: 'plausibility', rule: '', chart: '' }, points, implausible, isChanged),
        trackOf(
          { kind: 'tolerance', rule: '', chart: '' },
          { ...points, values: plausible },
          toleranceHits(plausible, one.assessed),
          isChanged,
        ),
      ],
    };
    const item = windowItem({ one: { ...one, values: plausible }, ...how }, kept.get(one.assessed.characteristic.id), isChanged);
    if (item === 'whole') whole.push(result);
    else if (item) works.push({ judged: result, points: { ...points, values: plausible }, item });
    return result;
  });
  await addRules(judging, works);
  await judgeWhole(judging, whole);
  return judged;
}

function pointsOf({ values, timeAt, idAt }: WindowSeries): JudgedPoints {
  return { values, timeAt, idAt };
}

/** Values of a window. */
interface ReadSeries {
  one: WindowSeries;
  /** Whether there are no earlier values. */
  isFromStart: boolean;
  /** Whether the window begins with a group. */
  isGrouped: boolean;
}

/** Reads the values around the changed ones, those in groups from a known beginning on. */
async function readSeries(
  { session, partId, sets, changed }: Judging,
  assessed: readonly AssessedCharacteristic[],
  kept: ReadonlyMap<number, KeptLimits>,
  contexts: ReadonlyMap<number, number>,
): Promise<ReadSeries[]> {
  const wanted = assessed.map((each) => contexts.get(each.characteristic.id) ?? 0);
  const start = await sortKeyBefore(session, partId, changed.first, Math.min(Math.max(CONTEXT, ...wanted), MAX_CONTEXT));
  const groupStartOf = (each: AssessedCharacteristic) => {
    const limits = kept.get(each.characteristic.id);
    return sizeOf(each) > 1 && limits?.basis === each.basis ? limits.groupStart : undefined;
  };
  const found: ReadSeries[] = [];
  for (const alike of Map.groupBy(assessed, (each) => `${sizeOf(each)} ${groupStartOf(each)}`).values()) {
    const groupStart = groupStartOf(alike[0]!);
    const from = groupStart === undefined ? undefined : await sortKeyOf(session, groupStart, changed.first);
    const characteristics = alike.map((each) => ({ assessed: each, ...(from && { groupStart }) }));
    const end = await sortKeyBehind(session, partId, changed.last, CONTEXT * (from ? sizeOf(alike[0]!) : 1));
    for (const one of await readWindow(session, characteristics, { partId, start: from ?? start, end }, sets)) {
      found.push({ one, isFromStart: !from && start === undefined, isGrouped: from !== undefined });
    }
  }
  return found;
}

/** Size of the subgroups that are cut by counting; 1 for single values. */
function sizeOf({ request: { chart, counts } }: AssessedCharacteristic): number {
  return counts || chart.subgroupBy !== undefined || chart.type === 'individuals' ? 1 : chart.subgroupSize;
}

/**
 * Makes what judges a window by limits that are known.
 * @returns `whole` where all values are needed; undefined where nothing is judged
 */
function windowItem(
  { one, isFromStart, isGrouped }: ReadSeries,
  kept: KeptLimits | undefined,
  isChanged: (id: number) => boolean,
): JudgedSeries | 'whole' | undefined {
  const { assessed, values, idAt } = one;
  const { chart, counts, stages, model } = assessed.request;
  if (chart.rules.length === 0 && !chart.memory) return undefined;
  const areSingle = chart.type === 'individuals';
  if (counts || chart.memory || areSingle === isGrouped) return 'whole';
  const current = kept?.basis === assessed.basis ? kept : undefined;
  if (!chart.given) {
    if (!current) return 'whole';
    const isFixed = stages.at(-1)?.limits.kind === 'baseline';
    if (current.points < MIN_POINTS) return isFixed || current.points + values.length < MIN_POINTS ? undefined : 'whole';
    if (!current.control) return undefined;
    const isScored = current.control.type === 'individuals' && current.control.model !== undefined;
    if (isScored && chart.rules.some(({ rule }) => !isLimitRule(rule))) return 'whole';
  }
  const times = timesOf(one);
  const stageTimes = stages.flatMap(({ from }) => (from === undefined ? [] : [firstTimeFrom(times, Date.parse(from))]));
  const grouping = isGrouped ? cutWindow(values, chart.subgroupSize, chart.ofValues === true, stageTimes) : undefined;
  const longest = Math.max(...chart.rules.map(({ length }) => length));
  const first = values.findIndex((_, index) => isChanged(idAt(index)));
  const before = grouping ? grouping.starts.findLastIndex((start) => start <= first) : first;
  if (first >= 0 && before < longest - 1 && !isFromStart) return 'whole';
  const { start, baseline } = stageRanges(times, {}, stages).at(-1)!;
  return {
    // The calculator takes the values along.
    values: values.slice(),
    ...(grouping && { grouping }),
    baseline,
    stageStart: start,
    chart,
    model: { limits: indexLimitsOf(assessed.characteristic.limits), request: model },
    control: chart.given ? undefined : current?.control,
  };
}

function timesOf({ values, timeAt }: Pick<WindowSeries, 'values' | 'timeAt'>): Float64Array {
  return Float64Array.from(values, (_, index) => timeAt(index));
}

/** Judges rules, and adds what was found. */
async function addRules({ calculator, signal, changed }: Judging, all: readonly RuleWork[]): Promise<void> {
  const works = all.filter(({ item }) => mayHaveLimits(item));
  if (works.length === 0) return;
  const groupings = works.map(({ item: { grouping } }) => grouping);
  const judgements = await calculator.run<'judgements'>({ kind: 'judgements', items: works.map(({ item }) => item) }, signal);
  for (const [i, { judged, points }] of works.entries()) {
    const { broken, basisCount = Infinity } = judgements[i]!;
    if (broken.length === 0 || basisCount < MIN_POINTS) continue;
    const grouping = groupings[i];
    const { areRangesJudged, request } = judged.assessed;
    const { chart } = request;
    // A group that is not complete yet has too wide limits, and another mean a moment later.
    const end =
      grouping && chart.subgroupBy === undefined
        ? completeGroups(points.values as Float64Array, grouping, chart.ofValues === true)
        : Infinity;
    const isRange = ({ on }: BrokenRule) => on === 'variation' && chart.type === 'individuals';
    const complete = broken.filter((hit) => hit.index < end && (areRangesJudged || !isRange(hit)));
    judged.tracks.push(...ruleTracks(complete, points, grouping, (id) => changed.writtenAt.has(id)));
  }
}

/** Whether limits are known, or can follow from enough points: a model that is fitted to fewer is fitted for nothing. */
function mayHaveLimits({ chart, control, counts, baseline: [start, end] }: JudgedSeries): boolean {
  return control !== undefined || (counts ? counts.given : chart.given) !== undefined || end - start >= MIN_POINTS;
}

/** Values that are read and judged together where all of a characteristic are needed. */
const VALUES_PER_CHUNK = 1_000_000;

/** Judges characteristics with all their values. */
async function judgeWhole(judging: Judging, characteristics: readonly JudgedCharacteristic[]): Promise<void> {
  if (characteristics.length === 0) return;
  const { session, partId } = judging;
  const totals = (await readTotals(session, [partId], 'leading')).get(partId);
  const countOf = (id: number) => totals?.figures.count[totals.ids.indexOf(id)] ?? VALUES_PER_CHUNK / 10;
  let chunk: JudgedCharacteristic[] = [];
  let count = 0;
  for (const judged of characteristics) {
    chunk.push(judged);
    count += countOf(judged.assessed.characteristic.id);
    if (count < VALUES_PER_CHUNK) continue;
    await addRules(judging, await readWhole(judging, chunk));
    [chunk, count] = [[], 0];
  }
  await addRules(judging, await readWhole(judging, chunk));
}

async function readWhole({ session, configuration }: Judging, characteristics: readonly JudgedCharacteristic[]): Promise<RuleWork[]> {
  const reading = { readable: PathScope.EVERYTHING, configuration, exclude: [], maxValues: Infinity, caseSensitive: false };
  const models = await readKeptModels(
    session,
    characteristics.map(({ assessed }) => assessed.characteristic.id),
  );
  const measured = characteristics.filter(({ assessed }) => !assessed.request.counts);
  const series = await readAssessedSeries(
    session,
    measured.map(({ assessed }) => assessed),
    EVERYTHING,
    reading,
  );
  const works = measured.map((judged, i): RuleWork => {
    const { assessed } = judged;
    const { values, grouping, timeAt, idAt } = series[i]!;
    const { request, characteristic, modelBasis } = assessed;
    const plausible = withoutImplausible(values, assessed);
    const { start, baseline } = stageRanges(timesOf({ values, timeAt }), {}, request.stages).at(-1)!;
    const earlier = earlierModel(models.get(characteristic.id), modelBasis, request.model);
    return {
      judged,
      points: { values: plausible.slice(), timeAt, idAt },
      item: {
        values: plausible,
        ...(grouping && { grouping }),
        baseline,
        stageStart: start,
        chart: request.chart,
        model: { limits: indexLimitsOf(characteristic.limits), request: request.model, ...(earlier && { earlier }) },
      },
    };
  });
  for (const judged of characteristics) {
    if (!judged.assessed.request.counts) continue;
    works.push(await readCounts(judged));
  }
  return works;

  async function readCounts(judged: JudgedCharacteristic): Promise<RuleWork> {
    const { request, characteristic, excluded } = judged.assessed;
    const { values, times, ids, sizes } = withoutMissing(
      await readIdentifiedValues(session, characteristic, {
        ...reading,
        selection: valueSelection(characteristic.part.uuid, EVERYTHING, false),
        excluded,
        areSizesRead: ruleOf(configuration, 'value', SAMPLE_SIZE_KEY) !== undefined,
      }),
    );
    const { start, baseline, given } = stageRanges(times, {}, request.stages).at(-1)!;
    return {
      judged,
      points: { values: values.slice(), timeAt: (index) => times[index]!, idAt: (index) => ids[index]! },
      item: {
        values: values.slice(),
        baseline,
        stageStart: start,
        chart: request.chart,
        model: { limits: {}, request: request.model },
        counts: { ...request.counts!, sizes: sizes ?? new Float64Array(values.length).fill(NaN), given },
      },
    };
  }
}

function withoutImplausible(values: Float64Array, assessed: AssessedCharacteristic): Float64Array {
  const plausible = values.slice();
  for (const { index } of implausibleHits(values, assessed)) plausible[index] = NaN;
  return plausible;
}
