import { readStamp, ServiceError, stampNumber, type Alarm, type NowStatus, type PartOverview } from '@sinebar/contracts';
import { PathScope } from '@sinebar/access-control';
import type { Database, Session } from '@sinebar/database';
import { parseMarkedPath } from '@sinebar/query-language';
import type { ReportCharacteristic, ReportDetail, ReportDrawing, Template, UrgentCharacteristic } from '@sinebar/report';
import { countAlarms, readAlarms } from '../alarms/alarm-store.ts';
import type { AnalysisReader } from '../analysis/analysis-queue.ts';
import { chartQuery, confidenceQuery, modelQuery, seriesQuery, valueSelectionQuery } from '../analysis/analysis-parameters.ts';
import type { AnalysisService } from '../analysis/analysis-service.ts';
import { orderJudged, countStatuses } from '../analysis/parts/part-overview.ts';
import type { JudgedCharacteristic } from '../analysis/parts/judged-characteristic.ts';
import type { PartAnalysisService } from '../analysis/parts/part-analysis-service.ts';
import { nowStatusOf } from '../analysis/figures/now-status.ts';
import type { Configuration, ConfigurationReader } from '../configuration/configuration.ts';
import { readEntryTexts, type EntryTexts } from '../exchange/exports/entry-texts.ts';
import { readPlantSettings } from '../evaluation/settings/settings-service.ts';
import { readNotes } from '../notes/note-store.ts';
import type { HideUsers } from '../shared/answers/shown-users.ts';
import { z } from 'zod';
import type { DrawingReader } from './drawing-reader.ts';
import { readFirstArticle } from './first-articles/first-article-service.ts';
import type { ReportOrder } from './report-body.ts';
import type { ReportHead } from './writing/report-messages.ts';
import type { RowSources } from './writing/report-writer.ts';

export interface ReportSourceDependencies {
  database: Database;
  configurations: ConfigurationReader;
  parts: PartAnalysisService;
  analysis: AnalysisService;
  hide: HideUsers;
  drawings: DrawingReader;
}

/** Content of a report, and what else its writer needs. */
export interface ReportSource {
  head: ReportHead;
  sources: RowSources;
  zone: string;
  /** Stored path of the part. */
  path: string;
  markedPath: string;
}

/** Characteristics that are described at once. */
const BATCH = 500;
const ALARM_BATCH = 1000;
/** Most alarms and notes of the page of one characteristic. */
const MAX_LISTED = 50;
const WORST = 10;
/** Points of a chart: more are drawn as groups of consecutive ones. */
const POINTS = 1000;
const MAX_PAGES = 1000;

const defaults = {
  selection: z.object(valueSelectionQuery).parse({}),
  summary: z.object({ ...chartQuery, ...confidenceQuery, ...modelQuery }).parse({}),
  series: z.object({ ...chartQuery, ...seriesQuery }).parse({}),
};

interface PartRow extends Record<string, unknown> {
  id: number;
  uuid: string;
  path: string;
  markedPath: string;
  attributes: Record<string, string>;
}

interface MeasurementRow extends Record<string, unknown> {
  time: Date | null;
  attributes: Record<string, string>;
  ids: number[] | null;
  values: (number | null)[] | null;
}

