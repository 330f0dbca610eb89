import type {
  Alarm,
  CharacteristicLimits,
  CharacteristicSeries,
  CharacteristicSummary,
  ModelName,
  Note,
  NowStatus,
  PartOverview,
  ProcessStatus,
  Stamp,
} from '@sinebar/contracts';
import type { Language } from '@sinebar/charts';

/** The part that a report is about. */
export interface ReportPart {
  readonly uuid: string;
  /** Names below each other, the last one is its own. */
  readonly names: readonly string[];
  /** Texts by the key of the attribute; of a catalog the text of the entry. */
  readonly attributes: Readonly<Record<number, string>>;
}

/** A row of a table of characteristics. */
export interface ReportCharacteristic {
  readonly uuid: string;
  /** Name with those above it below the part of the report: `Frame / Bore 3`. */
  readonly name: string;
  readonly attributes: Readonly<Record<number, string>>;
  readonly limits: CharacteristicLimits;
  readonly count: number;
  readonly last?: PartOverview['characteristics'][number]['last'];
  readonly mean?: number;
  readonly standardDeviation?: number;
  readonly overall?: { readonly p?: number; readonly pk?: number };
  readonly within?: { readonly p?: number; readonly pk?: number };
  readonly model?: ModelName;
  readonly now: NowStatus;
  readonly process: ProcessStatus;
  readonly sparkline: readonly number[];
  /** Value of the measurement of the report, as it was written. */
  readonly value?: string;
}

/** A characteristic of the Pareto chart. */
export interface UrgentCharacteristic extends ReportCharacteristic {
  /** Values of the period that are out of tolerance. */
  readonly outOfTolerance: number;
}

/** A characteristic with all that its own page shows. */
export interface ReportDetail {
  readonly characteristic: ReportCharacteristic;
  readonly summary: CharacteristicSummary;
  readonly series: CharacteristicSeries;
  readonly notes: readonly Note[];
  readonly alarms: readonly Alarm[];
}

/** Texts that are typed once for a part, since no attribute holds them, by the names of `FIRST_ARTICLE_FIELDS`. */
export type FirstArticleFields = Readonly<Record<string, string>>;

/** A balloon on the drawing. */
export interface ReportBalloon {
  readonly stamp: Stamp;
  readonly number: string;
  readonly now: NowStatus;
}

/** The drawing of the part. */
export interface ReportDrawing {
  /** Name of its file. */
  readonly name: string;
  /** PNG or JPEG; either it or `page` or a `problem` is there. */
  readonly image?: Uint8Array;
  /** PDF of one page, whose only content is one form. */
  readonly page?: Uint8Array;
  /** `unavailable`: files could not be read at this time. */
  readonly problem?: 'pixels' | 'size' | 'encrypted' | 'unreadable' | 'unavailable';
  readonly balloons: readonly ReportBalloon[];
}

/** Content of a report. The long lists are read while the report is written. */
export interface ReportContent {
  readonly part: ReportPart;
  /** Names of attributes by their keys, in the language of the server. */
  readonly attributeNames: Readonly<Record<number, string>>;
  /** Number of `characteristics`. */
  readonly total: number;
  readonly characteristics: AsyncIterable<ReportCharacteristic>;
  /** Characteristics with pages of their own, the most urgent first. */
  readonly details: AsyncIterable<ReportDetail>;
  /** Counts by the status of the process and of the newest value. */
  readonly totals: PartOverview['totals'];
  /** The most urgent characteristics, for the Pareto chart. */
  readonly worst: readonly UrgentCharacteristic[];
  readonly measurement?: { readonly time?: string; readonly attributes: Readonly<Record<number, string>> };
  readonly alarmTotal: number;
  readonly alarms: AsyncIterable<Alarm>;
  readonly firstArticle: FirstArticleFields;
  /** Absent where the part has none, or the reader may not read files. */
  readonly drawing?: ReportDrawing;
  /** Whether the reader may see everything that the report is about. */
  readonly isWhole: boolean;
}

/** Options of a report that is written. */
export interface ReportRequest {
  /** Text of the template, as YAML. */
  readonly template: string;
  readonly language: Language;
  /** ISO 8601; `to` is also the date of creation of the file, so that the same report has the same bytes. */
  readonly from?: string;
  readonly to: string;
  readonly author: string;
  /** PNG or JPEG. */
  readonly logo?: Uint8Array;
}
