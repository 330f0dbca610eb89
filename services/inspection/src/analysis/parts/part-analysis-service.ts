import type { PartOverview } from '@sinebar/contracts';
import type { Database, Session } from '@sinebar/database';
import type { Reply } from '@sinebar/http';
import type { ConfigurationReader } from '../../configuration/configuration.ts';
import { LIMIT_COLUMNS, limitsOf, type LimitColumns } from '../analysed-characteristic.ts';
import type { AnalysisReader } from '../analysis-queue.ts';
import { MAX_VALUES } from '../request/characteristic-reader.ts';
import { valueSelection, type ValueSelectionQuery } from '../analysis-parameters.ts';
import { measurementUuids } from '../characteristic-values.ts';
import { validated } from '../validated-answer.ts';
import { isOfAllMeasurements, readKeptFigures } from '../kept/kept-figures.ts';
import { analysisRightsOf, findAnalysedPart, type AnalysedPart, type AnalysisRights } from '../figures/analysed-part.ts';
import { measuredColumn, newestStatus, overallIndices } from './newest-status.ts';
import type { ChildrenQuery, OverviewQuery, StatusesQuery } from './part-analysis-parameters.ts';
import { countChildren, readChildren } from './part-children.ts';
import type { PartFigures } from '../figures/part-figures.ts';
import { countEntries, orderEntries, overviewEntries, overviewLine, type OverviewEntry } from './part-overview.ts';
import { PlannedCharacteristicCache } from './planned-characteristic-cache.ts';
import type { PlannedCharacteristic, PlannedOptions } from '../figures/planned-characteristics.ts';
import { readNewestValues, readSelectedFigures, type SelectedReading } from '../figures/selected-figures.ts';

export interface PartAnalysisDependencies {
  database: Database;
  configurations: ConfigurationReader;
  /** Default of `caseSensitive` for requests without it. */
  caseSensitive: boolean;
  /** Most values that one request reads. */
  maxValues?: number;
}

/** Points of a sparkline, and measurements of a part that they are looked for in. */
const SPARKLINE = { values: 32, measurements: 100 };

/** Figures of all characteristics below a part. */
interface Read {
  part: AnalysedPart;
  rights: AnalysisRights;
  characteristics: readonly PlannedCharacteristic[];
  figures: ReadonlyMap<number, PartFigures>;
  reading: SelectedReading;
}

/** Computes figures of the characteristics below a part. spec: the analysis interface, version 1.0.0 */
export class PartAnalysisService {
  private readonly deps: PartAnalysisDependencies;
  private readonly planned = new PlannedCharacteristicCache();

  constructor(deps: PartAnalysisDependencies) {
    this.deps = deps;
  }

  /** Answers one page of the characteristics with their figures. @throws ServiceError 400, 403, 404 */
  overview(uuid: string, query: OverviewQuery, reader: AnalysisReader): Promise<Reply> {
    const { order, statuses, find, offset, limit, depth } = query;
    const label = order === 'name' || find !== undefined ? 'folded_name' : undefined;
    return this.snapshot(reader, async (session) => {
      const { characteristics, figures, reading } = await this.read(session, uuid, query, reader, { depth, label, fields: 'all' });
      const entries = overviewEntries(characteristics, figures);
      const totals = countEntries(entries);
      const chosen = entries.filter(
        ({ status, characteristic }) =>
          (statuses === undefined || statuses.includes(status)) && (find === undefined || characteristic.label.includes(find)),
      );
      const page = orderEntries(chosen, order).slice(offset, offset + limit);
      const overview: PartOverview = { total: chosen.length, offset, totals, characteristics: await describe(session, page, reading) };
      return validated(overview, reader);
    });
  }

  /**
   * Answers the direct children of a part, or of a characteristic, with the statuses at and below each.
   * @throws ServiceError 400, 403, 404
   */
  children(uuid: string, query: ChildrenQuery, reader: AnalysisReader): Promise<Reply> {
    return this.snapshot(reader, async (session) => {
      const { part, rights, characteristics, figures } = await this.read(session, uuid, query, reader, { label: 'path' });
      return validated(countChildren(await readChildren(session, part, rights, query.limit), characteristics, figures), reader);
    });
  }

  /** Answers uuid, newest status and Ppk of each characteristic. @throws ServiceError 400, 403, 404 */
  statuses(uuid: string, query: StatusesQuery, reader: AnalysisReader): Promise<Reply> {
    return this.snapshot(reader, async (session) => {
      const { characteristics, figures } = await this.read(session, uuid, query, reader, { depth: query.depth });
      // The text is built at once, because the list may be long.
      const lines = characteristics.map((characteristic) => {
        const measured = measuredColumn(figures, characteristic);
        const ppk = measured && overallIndices(characteristic, measured).pk;
        return `["${characteristic.uuid}","${newestStatus(characteristic, measured)}"${ppk === undefined ? '' : `,${ppk}`}]`;
      });
      return validated(`{"characteristics":[${lines.join(',')}]}`, reader);
    });
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
    const { configurations, caseSensitive, maxValues = MAX_VALUES } = this.deps;
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
    return { part, rights, characteristics, figures: kept ?? (await readSelectedFigures(session, characteristics, reading)), reading };
  }
}

/** Adds to the entries of a page what the plan and the newest measurements say. */
async function describe(
  session: Session,
  page: readonly OverviewEntry[],
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
  const uuids = await measurementUuids(session, lastIds.values());
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
    });
  });
}