/** Opens what a report is made of, with the rights of its reader. @throws ServiceError 400, 403, 404 */
export async function openReportSource(
  deps: ReportSourceDependencies,
  order: ReportOrder,
  template: Template,
  reader: AnalysisReader,
): Promise<ReportSource> {
  const { partUuid, characteristicUuids, measurementUuid } = order.selection;
  const { principal } = reader;
  if (template.for === 'measurement' && measurementUuid === undefined) {
    throw new ServiceError('InvalidRequest', 'The template is about one measurement. Name it in selection.measurementUuid.');
  }
  const period = { ...(order.from !== undefined && { from: order.from }), ...(order.to !== undefined && { to: order.to }) };
  const query = {
    ...defaults.selection,
    ...(order.from !== undefined && { from: instant(order.from) }),
    ...(order.to !== undefined && { to: instant(order.to) }),
  };
  const { judged: all, describe } = await deps.parts.readJudged(partUuid, query, reader);
  const named = characteristicUuids && new Set(characteristicUuids);
  const judged = named ? all.filter(({ characteristic }) => named.has(characteristic.uuid)) : all;
  if (named && judged.length < named.size) {
    const found = new Set(judged.map(({ characteristic }) => characteristic.uuid));
    const missing = [...named].find((uuid) => !found.has(uuid));
    throw new ServiceError('NotFound', `There is no characteristic ${missing} below the part that you may read.`);
  }
  const isDrawn = template.sections.some(({ section }) => section === 'drawing') && order.format === 'pdf';
  const read = await deps.database.snapshot(reader, async (session) => {
    const { configuration } = await deps.configurations.readState(session);
    const part = await readPart(session, partUuid);
    // A reader of something below the part may know its name, and nothing else of it.
    const maySeePart = principal.scopeOf('plan:read').includes(part.path);
    if (measurementUuid !== undefined && !principal.scopeOf('measurement:read').includes(part.path)) {
      throw new ServiceError('Forbidden', `You may not read measurements of the part ${partUuid}.`);
    }
    const mayReadFiles = principal.scopeOf('rawData:read').includes(part.path);
    const entries = await readEntryTexts(session, configuration);
    const measurement = measurementUuid === undefined ? undefined : await readMeasurement(session, partUuid, measurementUuid);
    const alarms = { below: PathScope.below(part.path), ...period };
    return {
      configuration,
      part: maySeePart ? part : { ...part, attributes: {} },
      entries,
      measurement,
      isWhole: isWhole(part.path, reader) && (!isDrawn || mayReadFiles),
      mayReadFiles: maySeePart && mayReadFiles,
      alarmTotal: await countAlarms(session, principal.scopeOf('measurement:read'), alarms),
      settings: await readPlantSettings(session),
      firstArticle: maySeePart ? await readFirstArticle(session, partUuid) : {},
    };
  });
  const { part, entries, measurement, configuration } = read;
  const values = valuesOf(measurement);
  const shown = measurement ? judged.filter(({ characteristic: { id } }) => values.has(id)) : judged;
  const rowsOf = async (some: readonly JudgedCharacteristic[]): Promise<ReportCharacteristic[]> => {
    const lines = await describe(some);
    const attributes = await deps.database.read(reader, (session) =>
      readAttributes(
        session,
        lines.map(({ uuid }) => uuid),
      ),
    );
    const byUuid = new Map(some.map((each) => [each.characteristic.uuid, each]));
    return lines.map((line) =>
      characteristicRow(line, { part, texts: entries, attributes, value: valueOf(byUuid.get(line.uuid), values) }),
    );
  };
  const urgent = orderJudged([...judged], 'status');
  const pages = pagesOf(order, template, urgent, judged);
  const readWorst = async (): Promise<UrgentCharacteristic[]> => {
    const worst: UrgentCharacteristic[] = [];
    for (const row of await rowsOf(urgent.filter(isUrgent).slice(0, WORST))) {
      const { counts } = await deps.analysis.readSummary(row.uuid, { ...defaults.summary, ...query }, reader);
      worst.push({ ...row, outOfTolerance: counts.belowTolerance + counts.aboveTolerance });
    }
    return worst;
  };
  const drawing = isDrawn && read.mayReadFiles ? await readDrawing(deps, { part, shown, values }, reader) : undefined;
  const head: ReportHead = {
    part: { uuid: partUuid, names: namesOf(part.markedPath), attributes: entries.withTexts(part.attributes) },
    attributeNames: attributeNames(configuration),
    total: shown.length,
    totals: countStatuses(shown),
    worst: template.sections.some((section) => section.section === 'summary' && section.pareto) ? await readWorst() : [],
    ...(measurement && {
      measurement: {
        ...(measurement.time && { time: measurement.time.toISOString() }),
        attributes: entries.withTexts(withoutTime(measurement.attributes)),
      },
    }),
    alarmTotal: read.alarmTotal,
    firstArticle: read.firstArticle,
    ...(drawing && { drawing }),
    isWhole: read.isWhole,
  };
  return {
    head,
    zone: read.settings.zone,
    path: part.path,
    markedPath: part.markedPath,
    sources: {
      characteristics: async function* () {
        for (let start = 0; start < shown.length; start += BATCH) yield await rowsOf(shown.slice(start, start + BATCH));
      },
      details: async function* () {
        for (const each of pages) {
          const [characteristic] = await rowsOf([each]);
          if (characteristic) yield [await readDetail(deps, characteristic, query, period, reader)];
        }
      },
      alarms: () => readAlarmBatches(deps, part.path, period, reader),
    },
  };
}

