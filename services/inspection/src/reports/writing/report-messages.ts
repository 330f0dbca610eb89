import type { Alarm, ReportFormat } from '@sinebar/contracts';
import type { ReportCharacteristic, ReportContent, ReportDetail, ReportRequest } from '@sinebar/report';

/** Lists that the process asks for while it writes. */
export interface ReportRows {
  characteristics: ReportCharacteristic;
  details: ReportDetail;
  alarms: Alarm;
}
export type RowsName = keyof ReportRows;

/** Content of a report without the lists that are read while it is written. */
export type ReportHead = Omit<ReportContent, RowsName>;

/** Begins a report. */
export interface ReportJob {
  readonly request: ReportRequest;
  readonly head: ReportHead;
  readonly format: ReportFormat;
}

/** A message to the process. */
export type ToProcess = ReportJob | { readonly rows: readonly unknown[]; readonly isLast: boolean };

/** A message of the process. */
export type FromProcess = { readonly next: RowsName } | { readonly pages: number } | { readonly failed: string };
