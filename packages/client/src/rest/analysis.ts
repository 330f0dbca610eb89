import type {
  CharacteristicGroups,
  CharacteristicSeries,
  CharacteristicSummary,
  CorrelationAnswer,
  Evaluation,
  EvaluationHistory,
  EvaluationList,
  EvaluationModel,
  EvaluationState,
  NowStatus,
  PartChanges,
  PartChildren,
  PartOverview,
  PartStatuses,
  PlantSettings,
  PlantSettingsState,
  ProbabilityPlotAnswer,
  ProcessStatus,
  ShiftOfTime,
} from '@sinebar/contracts';
import { segment, type QueryValue } from '../http/query-text.ts';
import type { RequestOptions, RestConnection } from '../http/rest-connection.ts';

/** Selects the values that figures are computed from; all conditions have to be met. */
export interface ValueSelection extends RequestOptions {
  /** Time of measurement (attribute 4), the earliest and the one before which all are. */
  from?: Date | string;
  to?: Date | string;
  /** `<attribute key><operator>[<value>]`, joined by `+`. */
  searchCondition?: string;
  caseSensitive?: boolean;
  fromModificationDate?: Date | string;
  toModificationDate?: Date | string;
  aggregation?: 'Measurements' | 'AggregationMeasurements' | 'All';
  /** Only the newest measurements, this many at most. */
  limitResult?: number;
  /** Uuids of measurements to leave out. */
  exclude?: readonly string[];
}

/** Chooses a control chart. */
export interface ChartChoice {
  /** Consecutive measurements that belong together, 1 to 500. */
  subgroup?: number;
  /** Key of a measurement attribute: consecutive measurements with the same value of it belong together. */
  subgroupBy?: number;
  /** The last five are of characteristics that count. */
  chart?: 'individuals' | 'xbarR' | 'xbarS' | 'ewma' | 'cusum' | 'p' | 'np' | 'c' | 'u' | 'laneyP';
  sigma?: 'movingRange' | 'medianMovingRange' | 'rbar' | 'sbar' | 'pooled';
  /** Such as `nelson1`, or `nelson2:7` for seven points; `nelson` and `westernElectric` stand for all of theirs. */
  rules?: readonly string[];
  /** Control limits follow only from values from here on, or before there. */
  baselineFrom?: Date | string;
  baselineTo?: Date | string;
  convention?: 'aiagVda' | 'minitab';
}

/** Chooses the model of values, and what intervals hold. */
export interface ModelOptions {
  /** By default `auto`; `gamma`, `foldedNormal` and `rayleigh` need a natural boundary. */
  model?: EvaluationModel;
  /** Probability with which an interval holds the true figure; by default 0.95. */
  confidence?: number;
  /** Share of all values that the tolerance interval holds; by default 0.99. */
  content?: number;
}

/** One page of an overview, and its order: worst first, smallest Ppk first, or by name; by default that of the plan. */
export interface OverviewPage {
  order?: 'status' | 'ppk' | 'name';
  /** Only characteristics with one of these statuses of the newest value, where any is named, and one of these of the process. */
  statuses?: readonly (NowStatus | 'outOfTolerance' | ProcessStatus)[];
  /** Only characteristics whose name has this text in it, in any case. */
  find?: string;
  offset?: number;
  /** 1 to 500; by default 100. */
  limit?: number;
}

/** One page of changes: those of this time or later, and before another one. */
export interface ChangesPage extends RequestOptions {
  from?: Date | string;
  to?: Date | string;
  offset?: number;
  /** 1 to 500; by default 100. */
  limit?: number;
}

/** Levels below the part that are included; by default all. */
export interface Levels {
  depth?: number;
}

/** Chooses what a series sends; limits and broken rules follow from all selected values. */
export interface ShownPoints {
  /** Most entries. */
  points?: number;
  /** Time of the first point that is sent, and the one before which all are. */
  shownFrom?: Date | string;
  shownTo?: Date | string;
  /** Newest single values to send beside the others. */
  newest?: number;
}

