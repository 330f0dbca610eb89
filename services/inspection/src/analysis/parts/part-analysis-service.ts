import type { PartOverview } from '@sinebar/contracts';
import type { Database, Session } from '@sinebar/database';
import type { Reply } from '@sinebar/http';
import type { ConfigurationReader } from '../../configuration/configuration.ts';
import { LIMIT_COLUMNS, limitsOf, type LimitColumns } from '../analysed-characteristic.ts';
import type { EvaluationReader } from '../../evaluation/evaluation-reader.ts';
import type { AssessedSeries } from '../assessment/assessed-series.ts';
import { computeAssessments, readSeriesToAssess } from '../assessment/computed-assessments.ts';
import type { Calculator } from '../calculations/calculator.ts';
import type { AnalysisReader } from '../analysis-queue.ts';
import { MAX_VALUES } from '../request/characteristic-reader.ts';
import { valueSelection, type ValueSelectionQuery } from '../analysis-parameters.ts';
import { measurementUuids } from '../characteristic-values.ts';
import { validated } from '../validated-answer.ts';
import { readKeptModels, type KeptModelState } from '../kept/kept-assessment-store.ts';
import { isOfAllMeasurements, readKeptFigures } from '../kept/kept-figures.ts';
import { analysisRightsOf, findAnalysedPart, type AnalysedPart, type AnalysisRights } from '../figures/analysed-part.ts';
import { judge, measuredColumn, pendingOf, type JudgedCharacteristic } from './judged-characteristic.ts';
import type { ChangesQuery, ChildrenQuery, OverviewQuery, StatusesQuery } from './part-analysis-parameters.ts';
import { readChanges } from './part-changes.ts';
import { countChildren, readChildren } from './part-children.ts';
import type { PartFigures } from '../figures/part-figures.ts';
import { PartAssessments } from './part-assessments.ts';
import { countStatuses, isChosen, orderJudged, overviewLine } from './part-overview.ts';
import { PlannedCharacteristicCache } from './planned-characteristic-cache.ts';
import type { PlannedCharacteristic, PlannedOptions } from '../figures/planned-characteristics.ts';
import { readNewestValues, readSelectedFigures, type SelectedReading } from '../figures/selected-figures.ts';

export interface PartAnalysisDependencies {
  database: Database;
  configurations: ConfigurationReader;
  evaluations: EvaluationReader;
  calculator: Calculator;
  /** Default of `caseSensitive` for requests without it. */
  caseSensitive: boolean;
  /** Most values that one request reads. */
  maxValues?: number;
}

/** The characteristics below a part with their statuses. */
export interface JudgedPart {
  judged: readonly JudgedCharacteristic[];
  /** Reads the entries of an overview for some of them; deleted ones are left out. */
  describe: (some: readonly JudgedCharacteristic[]) => Promise<PartOverview['characteristics']>;
}

/** Points of a sparkline, and measurements of a part that they are looked for in. */
const SPARKLINE = { values: 32, measurements: 100 };

/** Figures of all characteristics below a part. */
interface Read {
  part: AnalysedPart;
  rights: AnalysisRights;
  characteristics: readonly PlannedCharacteristic[];
  figures: ReadonlyMap<number, PartFigures>;
  assessments: PartAssessments;
  /** Values of the characteristics that are still to be assessed. */
  series: AssessedSeries[];
  reading: SelectedReading;
}

/** Characteristics that are assessed for a request where that is not kept yet, and their values: a second or two of computing. */
const MAX_ASSESSED = { characteristics: 500, values: 200_000 };

/** Computes figures of the characteristics below a part. spec: the analysis interface, version 1.0.0 */
export class PartAnalysisService {
  private readonly deps: PartAnalysisDependencies;
  private readonly planned = new PlannedCharacteristicCache();

  constructor(deps: PartAnalysisDependencies) {
    this.deps = deps;
  }

