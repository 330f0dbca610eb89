import type { KeptReport, ReportRun, ReportSchedule, ReportTemplate } from '@sinebar/contracts';
import { segment } from '../http/query-text.ts';
import type { RequestOptions, RestConnection } from '../http/rest-connection.ts';

/** Subject of a report. */
export interface ReportSelection {
  /** The part whose characteristics, and those of the parts below it, are in the report. */
  partUuid: string;
  /** Only these characteristics. */
  characteristicUuids?: readonly string[];
  /** The measurement of a protocol. */
  measurementUuid?: string;
}

/** A report to make. */
export interface ReportOrder {
  /** Name of a template. */
  template: string;
  selection: ReportSelection;
  language: 'en' | 'de';
  /** `xlsx`: the first table as an Excel workbook; default: `pdf`. */
  format?: 'pdf' | 'xlsx';
  /** Only values that were measured at this time or later, and before `to`; default: all until now. */
  from?: string;
  to?: string;
  options?: {
    /** Characteristics that get pages of their own; default: as the template says. */
    pages?: 'worst' | 'all' | 'none';
    /** Number of characteristics, the worst first. */
    worst?: number;
  };
}

/** Members of a schedule that its user chooses; absent ones have their defaults. */
export type ReportScheduleContent = Pick<ReportSchedule, 'name' | 'template' | 'selection' | 'when'> &
  Partial<Pick<ReportSchedule, 'language' | 'options' | 'days' | 'receivers' | 'enabled' | 'secret'>>;

const REPORTS = '/reportServiceRest/reports';
const SCHEDULES = '/reportServiceRest/schedules';

/** Reports as PDF, and those that are kept. */
export class Reports {
  private readonly connection: RestConnection;

  constructor(connection: RestConnection) {
    this.connection = connection;
  }

  templates({ signal }: RequestOptions = {}): Promise<ReportTemplate[]> {
    return this.connection.json({ method: 'GET', path: '/reportServiceRest/templates', ...(signal && { signal }) });
  }

  /** Makes a report. @returns the file, whose body has not been read. @throws SinebarError 400, 403, 404, 429, 503 */
  make(order: ReportOrder, { signal }: RequestOptions = {}): Promise<Response> {
    return this.connection.answer({ method: 'POST', path: REPORTS, json: order, ...(signal && { signal }) });
  }

  /** Makes a report in the background and keeps it. @returns its uuid. @throws SinebarError 400, 403, 404, 429, 503 */
  async keep(order: ReportOrder, { signal }: RequestOptions = {}): Promise<string> {
    const json = { ...order, keep: true };
    const { uuid } = await this.connection.json<{ uuid: string }>({ method: 'POST', path: REPORTS, json, ...(signal && { signal }) });
    return uuid;
  }

  /** Lists kept reports, the newest first. */
  list({ limitResult, partUuid, signal }: RequestOptions & { limitResult?: number; partUuid?: string } = {}): Promise<KeptReport[]> {
    return this.connection.json({ method: 'GET', path: REPORTS, query: { limitResult, partUuid }, ...(signal && { signal }) });
  }

  /** @throws SinebarError 404 */
  get(uuid: string, { signal }: RequestOptions = {}): Promise<KeptReport> {
    return this.connection.json({ method: 'GET', path: `${REPORTS}/${segment(uuid)}`, ...(signal && { signal }) });
  }

  /** @returns the PDF of a kept report, whose body has not been read. @throws SinebarError 404 */
  content(uuid: string, { signal }: RequestOptions = {}): Promise<Response> {
    return this.connection.answer({ method: 'GET', path: `${REPORTS}/${segment(uuid)}/content`, ...(signal && { signal }) });
  }

  /** @returns what is typed for the first article inspection of a part; `etag` is a condition for changes. @throws SinebarError 404 */
  async firstArticle(partUuid: string, { signal }: RequestOptions = {}): Promise<{ fields: Record<string, string>; etag: string }> {
    const path = `/reportServiceRest/firstArticle/${segment(partUuid)}`;
    const response = await this.connection.answer({ method: 'GET', path, ...(signal && { signal }) });
    return { fields: (await response.json()) as Record<string, string>, etag: response.headers.get('etag') ?? '' };
  }

