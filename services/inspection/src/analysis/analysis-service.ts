import { ServiceError, type CharacteristicSeries, type CharacteristicSummary } from '@sinebar/contracts';
import type { Reply } from '@sinebar/http';
import type { Since, Stability } from '@sinebar/statistics';
import { indexLimitsOf, statusLimitsOf, type AnalysedCharacteristic } from './analysed-characteristic.ts';
import type { AnalysisReader } from './analysis-queue.ts';
import { checkModel, type ChartQuery, type ModelQuery, type SeriesQuery, type ValueSelectionQuery } from './analysis-parameters.ts';
import { readChartedValues, type ChartedValues } from './assessment/charted-values.ts';
import { Calculator } from './calculations/calculator.ts';
import type { CountRequest } from './calculations/tasks.ts';
import { isoTimeOf, measurementUuids, readPairs, readValues, SAMPLE_SIZE_KEY, type IdentifiedValues } from './characteristic-values.ts';
import { ruleOf } from '../configuration/attribute-values.ts';
import { chartCounts, summarizeCounts } from './counts/count-analysis.ts';
import { isCounting } from '../evaluation/effective-evaluation.ts';
import type { CharacteristicEvaluation } from '../evaluation/evaluation-reader.ts';
import { groupKeysOf, hashedAttributeOf, readGroupNames, readGroupSource, type GroupBy, type GroupSource } from './groups/group-source.ts';
import { isOfAllMeasurements } from './kept/kept-figures.ts';
import { readKeptCharacteristic, type KeptCharacteristic } from './kept/kept-models.ts';
import { CharacteristicReader, type ReadingDependencies } from './request/characteristic-reader.ts';
import { evaluatedRequest, type EvaluatedRequest } from './request/evaluated-request.ts';
import { countMissing, describeBaseline, periodOf, shownStages, withoutMissing } from './request/measured-values.ts';
import { stageRanges } from './request/stage-ranges.ts';
import {
  MAX_LISTED,
  namedMeasurements,
  outlineSeries,
  seriesAnswer,
  shownRange,
  type SeriesGroups,
  type SeriesInput,
  type SeriesOutline,
} from './series.ts';
import { validated } from './validated-answer.ts';

export interface AnalysisDependencies extends ReadingDependencies {
  calculator?: Calculator;
}

/** Readings of a series whose measurements are deleted meanwhile. */
const SERIES_ATTEMPTS = 3;
const BEING_DELETED = 'Measurements of the characteristic are being deleted. Try again in a moment.';
const RETRY_S = 2;

type SummaryQuery = ValueSelectionQuery & ChartQuery & ModelQuery & { confidence: number };
type ChartedQuery = ValueSelectionQuery & ChartQuery & SeriesQuery & { by?: GroupBy | undefined };

/** Values of a chart, with what is computed of them. */
interface ReadChart {
  characteristic: AnalysedCharacteristic;
  measured: ChartedValues;
  evaluation: CharacteristicEvaluation;
  request: EvaluatedRequest;
  /** Absent where a request selects values or a model. */
  kept: KeptCharacteristic | undefined;
  /** Present where points are to be grouped. */
  source?: GroupSource;
}

/** Computes figures from stored values. spec: the analysis interface, version 1.0.0 */
export class AnalysisService {
  private readonly deps: AnalysisDependencies;
  private readonly calculator: Calculator;
  private readonly characteristics: CharacteristicReader;

  constructor(deps: AnalysisDependencies) {
    this.deps = deps;
    this.characteristics = new CharacteristicReader(deps);
    this.calculator = deps.calculator ?? new Calculator();
  }

  /** Answers the figures of one characteristic. @throws ServiceError 400, 403, 404 */
  async summary(uuid: string, query: SummaryQuery, reader: AnalysisReader): Promise<Reply> {
    return validated(await this.readSummary(uuid, query, reader), reader);
  }