  /** Answers one page of the characteristics with their figures. @throws ServiceError 400, 403, 404 */
  async overview(uuid: string, query: OverviewQuery, reader: AnalysisReader): Promise<Reply> {
    const { order, statuses, find, offset, limit, depth } = query;
    const label = order === 'name' || find !== undefined ? 'folded_name' : undefined;
    const { judged, reading } = await this.judged(uuid, query, reader, { depth, label, fields: 'all' });
    const chosen = judged.filter(
      (each) => (statuses === undefined || isChosen(each, statuses)) && (find === undefined || each.characteristic.label.includes(find)),
    );
    const page = orderJudged(chosen, order).slice(offset, offset + limit);
    const characteristics = await this.snapshot(reader, (session) => describe(session, page, reading));
    const overview: PartOverview = { total: chosen.length, offset, totals: countStatuses(judged), ...pendingOf(judged), characteristics };
    return validated(overview, reader);
  }

  /**
   * Reads the statuses of all characteristics below a part.
   * @returns them in plan order, with a function that describes some of them. @throws ServiceError 400, 403, 404
   */
  async readJudged(uuid: string, query: ValueSelectionQuery, reader: AnalysisReader): Promise<JudgedPart> {
    const { judged, reading } = await this.judged(uuid, query, reader, { fields: 'all' });
    return { judged, describe: (some) => this.snapshot(reader, (session) => describe(session, some, reading)) };
  }

  /**
   * Answers the direct children of a part, or of a characteristic, with the statuses at and below each.
   * @throws ServiceError 400, 403, 404
   */
  async children(uuid: string, query: ChildrenQuery, reader: AnalysisReader): Promise<Reply> {
    const { part, rights, judged } = await this.judged(uuid, query, reader, { label: 'path' });
    const children = await this.snapshot(reader, (session) => readChildren(session, part, rights, query.limit));
    return validated({ ...countChildren(children, judged), ...pendingOf(judged) }, reader);
  }

  /** Answers uuid, both statuses and Ppk of each characteristic. @throws ServiceError 400, 403, 404 */
  async statuses(uuid: string, query: StatusesQuery, reader: AnalysisReader): Promise<Reply> {
    const { judged } = await this.judged(uuid, query, reader, { depth: query.depth });
    // The text is built at once, because the list may be long.
    const lines = judged.map(
      ({ characteristic, now, process, overall: { pk } }) =>
        `["${characteristic.uuid}","${now}","${process}"${pk === undefined ? '' : `,${pk}`}]`,
    );
    const state = JSON.stringify(pendingOf(judged)).slice(1, -1);
    return validated(`{"characteristics":[${lines.join(',')}]${state === '' ? '' : `,${state}`}}`, reader);
  }

  /** Answers one page of the changes of statuses, the newest first. @throws ServiceError 400, 403, 404 */
  async changes(uuid: string, query: ChangesQuery, reader: AnalysisReader): Promise<Reply> {
    const rights = analysisRightsOf(reader.principal);
    const changes = await this.snapshot(reader, async (session) =>
      readChanges(session, await findAnalysedPart(session, uuid, rights), rights, query),
    );
    return validated(changes, reader);
  }

  /** Reads figures and assessments, and computes those that are not kept, holding no connection meanwhile. */
  private async judged(
    uuid: string,
    query: ValueSelectionQuery,
    reader: AnalysisReader,
    options: PlannedOptions & { fields?: 'leading' | 'all' },
  ): Promise<Pick<Read, 'part' | 'rights' | 'reading'> & { judged: JudgedCharacteristic[] }> {
    const read = await this.snapshot(reader, (session) => this.read(session, uuid, query, reader, options));
    const { characteristics, figures, assessments, series } = read;
    if (series.length > 0) assessments.add(await computeAssessments(series, this.deps.calculator, reader.signal));
    return { ...read, judged: characteristics.map((characteristic) => judge(characteristic, figures, assessments)) };
  }

  private snapshot<T>(reader: AnalysisReader, work: (session: Session) => Promise<T>): Promise<T> {
    return reader.readInTurn(() => this.deps.database.snapshot(reader, work));
  }