function instant(text: string): { text: string; ms: number } {
  return { text, ms: Date.parse(text) };
}

/** Characteristics that get pages of their own. */
function pagesOf(
  { options = {}, selection }: ReportOrder,
  template: Template,
  urgent: readonly JudgedCharacteristic[],
  judged: readonly JudgedCharacteristic[],
): readonly JudgedCharacteristic[] {
  const wanted = options.pages ?? (selection.characteristicUuids ? 'all' : template.pages);
  if (wanted === 'none') return [];
  if (wanted === 'worst') return urgent.slice(0, options.worst ?? template.worst);
  if (judged.length > MAX_PAGES) {
    throw new ServiceError(
      'InvalidRequest',
      `There are ${judged.length} characteristics, and at most ${MAX_PAGES} get pages of their own. Set options.pages to worst, or name characteristics.`,
    );
  }
  return judged;
}

function isUrgent({ now, process }: JudgedCharacteristic): boolean {
  return process === 'notCapable' || process === 'notStable' || now === 'belowTolerance' || now === 'aboveTolerance';
}

/** Reads the drawing of the part with the balloons of its own characteristics; those of parts below it stand on other drawings. */
async function readDrawing(
  { drawings, database }: ReportSourceDependencies,
  { part, shown, values }: { part: PartRow; shown: readonly JudgedCharacteristic[]; values: ReadonlyMap<number, number> },
  reader: AnalysisReader,
): Promise<ReportDrawing | undefined> {
  const found = await drawings.find(part.uuid, reader.signal);
  if (!found || found.problem) return found && { ...found, balloons: [] };
  const own = shown.filter(({ characteristic }) => characteristic.partId === part.id);
  const attributes = await database.read(reader, (session) =>
    readAttributes(
      session,
      own.map(({ characteristic }) => characteristic.uuid),
    ),
  );
  const balloons = own.flatMap((each) => {
    const texts = attributes.get(each.characteristic.uuid) ?? {};
    const stamp = readStamp(texts);
    return stamp ? [{ stamp, number: stampNumber(texts), now: valueOf(each, values)?.now ?? each.now }] : [];
  });
  return { ...found, balloons };
}

async function readDetail(
  { analysis, database, hide }: ReportSourceDependencies,
  characteristic: ReportCharacteristic,
  query: z.output<z.ZodObject<typeof valueSelectionQuery>>,
  period: { from?: string; to?: string },
  reader: AnalysisReader,
): Promise<ReportDetail> {
  const { uuid } = characteristic;
  const summary = await analysis.readSummary(uuid, { ...defaults.summary, ...query }, reader);
  const series = await analysis.readSeries(uuid, { ...defaults.series, ...query, points: POINTS }, reader);
  const readable = reader.principal.scopeOf('measurement:read');
  const page = { characteristicUuid: uuid, ...period, limit: MAX_LISTED, offset: 0 };
  const { notes, alarms } = await database.read(reader, async (session) => ({
    notes: await readNotes(session, readable, page),
    alarms: await readAlarms(session, readable, page),
  }));
  const shown = <T extends { user?: string | undefined; modifiedBy?: string | undefined }>(items: readonly T[]) =>
    items.map((item) => hide(item, reader.principal));
  return { characteristic, summary, series, notes: shown(notes), alarms: shown(alarms) };
}

async function* readAlarmBatches(
  { database, hide }: ReportSourceDependencies,
  path: string,
  period: { from?: string; to?: string },
  reader: AnalysisReader,
): AsyncGenerator<readonly Alarm[]> {
  const readable = reader.principal.scopeOf('measurement:read');
  for (let offset = 0; ; offset += ALARM_BATCH) {
    const page = { below: PathScope.below(path), ...period, limit: ALARM_BATCH, offset };
    const alarms = await database.read(reader, (session) => readAlarms(session, readable, page));
    yield alarms.map((alarm) => hide(alarm, reader.principal));
    if (alarms.length < ALARM_BATCH) return;
  }
}

