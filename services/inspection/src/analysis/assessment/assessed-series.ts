import { ServiceError } from '@sinebar/contracts';
import type { Session } from '@sinebar/database';
import type { Grouping } from '@sinebar/statistics';
import { mapInTurns } from '../../shared/turns.ts';
import { indexLimitsOf, statusLimitsOf } from '../analysed-characteristic.ts';
import { valueSelection, type ValueSelectionQuery } from '../analysis-parameters.ts';
import type { AssessedValues, EarlierModel } from '../calculations/tasks.ts';
import { findIds, tooManyValues, type ReadingOptions } from '../characteristic-values.ts';
import { readSets } from '../figures/part-sets.ts';
import { readSelectedRows } from '../figures/selected-figures.ts';
import { wantedColumns, wantedPositions } from '../figures/wanted-positions.ts';
import { stageRanges } from '../request/stage-ranges.ts';
import { readChartedValues } from './charted-values.ts';
import type { AssessedCharacteristic } from './assessed-characteristics.ts';

/** Values of a characteristic, oldest first. */
export interface AssessedSeries {
  assessed: AssessedCharacteristic;
  /** NaN for a missing one; a gap of single values, however long, is one NaN. */
  values: Float64Array;
  grouping?: Grouping;
  /** Milliseconds since 1970, NaN without a time; id of the measurement. */
  timeAt: (index: number) => number;
  idAt: (index: number) => number;
}

type SeriesReading = Omit<ReadingOptions, 'excluded' | 'selection'> & { caseSensitive: boolean };

/** The confidence of the intervals by which processes are judged. */
const CONFIDENCE = 0.95;

/**
 * Reads the values of characteristics of one part: single values in one pass, subgroups of each characteristic by themselves.
 * @throws ServiceError 400 for more than `maxValues`
 */
export async function readAssessedSeries(
  session: Session,
  assessed: readonly AssessedCharacteristic[],
  query: ValueSelectionQuery,
  reading: SeriesReading,
): Promise<AssessedSeries[]> {
  const singles = assessed.filter(({ request }) => request.chart.type === 'individuals');
  const series = new Map<AssessedCharacteristic, AssessedSeries>();
  for (const one of await readSingles(session, singles, query, reading)) series.set(one.assessed, one);
  for (const each of assessed) {
    if (series.has(each)) continue;
    const { characteristic, request, excluded } = each;
    const selection = valueSelection(characteristic.part.uuid, query, reading.caseSensitive);
    const { values, grouping, times, ids } = await readChartedValues(session, characteristic, query, request, {
      ...reading,
      selection,
      excluded,
    });
    series.set(each, {
      assessed: each,
      values,
      ...(grouping && { grouping }),
      timeAt: (index) => times[index]!,
      idAt: (index) => ids[index]!,
    });
  }
  return assessed.map((each) => series.get(each)!);
}

interface SingleValues {
  assessed: AssessedCharacteristic;
  /** The newest first, with the index of their measurements. */
  values: number[];
  rows: number[];
  endsInGap: boolean;
}

async function readSingles(
  session: Session,
  assessed: readonly AssessedCharacteristic[],
  query: ValueSelectionQuery,
  { readable, configuration, exclude, maxValues, caseSensitive }: SeriesReading,
): Promise<AssessedSeries[]> {
  const [first] = assessed;
  if (!first) return [];
  const { part } = first.characteristic;
  const wanted = new Map(
    assessed.map((each): [number, SingleValues] => [each.characteristic.id, { assessed: each, values: [], rows: [], endsInGap: false }]),
  );
  const sets = new Map((await readSets(session, [part.id])).map((set) => [set.id, wantedPositions(set, wanted)]));
  const columns = wantedColumns([...sets]);
  const excluded = await findIds(session, exclude);
  const [times, ids]: [number[], number[]] = [[], []];
  const reading = {
    selection: valueSelection(part.uuid, query, caseSensitive),
    readable,
    configuration,
    exclude,
    maxValues,
  };
  let count = 0;
  if (columns !== undefined) {
    await readSelectedRows(session, part.id, reading, columns, (row) => {
      if (excluded.has(row.id)) return;
      const { first: from, wanted: positions } = sets.get(row.setId)!;
      for (const { entry, position } of positions) {
        if (entry.assessed.excluded.has(row.id)) continue;
        const value = row.valueAt(position - from);
        const isMissing = Number.isNaN(value);
        // Measurements of few characteristics must not cost memory for all the others.
        if (isMissing && entry.endsInGap) continue;
        entry.endsInGap = isMissing;
        entry.values.push(value);
        entry.rows.push(times.length);
      }
      count += positions.length;
      if (count > maxValues) throw new ServiceError('InvalidRequest', tooManyValues(maxValues));
      times.push(row.time);
      ids.push(row.id);
    });
  }
  return mapInTurns(wanted.values(), ({ assessed: each, values, rows }) => {
    const rowAt = (index: number) => rows[rows.length - 1 - index]!;
    return {
      assessed: each,
      values: Float64Array.from(values).reverse(),
      timeAt: (index: number) => times[rowAt(index)]!,
      idAt: (index: number) => ids[rowAt(index)]!,
    };
  });
}

/** Makes the task of a series; it takes the values along. */
export function assessmentTask({ assessed, values, grouping, timeAt }: AssessedSeries, earlier?: EarlierModel): AssessedValues {
  const { characteristic, request, required } = assessed;
  const times = request.stages.length === 0 ? new Float64Array(values.length) : Float64Array.from(values, (_, i) => timeAt(i));
  const { baseline, start: stageStart } = stageRanges(times, {}, request.stages).at(-1)!;
  return {
    values,
    ...(grouping && { grouping }),
    baseline,
    stageStart,
    areCounts: request.counts !== undefined,
    chart: request.chart,
    statusLimits: statusLimitsOf(characteristic.limits),
    limits: indexLimitsOf(characteristic.limits),
    convention: 'aiagVda',
    confidence: CONFIDENCE,
    requiredCapability: required,
    model: request.model,
    modelRequestedBy: 'evaluation',
    ...(earlier && { earlier }),
  };
}
