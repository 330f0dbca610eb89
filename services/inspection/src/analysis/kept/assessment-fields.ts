import { NOW_STATUSES, PROCESS_STATUSES, type NowStatus, type ProcessStatus } from '@sinebar/contracts';
import { MODEL_NAMES, type ModelName, type Percentiles } from '@sinebar/statistics';

/** Fields of a characteristic, in the order in which they are stored. */
const FIELDS = [
  'process',
  'low',
  'median',
  'high',
  'model',
  'outOfNewest',
  'assessedAt',
  'fittedAt',
  'now',
  'basis',
  'count',
  'mean',
  'squares',
  'rangeSum',
  'lastTime',
  'lastId',
] as const;
type Field = (typeof FIELDS)[number];
const INDEX = Object.fromEntries(FIELDS.map((field, index) => [field, index])) as Record<Field, number>;

/** The first fields, which tables show. */
export const SHOWN_FIELDS = INDEX.now;

/** What tables show of the assessment of a characteristic. */
export interface ShownAssessment {
  process: ProcessStatus;
  /** Of a model that is not normal. */
  model?: { name: ModelName; percentiles: Percentiles };
  /** Values out of tolerance among the newest ones. */
  outOfNewest: number;
  /** Milliseconds since 1970. */
  assessedAt: number;
  fittedAt: number;
}

/** The figures of values by which it is seen whether they have changed. */
export interface ValuesState {
  count: number;
  mean: number;
  squares: number;
  rangeSum: number;
  /** The newest measurement with a value. */
  lastTime: number;
  lastId: number;
}

/** What is kept of a characteristic. */
export interface KeptAssessment extends ShownAssessment, ValuesState {
  now: NowStatus;
  /** Changes with what the assessment depends on besides the values. */
  basis: number;
}

/** Assessments of several characteristics, by column. */
export class AssessmentFields {
  readonly columns: number;
  /** All fields one after the other, each with one number per column. */
  readonly data: Float64Array;

  constructor(columns: number, data: Float64Array = new Float64Array(columns * FIELDS.length)) {
    this.columns = columns;
    this.data = data;
  }

  processAt(column: number): ProcessStatus {
    return PROCESS_STATUSES[this.at(column, 'process')]!;
  }

  shownAt(column: number): ShownAssessment {
    const low = this.at(column, 'low');
    // Assignments are several times as fast as spreads; this runs for each of 100,000 characteristics.
    const shown: ShownAssessment = {
      process: this.processAt(column),
      outOfNewest: this.at(column, 'outOfNewest'),
      assessedAt: this.at(column, 'assessedAt'),
      fittedAt: this.at(column, 'fittedAt'),
    };
    if (!Number.isNaN(low)) {
      const percentiles = { low, median: this.at(column, 'median'), high: this.at(column, 'high') };
      shown.model = { name: MODEL_NAMES[this.at(column, 'model')]!, percentiles };
    }
    return shown;
  }

  keptAt(column: number): KeptAssessment {
    const at = (field: Field) => this.at(column, field);
    return {
      ...this.shownAt(column),
      now: NOW_STATUSES[at('now')]!,
      basis: at('basis'),
      count: at('count'),
      mean: at('mean'),
      squares: at('squares'),
      rangeSum: at('rangeSum'),
      lastTime: at('lastTime'),
      lastId: at('lastId'),
    };
  }

  set(column: number, { process, model, now, ...numbers }: KeptAssessment): void {
    const fields = {
      ...numbers,
      process: PROCESS_STATUSES.indexOf(process),
      now: NOW_STATUSES.indexOf(now),
      model: model ? MODEL_NAMES.indexOf(model.name) : NaN,
      low: model?.percentiles.low ?? NaN,
      median: model?.percentiles.median ?? NaN,
      high: model?.percentiles.high ?? NaN,
    };
    for (const [index, field] of FIELDS.entries()) this.data[index * this.columns + column] = fields[field];
  }

  private at(column: number, field: Field): number {
    return this.data[INDEX[field] * this.columns + column]!;
  }
}
