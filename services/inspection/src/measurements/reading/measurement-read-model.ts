import type { PathScope } from '@sinebar/access-control';
import { ServiceError } from '@sinebar/contracts';
import { sql, type Database, type OpenedSession, type Session, type Sql, type TextRow } from '@sinebar/database';
import { JsonBuffer, reply, type Reply } from '@sinebar/http';
import { ruleOf } from '../../configuration/attribute-values.ts';
import { MAX_COUNT } from '../../shared/documentation.ts';
import type { ShowComment } from '../../shared/answers/shown-comment.ts';
import type { Reader } from '../../shared/request-context.ts';
import { CONFIGURATION_STATE, revisionKey, type ConfigurationReader } from '../../configuration/configuration.ts';
import { CharacteristicSetReader } from '../sets/characteristic-set-reader.ts';
import type { MeasuredPartCache } from '../sets/measured-parts.ts';
import { streamAnswer, MAX_WHOLE_ANSWER_ROWS, wholeAnswer, type Listing, type RowWidth } from './listing.ts';
import { allValueColumns, MeasurementRenderer, type MeasurementView } from './measurement-rows.ts';
import {
  countStatement,
  isCountedByIndex,
  selectionStatement,
  type MeasurementKinds,
  type MeasurementSelection,
} from '../selection/measurement-selection.ts';
import { findSelectedParts } from '../selection/selected-parts.ts';

const OPENING = [CONFIGURATION_STATE];
const HEADERS = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'private, no-cache' };

export interface MeasurementReadDependencies {
  database: Database;
  configurations: ConfigurationReader;
  partCache: MeasuredPartCache;
  showComment: ShowComment;
}

type State = Awaited<ReturnType<ConfigurationReader['readState']>>;

/** Measurements as clients read them. spec: inspection-service.md, Measurements, Values */
export class MeasurementReadModel {
  private readonly deps: MeasurementReadDependencies;
  /** Sets at the state of the plan that was read last. */
  private sets: { state: string; reader: CharacteristicSetReader } | undefined;

  constructor(deps: MeasurementReadDependencies) {
    this.deps = deps;
  }

  /**
   * Answers one measurement as an object.
   * @param kinds restricts the kinds of measurements that are found
   * @throws ServiceError 404, 403
   */
  async get(uuid: string, kinds: MeasurementKinds | undefined, view: MeasurementView, reader: Reader): Promise<Reply> {
    const { database, configurations } = this.deps;
    const { columns, name } = allValueColumns(view);
    if (!columns) return this.getFromSnapshot(uuid, kinds, view, reader);
    const answer = await database.read(reader, async (session) => {
      const { row, ...state } = await configurations.readStateWith(session, measurementStatement(columns), [uuid], name);
      const found = readableRow(row, uuid, kinds, reader);
      const renderer = await this.createRenderer(session, view, state, reader);
      // A set that is not cached has to be read in the same snapshot as the row.
      return renderer.isComplete(found) ? await rendered(renderer, session, found) : undefined;
    });
    return answer ?? this.getFromSnapshot(uuid, kinds, view, reader);
  }

  private async getFromSnapshot(uuid: string, kinds: MeasurementKinds | undefined, view: MeasurementView, reader: Reader): Promise<Reply> {
    return this.deps.database.snapshot(reader, async (session) => {
      const renderer = await this.createRenderer(session, view, await this.deps.configurations.readState(session), reader);
      const [row] = await session.queryTexts(measurementStatement(renderer.columns), [uuid]);
      return rendered(renderer, session, readableRow(row, uuid, kinds, reader));
    });
  }

  list(selection: MeasurementSelection, view: MeasurementView, reader: Reader): Promise<Reply> {
    const isLikelyLong =
      view.values !== undefined && !selection.measurementUuids && (selection.limit ?? Infinity) > MAX_WHOLE_ANSWER_ROWS.wide;
    return this.answer(reader, isLikelyLong, async (session) => {
      const selected = await this.select(session, selection, reader);
      return new MeasurementListing(selected, await this.createRenderer(session, view, selected.state, reader));
    });
  }

  /** Counts the selected measurements without reading their values. */
  async count(selection: MeasurementSelection, reader: Reader): Promise<Reply> {
    const count = await this.deps.database.snapshot({ ...reader, opening: OPENING }, async (session) => {
      const { readable, state, partIds } = await this.select(session, selection, reader);
      const countKind = async (aggregation: MeasurementKinds) => {
        const [row] = await session.query<{ count: number }>(
          countStatement({ ...selection, aggregation }, readable, state.configuration, partIds),
        );
        return row?.count ?? 0;
      };
      if (selection.aggregation !== 'measurements' || !isCountedByIndex(selection)) return countKind(selection.aggregation);
      // The kind of a measurement is in its row; an index has the few aggregations, and the rows are not read.
      return (await countKind('all')) - (await countKind('aggregations'));
    });
    return reply.json({ count: Math.min(count, MAX_COUNT) });
  }

  /** Answers the distinct values of an attribute, ordered by the first measurement that has each. spec: decisions.md 5.9 */
  distinctValues(key: number, selection: MeasurementSelection, reader: Reader): Promise<Reply> {
    return this.answer(reader, false, async (session) => new DistinctValueListing(await this.select(session, selection, reader), key));
  }