  /** Reads the figures of one characteristic. @throws ServiceError 400, 403, 404 */
  async readSummary(uuid: string, query: SummaryQuery, reader: AnalysisReader): Promise<CharacteristicSummary> {
    const read = await this.readChartValues(uuid, query, reader);
    const { characteristic, request, measured } = read;
    const required = requiredCapability(read.evaluation);
    const period = periodOf(measured);
    const { missing } = measured;
    const {
      figures,
      assessment,
      stability,
      judged,
      starts,
      notes: ofFigures,
    } = request.counts
      ? await this.countFigures(read, request.counts, query, reader)
      : await this.measuredFigures(read, query, required.value, reader);
    const reasons = stability && reasonsOf(stability);
    const since = stability?.since && (await this.describeSince(stability.since, judged, starts, reader));
    const notes = [...request.notes, ...ofFigures];
    return {
      characteristicUuid: characteristic.uuid,
      partUuid: characteristic.part.uuid,
      path: characteristic.markedPath,
      missing,
      ...period,
      ...figures,
      limits: characteristic.limits,
      assessment: { ...assessment, ...(reasons && { reasons }), ...(since && { since }), required },
      ...(request.overridden.length > 0 && { overridden: request.overridden }),
      ...(notes.length > 0 && { notes }),
    };
  }

  private async measuredFigures(
    { characteristic, request, measured, kept }: ReadChart,
    query: ChartQuery & ModelQuery & { confidence: number },
    requiredValue: number,
    reader: AnalysisReader,
  ) {
    const limits = indexLimitsOf(characteristic.limits);
    checkModel(query.model, limits);
    const { values, times, grouping } = measured;
    const { baseline, start: stageStart } = stageRanges(times, query, request.stages).at(-1)!;
    const baselineTimes = describeBaseline(measured, baseline);
    // The task takes the values and the groups along.
    const starts = grouping?.starts.slice();
    const { chart, stability, assessment, notes, ...figures } = await this.calculator.run<'summary'>(
      {
        kind: 'summary',
        values,
        ...(grouping && { grouping }),
        baseline,
        stageStart,
        chart: request.chart,
        statusLimits: statusLimitsOf(characteristic.limits),
        limits,
        model: request.model,
        modelRequestedBy: query.model === undefined ? 'evaluation' : 'request',
        earlier: kept?.earlier,
        fittedAt: kept?.fittedAt,
        keptMoments: kept?.moments,
        content: query.content,
        convention: query.convention,
        confidence: query.confidence,
        requiredCapability: requiredValue,
      },
      reader.signal,
    );
    const withChart = { ...figures, ...(chart && { chart: { ...chart, baseline: baselineTimes } }) };
    return { figures: withChart, assessment, stability, judged: measured, starts, notes };
  }

  private async countFigures(
    { characteristic, request, measured }: ReadChart,
    counts: CountRequest,
    query: ChartQuery & { confidence: number },
    { signal }: AnalysisReader,
  ) {
    const judged = withoutMissing(measured);
    const input = { measured: judged, query, stages: request.stages, counts, calculator: this.calculator, signal };
    const statusLimits = statusLimitsOf(characteristic.limits);
    return { ...(await summarizeCounts(input, { statusLimits, confidence: query.confidence })), judged, starts: undefined };
  }

  /**
   * Answers the values of one characteristic over time with their control chart.
   * @throws ServiceError 400, 403, 404, 503 while its measurements are deleted
   */
  async series(uuid: string, query: ChartedQuery, reader: AnalysisReader): Promise<Reply> {
    return validated(await this.readSeries(uuid, query, reader), reader);
  }

  /** Reads the values of one characteristic with their control chart. @throws ServiceError as `series` */
  async readSeries(uuid: string, query: ChartedQuery, reader: AnalysisReader): Promise<CharacteristicSeries> {
    for (let attempt = 1; ; attempt += 1) {
      const outline = await this.outline(uuid, query, reader);
      const named = new Set(namedMeasurements(outline));
      const { groups, measured } = outline;
      const { uuids, names } = await this.deps.database.read(reader, async (session) => ({
        uuids: await measurementUuids(session, named),
        names: groups && (await readGroupNames(session, groups.source, groups.found, measured.ids)),
      }));
      if (uuids.size === named.size && (!groups || names)) return seriesAnswer(outline, uuids, names);
      // Measurements were deleted after they had been read.
      if (attempt === SERIES_ATTEMPTS) throw new ServiceError('Unavailable', BEING_DELETED, { retryAfterSeconds: RETRY_S });
    }
  }