/** By what values are grouped: the key of a measurement attribute, or shift, day or week as the settings of the plant tell them. */
export type GroupedBy = number | 'shift' | 'day' | 'week';

const PARTS = '/analysisServiceRest/parts';
const CHARACTERISTICS = '/analysisServiceRest/characteristics';
const SETTINGS = '/analysisServiceRest/settings';

/** A characteristic, or the part for which and below which something holds. */
export type EvaluatedItem = { characteristicUuid: string } | { partUuid: string };

/** Own state of an evaluation; the server sets user and time of exclusions. */
export type WrittenEvaluation = Omit<EvaluationState, 'exclusions'> & {
  exclusions?: readonly { measurementUuid: string; reason: string }[];
};

function evaluationPath(item: EvaluatedItem): string {
  const path = 'partUuid' in item ? `${PARTS}/${segment(item.partUuid)}` : `${CHARACTERISTICS}/${segment(item.characteristicUuid)}`;
  return `${path}/evaluation`;
}

/** Figures of measured values, which the server computes. */
export class Analysis {
  private readonly connection: RestConnection;

  constructor(connection: RestConnection) {
    this.connection = connection;
  }

  /** Reads location, spread, control limits, capability by a fitted model, and normality. @throws SinebarError 404 */
  summary(
    characteristicUuid: string,
    { signal, ...query }: ValueSelection & ChartChoice & ModelOptions = {},
  ): Promise<CharacteristicSummary> {
    return this.read(`${CHARACTERISTICS}/${segment(characteristicUuid)}/summary`, query, signal);
  }

  /**
   * Reads the values over time, at most `points` entries, with their control chart.
   * @param selection with `by` each point names its group
   * @throws SinebarError 404
   */
  series(
    characteristicUuid: string,
    { signal, ...query }: ValueSelection & ChartChoice & ShownPoints & Pick<ModelOptions, 'model'> & { by?: GroupedBy } = {},
  ): Promise<CharacteristicSeries> {
    return this.read(`${CHARACTERISTICS}/${segment(characteristicUuid)}/series`, query, signal);
  }

  /** Reads the figures of groups of values, and tests whether they differ. @throws SinebarError 400, 404 */
  groups(
    characteristicUuid: string,
    { signal, ...query }: ValueSelection & Pick<ModelOptions, 'model' | 'confidence'> & { by: GroupedBy },
  ): Promise<CharacteristicGroups> {
    return this.read(`${CHARACTERISTICS}/${segment(characteristicUuid)}/groups`, query, signal);
  }

  /** Reads the normal probability plot. @throws SinebarError 404 */
  probability(characteristicUuid: string, { signal, ...query }: ValueSelection & { points?: number } = {}): Promise<ProbabilityPlotAnswer> {
    return this.read(`${CHARACTERISTICS}/${segment(characteristicUuid)}/probability`, query, signal);
  }

  /** Reads how two characteristics vary together, the first one as x. @throws SinebarError 404 */
  correlation(
    first: string,
    second: string,
    { signal, ...query }: ValueSelection & { confidence?: number } = {},
  ): Promise<CorrelationAnswer> {
    return this.read('/analysisServiceRest/correlation', { ...query, characteristicUuids: [first, second] }, signal);
  }

  /** Reads one page of the figures of the characteristics below a part. @throws SinebarError 404 */
  overview(partUuid: string, { signal, ...query }: ValueSelection & Levels & OverviewPage = {}): Promise<PartOverview> {
    return this.read(`${PARTS}/${segment(partUuid)}/overview`, query, signal);
  }

  /**
   * Reads the direct children of a part with the statuses at and below each.
   * @param selection with `limit` the first children only
   * @throws SinebarError 404
   */
  children(partUuid: string, { signal, ...query }: ValueSelection & { limit?: number } = {}): Promise<PartChildren> {
    return this.read(`${PARTS}/${segment(partUuid)}/children`, query, signal);
  }

  /** Reads both statuses and Ppk of every characteristic below a part, in plan order. @throws SinebarError 404 */
  statuses(partUuid: string, { signal, ...query }: ValueSelection & Levels = {}): Promise<PartStatuses> {
    return this.read(`${PARTS}/${segment(partUuid)}/statuses`, query, signal);
  }