  /**
   * Answers a listing in memory where it is short. A long one is selected again and streamed.
   * @param isLikelyLong streams without first trying to build the answer in memory, if a streaming connection is free
   * @param open makes the listing for the state that the session sees
   */
  private async answer(reader: Reader, isLikelyLong: boolean, open: (session: OpenedSession) => Promise<Listing>): Promise<Reply> {
    const { database } = this.deps;
    if (!isLikelyLong || !database.canStream(reader.client)) {
      const options = { ...reader, opening: OPENING };
      const whole = await database.snapshot(options, async (session) => wholeAnswer(session, await open(session)));
      if (whole) return reply.text(whole, {});
    }
    return reply.stream(HEADERS, (sink, signal) => {
      const options = { ...reader, signal, opening: OPENING };
      return database.stream(options, async (session) => streamAnswer(session, await open(session), sink, signal));
    });
  }

  private async select(session: OpenedSession, selection: MeasurementSelection, reader: Reader): Promise<Selected> {
    const readable = reader.principal.scopeOf('measurement:read');
    const state = await this.deps.configurations.readOpened(session, session.opening[0]);
    const partIds = await findSelectedParts(session, selection, readable, this.deps.partCache.at(state.plan));
    return { selection, readable, state, partIds };
  }

  private createRenderer(
    session: Session,
    view: MeasurementView,
    { configuration, plan }: State,
    { principal }: Reader,
  ): Promise<MeasurementRenderer> {
    const state = revisionKey(plan);
    if (this.sets?.state !== state) this.sets = { state, reader: new CharacteristicSetReader() };
    const showComment = (comment: string) => this.deps.showComment(comment, principal);
    return MeasurementRenderer.create(session, view, { configuration, showComment, sets: this.sets.reader });
  }
}

/** A selection as the caller may read it, at the state that the session sees. */
interface Selected {
  selection: MeasurementSelection;
  readable: PathScope;
  state: State;
  partIds: readonly number[] | undefined;
}

class MeasurementListing implements Listing {
  readonly width: RowWidth;
  private readonly selected: Selected;
  private readonly renderer: MeasurementRenderer;

  constructor(selected: Selected, renderer: MeasurementRenderer) {
    this.width = renderer.isWide ? 'wide' : 'narrow';
    this.selected = selected;
    this.renderer = renderer;
  }

  statement(maxRows = Infinity): Sql {
    const { selection, readable, state, partIds } = this.selected;
    // With `merge` the limit counts values; measurements named by uuid are found fast without a limit.
    const isLimitable = maxRows !== Infinity && !selection.merge && !selection.measurementUuids;
    return selectionStatement(
      isLimitable ? { ...selection, limit: Math.min(maxRows, selection.limit ?? Infinity) } : selection,
      readable,
      state.configuration,
      this.renderer.columns,
      { partIds, areColumnsLarge: this.width === 'wide' },
    );
  }

  render(session: Session, rows: readonly TextRow[], out: JsonBuffer): Promise<void> {
    return this.renderer.render(session, rows, out);
  }
}

class DistinctValueListing implements Listing {
  readonly width = 'narrow';
  private readonly selected: Selected;
  private readonly key: number;

  constructor(selected: Selected, key: number) {
    this.selected = selected;
    this.key = key;
  }

  statement(): Sql {
    const { selection, readable, state, partIds } = this.selected;
    const isDefined = ruleOf(state.configuration, 'measurement', this.key) !== undefined;
    const column = isDefined ? `coalesce(m.attributes ->> '${this.key}', '') AS value` : `'' AS value`;
    const selected = selectionStatement(selection, readable, state.configuration, column, { partIds });
    return sql`SELECT value FROM (SELECT value, row_number() OVER () AS position FROM (${selected}) selected) numbered
      GROUP BY value ORDER BY min(position)`;
  }

  render(_session: Session, rows: readonly TextRow[], out: JsonBuffer): Promise<void> {
    for (const [value] of rows) {
      out.separate();
      out.text(JSON.stringify(value));
    }
    return Promise.resolve();
  }
}

/** Selects one measurement; its kind and the path of its part follow the columns. */
function measurementStatement(columns: string): string {
  return `SELECT ${columns}, m.aggregation, p.path FROM measurement m JOIN plan_item p ON p.id = m.part_id WHERE m.uuid = $1`;
}

/** @param row result of {@link measurementStatement} @throws ServiceError 404, 403 */
function readableRow(row: TextRow | undefined, uuid: string, kinds: MeasurementKinds | undefined, { principal }: Reader): TextRow {
  const path = row?.at(-1);
  if (!row || path == null) throw new ServiceError('NotFound', `There is no measurement ${uuid}.`);
  if (!principal.scopeOf('measurement:read').includes(path)) {
    throw new ServiceError('Forbidden', `You may not read the measurement ${uuid}.`);
  }
  const isAggregation = row.at(-2) === 't';
  if (kinds !== undefined && kinds !== 'all' && isAggregation !== (kinds === 'aggregations')) {
    throw new ServiceError('NotFound', `There is no measurement ${uuid} of the kind that aggregation asks for.`);
  }
  return row;
}

async function rendered(renderer: MeasurementRenderer, session: Session, row: TextRow): Promise<Reply> {
  const out = new JsonBuffer();
  await renderer.render(session, [row], out);
  return reply.text(out.take(), {});
}