  /** Answers a normal probability plot. @throws ServiceError 400, 403, 404 */
  async probability(uuid: string, query: ValueSelectionQuery & { points: number }, reader: AnalysisReader): Promise<Reply> {
    const measured = await this.characteristics.snapshot(reader, async (session) => {
      const { characteristic, options } = await this.characteristics.read(session, uuid, query, reader);
      return readValues(session, characteristic, options);
    });
    const count = measured.values.length - countMissing(measured.values);
    const { points, line } = await this.calculator.run<'probability'>(
      { kind: 'probability', values: measured.values, points: query.points },
      reader.signal,
    );
    const notes = count === 0 ? ['There are no values.'] : line ? [] : ['There is one value, so there is no line.'];
    return validated({ count, points, ...(line && { line }), ...(notes.length > 0 && { notes }) }, reader);
  }

  /** Answers how two characteristics vary together, in measurements that have both. @throws ServiceError 400, 403, 404 */
  async correlation(
    [firstUuid, secondUuid]: readonly [string, string],
    query: ValueSelectionQuery & { confidence: number },
    reader: AnalysisReader,
  ): Promise<Reply> {
    const { pairs, isOfOnePart } = await this.characteristics.snapshot(reader, async (session) => {
      const first = await this.characteristics.read(session, firstUuid, query, reader);
      const second = await this.characteristics.read(session, secondUuid, query, reader);
      const both = [first.characteristic, second.characteristic] as const;
      const excluded = new Set([...first.options.excluded, ...second.options.excluded]);
      return { pairs: await readPairs(session, both, { ...first.options, excluded }), isOfOnePart: both[0].part.id === both[1].part.id };
    });
    const answer = await this.calculator.run<'correlation'>({ kind: 'correlation', ...pairs, confidence: query.confidence }, reader.signal);
    const notes = answer.pearson
      ? []
      : [
          isOfOnePart
            ? 'There are too few measurements in which both characteristics vary.'
            : 'The characteristics belong to different parts, so no measurement has both.',
        ];
    return validated({ ...answer, ...(notes.length > 0 && { notes }) }, reader);
  }

  close(): Promise<void> {
    return this.calculator.close();
  }

  /** Reads single values, or subgroups that keep their members, as the evaluation and the request say. */
  private readChartValues(
    uuid: string,
    query: ValueSelectionQuery & ChartQuery & Pick<SeriesQuery, 'model'> & { by?: GroupBy | undefined },
    reader: AnalysisReader,
  ): Promise<ReadChart> {
    return this.characteristics.snapshot(reader, async (session) => {
      const { configuration, characteristic, evaluation, options } = await this.characteristics.read(session, uuid, query, reader);
      const hasAttribute = (key: number) => ruleOf(configuration, 'measurement', key) !== undefined;
      const request = evaluatedRequest(query, evaluation, hasAttribute, isCounting(characteristic.numbers));
      const source = query.by === undefined ? undefined : await readGroupSource(session, query.by, configuration);
      const areSizesRead = request.counts !== undefined && ruleOf(configuration, 'value', SAMPLE_SIZE_KEY) !== undefined;
      const measured = await readChartedValues(session, characteristic, query, request, {
        ...options,
        hashedAttribute: hashedAttributeOf(query.by),
        areSizesRead,
        caseSensitive: this.deps.caseSensitive,
      });
      const isWhole = isOfAllMeasurements(options) && query.model === undefined;
      const kept = isWhole ? await readKeptCharacteristic(session, characteristic, request.model) : undefined;
      return { characteristic, evaluation, request, measured, kept, ...(source && { source }) };
    });
  }

  /** Names the measurement at which a process began to differ: of a subgroup the first one. */
  private async describeSince(
    { index, ...since }: Since,
    { times, ids }: IdentifiedValues,
    starts: Uint32Array | undefined,
    reader: AnalysisReader,
  ): Promise<CharacteristicSummary['assessment']['since']> {
    const first = starts ? starts[index]! : index;
    const uuids = await this.deps.database.read(reader, (session) => measurementUuids(session, [ids[first]!]));
    const time = isoTimeOf(times[first]!);
    return { ...since, ...(time !== undefined && { time }), measurementUuid: uuids.get(ids[first]!) ?? '' };
  }