  /** Reads one page of the changes of both statuses of the characteristics below a part, the newest first. @throws SinebarError 404 */
  changes(partUuid: string, { signal, ...query }: ChangesPage = {}): Promise<PartChanges> {
    return this.read(`${PARTS}/${segment(partUuid)}/changes`, query, signal);
  }

  /**
   * Reads how a characteristic is evaluated, or by default those below a part.
   * @returns `etag` is a condition for changes
   * @throws SinebarError 404
   */
  async evaluation(item: EvaluatedItem, { signal }: RequestOptions = {}): Promise<Evaluation & { etag: string }> {
    const response = await this.connection.answer({ method: 'GET', path: evaluationPath(item), ...(signal && { signal }) });
    return { ...((await response.json()) as Evaluation), etag: response.headers.get('etag') ?? '' };
  }

  /**
   * Replaces what the item says itself about its evaluation.
   * @param options.etag of the evaluation that was read: refuses to overwrite the change of another
   * @throws SinebarError 400, 404; 412 when another has changed it
   */
  putEvaluation(
    item: EvaluatedItem,
    state: WrittenEvaluation,
    { reason, etag, signal }: RequestOptions & { reason: string; etag?: string },
  ): Promise<void> {
    return this.connection.done({
      method: 'PUT',
      path: evaluationPath(item),
      json: { ...state, reason },
      ...(etag !== undefined && { headers: { 'If-Match': etag } }),
      ...(signal && { signal }),
    });
  }

  /** Removes what the item says itself about its evaluation; the history stays. @throws SinebarError 404, 412 */
  deleteEvaluation(item: EvaluatedItem, { reason, etag, signal }: RequestOptions & { reason: string; etag?: string }): Promise<void> {
    return this.connection.done({
      method: 'DELETE',
      path: evaluationPath(item),
      query: { reason },
      ...(etag !== undefined && { headers: { 'If-Match': etag } }),
      ...(signal && { signal }),
    });
  }

  /** Reads the changes of the evaluation of an item, the newest first. @throws SinebarError 404 */
  evaluationHistory(item: EvaluatedItem, { signal }: RequestOptions = {}): Promise<EvaluationHistory> {
    return this.read(`${evaluationPath(item)}/history`, {}, signal);
  }

  /** Lists what a part and the items below it say about their evaluation, parents before children. @throws SinebarError 404 */
  evaluations(partUuid: string, { signal }: RequestOptions = {}): Promise<EvaluationList> {
    return this.read(`${PARTS}/${segment(partUuid)}/evaluations`, {}, signal);
  }

  /** Reads zone, shifts and required value of the plant. @returns `etag` is a condition for changes */
  async settings({ signal }: RequestOptions = {}): Promise<PlantSettings & { etag: string }> {
    const response = await this.connection.answer({ method: 'GET', path: SETTINGS, ...(signal && { signal }) });
    return { ...((await response.json()) as PlantSettings), etag: response.headers.get('etag') ?? '' };
  }

  /** Replaces the settings of the plant. @throws SinebarError 400; 412 when another has changed them */
  putSettings(state: PlantSettingsState, { reason, etag, signal }: RequestOptions & { reason: string; etag?: string }): Promise<void> {
    return this.connection.done({
      method: 'PUT',
      path: SETTINGS,
      json: { ...state, reason },
      ...(etag !== undefined && { headers: { 'If-Match': etag } }),
      ...(signal && { signal }),
    });
  }

  /** Tells shift, day and week of a time. */
  shift(time: Date | string, { signal }: RequestOptions = {}): Promise<ShiftOfTime> {
    return this.read(`${SETTINGS}/shift`, { time }, signal);
  }

  private read<T>(path: string, query: Readonly<Record<string, QueryValue>>, signal: AbortSignal | undefined): Promise<T> {
    return this.connection.json({ method: 'GET', path, query, ...(signal && { signal }) });
  }
}