async function readPart(session: Session, uuid: string): Promise<PartRow> {
  const [part] = await session.query<PartRow>(
    'SELECT id, uuid, path, marked_path AS "markedPath", attributes FROM plan_item WHERE uuid = $1',
    [uuid],
  );
  if (!part) throw new ServiceError('NotFound', `There is no part ${uuid}.`);
  return part;
}

async function readMeasurement(session: Session, partUuid: string, uuid: string): Promise<MeasurementRow> {
  const [row] = await session.query<MeasurementRow>(
    `SELECT m.measured_at AS time, m.attributes, s.characteristic_ids AS ids, m."values" FROM measurement m
     JOIN plan_item part ON part.id = m.part_id LEFT JOIN characteristic_set s ON s.id = m.characteristic_set_id AND s.part_id = m.part_id
     WHERE m.uuid = $1 AND part.uuid = $2`,
    [uuid, partUuid],
  );
  if (!row) throw new ServiceError('NotFound', `The part ${partUuid} has no measurement ${uuid}.`);
  return row;
}

/** Values of a measurement by the number of their characteristic. */
function valuesOf(measurement: MeasurementRow | undefined): ReadonlyMap<number, number> {
  return new Map(
    (measurement?.ids ?? []).flatMap((id, i) => {
      const value = measurement?.values?.[i];
      return value === null || value === undefined ? [] : [[id, value] as const];
    }),
  );
}

function valueOf(
  judged: JudgedCharacteristic | undefined,
  values: ReadonlyMap<number, number>,
): { text: string; now: NowStatus } | undefined {
  const value = judged && values.get(judged.characteristic.id);
  return value === undefined ? undefined : { text: String(value), now: nowStatusOf(value, judged!.characteristic.statusLimits) };
}

async function readAttributes(session: Session, uuids: readonly string[]): Promise<ReadonlyMap<string, Record<string, string>>> {
  const rows = await session.query<{ uuid: string; attributes: Record<string, string> }>(
    'SELECT uuid, attributes FROM plan_item WHERE uuid = ANY($1::uuid[])',
    [uuids],
  );
  return new Map(rows.map(({ uuid, attributes }) => [uuid, attributes]));
}

interface RowContext {
  part: PartRow;
  texts: EntryTexts;
  attributes: ReadonlyMap<string, Record<string, string>>;
  value: { text: string; now: NowStatus } | undefined;
}

function characteristicRow(
  {
    uuid,
    path,
    limits,
    count,
    last,
    mean,
    standardDeviation,
    overall,
    within,
    model,
    now,
    process,
    sparkline,
  }: PartOverview['characteristics'][number],
  { part, texts, attributes, value }: RowContext,
): ReportCharacteristic {
  const above = namesOf(part.markedPath).length;
  const names = namesOf(path);
  return {
    uuid,
    // A report about one characteristic is called after it.
    name: names.slice(Math.min(above, names.length - 1)).join(' / '),
    attributes: texts.withTexts(attributes.get(uuid) ?? {}),
    limits,
    count,
    ...(last && { last }),
    ...(mean !== undefined && { mean }),
    ...(standardDeviation !== undefined && { standardDeviation }),
    ...(overall && { overall: overall as { p?: number; pk?: number } }),
    ...(within && { within: within as { p?: number; pk?: number } }),
    ...(model && { model: model.name }),
    now: value?.now ?? now,
    process,
    sparkline,
    ...(value && { value: value.text }),
  };
}

/** Whether the reader may read the plan and the measurements of everything at and below the part. */
function isWhole(path: string, { principal }: AnalysisReader): boolean {
  return [principal.scopeOf('plan:read'), principal.scopeOf('measurement:read')].every((scope) => scope.includes(path));
}

function attributeNames({ definitions }: Configuration): Record<number, string> {
  return Object.fromEntries([...definitions.values()].map(({ key, description }) => [key, description]));
}

function namesOf(markedPath: string): string[] {
  return parseMarkedPath(markedPath).map(({ name }) => name);
}

/** The time stands beside the attributes. */
function withoutTime(attributes: Record<string, string>): Record<string, string> {
  const { 4: _time, ...others } = attributes;
  return others;
}