  private async read(
    session: Session,
    uuid: string,
    query: ValueSelectionQuery,
    { principal }: AnalysisReader,
    { fields = 'leading', ...options }: PlannedOptions & { fields?: 'leading' | 'all' },
  ): Promise<Read> {
    const { configurations, evaluations, caseSensitive, maxValues = MAX_VALUES } = this.deps;
    const state = await configurations.readState(session);
    const { configuration } = state;
    const rights = analysisRightsOf(principal);
    const part = await findAnalysedPart(session, uuid, rights, options.label === 'path' ? ['part', 'characteristic'] : ['part']);
    const characteristics = await this.planned.read(session, state, principal.rightsKey, part, rights, options);
    const reading = {
      selection: valueSelection(part.uuid, query, caseSensitive),
      readable: rights.measurements,
      configuration,
      exclude: query.exclude ?? [],
      maxValues,
    };
    const kept = isOfAllMeasurements(reading) ? await readKeptFigures(session, characteristics, fields) : undefined;
    const figures = kept ?? (await readSelectedFigures(session, characteristics, reading));
    const assessments = kept ? await PartAssessments.read(session, characteristics) : PartAssessments.none();
    const missing = characteristics.filter(
      (characteristic) => !assessments.find(characteristic) && measuredColumn(figures, characteristic) !== undefined,
    );
    const series =
      kept && areTooMany(missing, figures, maxValues)
        ? []
        : await readSeriesToAssess(session, missing, query, { ...reading, evaluations, caseSensitive });
    return { part, rights, characteristics, figures, assessments, series, reading };
  }
}

/** Whether assessing the characteristics would take longer than a request may. */
function areTooMany(
  characteristics: readonly PlannedCharacteristic[],
  figures: ReadonlyMap<number, PartFigures>,
  maxValues: number,
): boolean {
  let values = 0;
  for (const characteristic of characteristics) {
    const { figures: of, column } = measuredColumn(figures, characteristic)!;
    values += of.count[column]!;
  }
  return characteristics.length > MAX_ASSESSED.characteristics || values > Math.min(MAX_ASSESSED.values, maxValues);
}

/** Adds to the entries of a page what the plan and the newest measurements say. */
async function describe(
  session: Session,
  page: readonly JudgedCharacteristic[],
  reading: SelectedReading,
): Promise<PartOverview['characteristics']> {
  const characteristics = page.map(({ characteristic }) => characteristic);
  const rows = await session.query<LimitColumns & { id: number; name: string; markedPath: string } & Record<string, unknown>>(
    `SELECT item.id, item.name, item.marked_path AS "markedPath", ${LIMIT_COLUMNS} FROM plan_item item WHERE item.id = ANY($1::int[])`,
    [characteristics.map(({ id }) => id)],
  );
  const planned = new Map(rows.map((row) => [row.id, row]));
  const lastIds = new Map(
    page.flatMap(({ characteristic, measured }) => (measured ? [[characteristic.id, measured.figures.lastId[measured.column]!]] : [])),
  );
  const models = isOfAllMeasurements(reading) ? await readKeptModels(session, [...planned.keys()]) : new Map<number, KeptModelState>();
  const sinceIds = [...models.values()].flatMap(({ since }) => since?.measurementId ?? []);
  const uuids = await measurementUuids(session, [...lastIds.values(), ...sinceIds]);
  const newest = await readNewestValues(session, characteristics, reading, SPARKLINE);
  return page.flatMap((entry) => {
    const { id } = entry.characteristic;
    const row = planned.get(id);
    if (!row) return [];
    return overviewLine(entry, {
      name: row.name,
      markedPath: row.markedPath,
      limits: limitsOf(row),
      sparkline: newest.get(id) ?? [],
      measurementUuid: uuids.get(lastIds.get(id) ?? NaN) ?? '',
      since: sinceOf(models.get(id), uuids),
    });
  });
}

/** @returns undefined where the process is stable, and where the measurement is deleted */
function sinceOf(model: KeptModelState | undefined, uuids: ReadonlyMap<number, string>): PartOverview['characteristics'][number]['since'] {
  if (!model?.since) return undefined;
  const { measurementId, ...since } = model.since;
  const measurementUuid = uuids.get(measurementId);
  return measurementUuid === undefined ? undefined : { ...since, measurementUuid };
}
