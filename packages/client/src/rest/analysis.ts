import type { CharacteristicSeries, CharacteristicSummary, CorrelationAnswer, ProbabilityPlotAnswer } from '@sinebar/contracts';
import { segment, type QueryValue } from '../http/query-text.js';
import type { RequestOptions, RestConnection } from '../http/rest-connection.js';

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
  /** Consecutive values that belong together, 1 to 25. */
  subgroup?: number;
  chart?: 'individuals' | 'xbarR' | 'xbarS';
  sigma?: 'movingRange' | 'medianMovingRange' | 'rbar' | 'sbar' | 'pooled';
  /** Such as `nelson1`; `nelson` and `westernElectric` stand for all of theirs. */
  rules?: readonly string[];
  /** Control limits follow only from values from here on, or before there. */
  baselineFrom?: Date | string;
  baselineTo?: Date | string;
  convention?: 'aiagVda' | 'minitab';
}

const CHARACTERISTICS = '/analysisServiceRest/characteristics';

/** Figures of measured values, which the server computes. */
export class Analysis {
  private readonly connection: RestConnection;

  constructor(connection: RestConnection) {
    this.connection = connection;
  }

  /** Reads location, spread, control limits, capability and normality. @throws SinebarError 404 */
  summary(
    characteristicUuid: string,
    { signal, ...query }: ValueSelection & ChartChoice & { confidence?: number } = {},
  ): Promise<CharacteristicSummary> {
    return this.read(`${CHARACTERISTICS}/${segment(characteristicUuid)}/summary`, query, signal);
  }

  /** Reads the values over time, at most `points` entries, with their control chart. @throws SinebarError 404 */
  series(
    characteristicUuid: string,
    { signal, ...query }: ValueSelection & ChartChoice & { points?: number } = {},
  ): Promise<CharacteristicSeries> {
    return this.read(`${CHARACTERISTICS}/${segment(characteristicUuid)}/series`, query, signal);
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

  private read<T>(path: string, query: Readonly<Record<string, QueryValue>>, signal: AbortSignal | undefined): Promise<T> {
    return this.connection.json({ method: 'GET', path, query, ...(signal && { signal }) });
  }
}