  /** Reads the values and computes their chart, holding no database connection while it waits for a thread. */
  private async outline(
    uuid: string,
    query: ValueSelectionQuery & ChartQuery & SeriesQuery & { by?: GroupBy | undefined },
    reader: AnalysisReader,
  ): Promise<SeriesOutline> {
    const read = await this.readChartValues(uuid, query, reader);
    const { characteristic, request, measured, source } = read;
    const limits = indexLimitsOf(characteristic.limits);
    checkModel(query.model, limits);
    const { grouping } = measured;
    const shownValues = grouping ? measured : withoutMissing(measured);
    const range = shownRange(shownValues.times, query, grouping);
    const charted = request.counts
      ? await this.countedOutline(shownValues, request, query, range.shown, reader)
      : await this.measuredOutline(read, query, range.shown, reader);
    const groups = source && (await this.groupsOf(source, shownValues, reader));
    return outlineSeries({
      measured: shownValues,
      ...charted,
      limits: statusLimitsOf(characteristic.limits),
      points: query.points,
      newest: query.newest,
      ...range,
      overridden: request.overridden,
      notes: request.notes,
      ...(groups && { groups }),
    });
  }

  private async measuredOutline(
    { characteristic, request, measured, kept }: ReadChart,
    query: ChartQuery & SeriesQuery,
    shown: readonly [number, number],
    { signal }: AnalysisReader,
  ): Promise<Pick<SeriesInput, 'chart' | 'stages' | 'result'>> {
    const { grouping } = measured;
    const stages = stageRanges(measured.times, query, request.stages);
    const { baseline, start: stageStart } = stages.at(-1)!;
    const task = {
      kind: 'chart' as const,
      // The values are sent as well, so the task gets a copy of them.
      values: measured.values.slice(),
      ...(grouping && { grouping: { starts: grouping.starts.slice(), sizes: grouping.sizes.slice() } }),
      baseline,
      stageStart,
      chart: request.chart,
      earlierStages: stages.slice(0, -1).map(({ start, end, baseline: of, given }) => ({ start, end, baseline: of, given })),
      model: { limits: indexLimitsOf(characteristic.limits), request: request.model, earlier: kept?.earlier },
      shown,
      // One more than is listed shows that some are left out.
      mostHits: MAX_LISTED + 1,
      mostSubgroups: query.points,
    };
    const result = await this.calculator.run<'chart'>(task, signal);
    const charts = [...result.earlierStages, result.chart].map((figures, i) => ({
      ...(figures && { chart: { ...figures, baseline: describeBaseline(measured, stages[i]!.baseline) } }),
    }));
    return {
      chart: charts.at(-1)!.chart,
      ...(request.stages.length > 0 && { stages: shownStages(stages, measured, charts) }),
      result,
    };
  }

  private async countedOutline(
    measured: IdentifiedValues,
    { counts, stages: ofEvaluation }: EvaluatedRequest,
    query: ChartQuery & SeriesQuery,
    shown: readonly [number, number],
    { signal }: AnalysisReader,
  ): Promise<Pick<SeriesInput, 'chart' | 'stages' | 'result' | 'countChart'>> {
    const input = { measured, query, stages: ofEvaluation, counts: counts!, calculator: this.calculator, signal };
    const { chart, points, stages, ...result } = await chartCounts(input, { shown, mostHits: MAX_LISTED + 1, mostPoints: query.points });
    return {
      chart: undefined,
      countChart: chart && { ...chart, points },
      ...(stages && { stages }),
      result: { ...result, chart: undefined, earlierStages: [], subgroupCount: 0 },
    };
  }

  private async groupsOf(source: GroupSource, measured: IdentifiedValues, { signal }: AnalysisReader): Promise<SeriesGroups> {
    const task = { kind: 'assignment' as const, values: measured.values.slice(), keys: groupKeysOf(source, measured) };
    const { indexes, groups: found } = await this.calculator.run<'assignment'>(task, signal);
    return { source, indexes, found };
  }
}

function requiredCapability({ members, sources, defaults }: CharacteristicEvaluation): CharacteristicSummary['assessment']['required'] {
  const kind = sources.required?.kind;
  return {
    value: members.required,
    source: kind === 'attribute' ? 'attribute' : kind === 'server' ? defaults.requiredSource : 'evaluation',
  };
}

/** @returns undefined where the process is not found unstable */
function reasonsOf({ reasons: { rules, ...reasons } }: Stability): CharacteristicSummary['assessment']['reasons'] {
  const found = { ...reasons, ...(rules && { rules: [...rules] }) };
  return Object.keys(found).length === 0 ? undefined : found;
}