  /** Replaces what is typed for the first article inspection of a part. @throws SinebarError 400, 404, 412 */
  setFirstArticle(
    partUuid: string,
    fields: Readonly<Record<string, string>>,
    { etag, signal }: RequestOptions & { etag?: string } = {},
  ): Promise<void> {
    return this.connection.done({
      method: 'PUT',
      path: `/reportServiceRest/firstArticle/${segment(partUuid)}`,
      json: fields,
      ...(etag !== undefined && { headers: { 'If-Match': etag } }),
      ...(signal && { signal }),
    });
  }

  /** Deletes a kept report. @throws SinebarError 404 */
  delete(uuid: string, { signal }: RequestOptions = {}): Promise<void> {
    return this.connection.done({ method: 'DELETE', path: `${REPORTS}/${segment(uuid)}`, ...(signal && { signal }) });
  }

  /** Lists the own schedules, and with `policy:write` those of all users. */
  schedules({ signal }: RequestOptions = {}): Promise<ReportSchedule[]> {
    return this.connection.json({ method: 'GET', path: SCHEDULES, ...(signal && { signal }) });
  }

  /** @returns `etag` is a condition for changes. @throws SinebarError 404 */
  async schedule(uuid: string, { signal }: RequestOptions = {}): Promise<ReportSchedule & { etag: string }> {
    const response = await this.connection.answer({ method: 'GET', path: schedulePath(uuid), ...(signal && { signal }) });
    return { ...((await response.json()) as ReportSchedule), etag: response.headers.get('etag') ?? '' };
  }

  /**
   * @returns the schedule as it is stored; only this answer holds the secret of its webhooks
   * @throws SinebarError 400; 403 for a receiver that the user may not have told; 404 for the part; 409 for a uuid that exists
   */
  createSchedule(schedule: ReportScheduleContent & { uuid?: string }, { signal }: RequestOptions = {}): Promise<ReportSchedule> {
    return this.connection.json({ method: 'POST', path: SCHEDULES, json: schedule, ...(signal && { signal }) });
  }

  /** Replaces everything but the user. @throws SinebarError 400, 403, 404, 412 */
  changeSchedule(
    uuid: string,
    schedule: ReportScheduleContent,
    { etag, signal }: RequestOptions & { etag?: string } = {},
  ): Promise<ReportSchedule> {
    return this.connection.json({
      method: 'PUT',
      path: schedulePath(uuid),
      json: schedule,
      ...(etag !== undefined && { headers: { 'If-Match': etag } }),
      ...(signal && { signal }),
    });
  }

  /** Deletes a schedule; reports that it made stay. @throws SinebarError 404 */
  deleteSchedule(uuid: string, { signal }: RequestOptions = {}): Promise<void> {
    return this.connection.done({ method: 'DELETE', path: schedulePath(uuid), ...(signal && { signal }) });
  }

  /** Lists what a schedule made, the newest first. @throws SinebarError 404 */
  runs(uuid: string, { limitResult, signal }: RequestOptions & { limitResult?: number } = {}): Promise<ReportRun[]> {
    return this.connection.json({ method: 'GET', path: `${schedulePath(uuid)}/runs`, query: { limitResult }, ...(signal && { signal }) });
  }

  /** Makes the report of a schedule now. @returns the uuid of its run. @throws SinebarError 404 */
  async runSchedule(uuid: string, { signal }: RequestOptions = {}): Promise<string> {
    const path = `${schedulePath(uuid)}/runs`;
    const { uuid: run } = await this.connection.json<{ uuid: string }>({ method: 'POST', path, ...(signal && { signal }) });
    return run;
  }
}

function schedulePath(uuid: string): string {
  return `${SCHEDULES}/${segment(uuid)}`;
}
