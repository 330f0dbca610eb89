import { ServiceError } from '@sinebar/contracts';
import { readRows, sql, type Database, type OpenedSession, type Session, type Sql, type TextRow } from '@sinebar/database';
import { jsonArray, JsonBuffer, reply, type Reply } from '@sinebar/http';
import { ruleOf } from '../../configuration/attribute-values.js';
import type { Reader } from '../../shared/request-context.js';
import { CONFIGURATION_STATE, revisionKey, type ConfigurationReader } from '../../configuration/configuration.js';
import { CharacteristicSetReader } from '../sets/characteristic-set-reader.js';
import { MeasuredPartCache } from '../sets/measured-parts.js';
import { allValueColumns, MeasurementRenderer, type MeasurementView } from './measurement-rows.js';
import { selectionStatement, type MeasurementKinds, type MeasurementSelection } from '../selection/measurement-selection.js';
import { findSelectedParts } from '../selection/selected-parts.js';

/** Most rows of an answer that is built in memory; a longer one is streamed on a connection of its own. `large` rows have all values. */
const WHOLE_ANSWER_ROWS = { small: 200, large: 10 };
/** Rows of the first batch of a streamed answer; few, so that it starts early. */
const FIRST_ROWS = { small: 200, large: 2 };
/** Rows of one batch; two are in memory at a time. */
const BATCH_ROWS = { small: 1000, large: 50 };
/** Rows that are written at a time, about one chunk of the answer: it is compressed and sent while the next rows are rendered. */
const WRITTEN_ROWS = { small: 250, large: 10 };
const HEADERS = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'private, no-cache' };

export interface MeasurementReadDependencies {
  database: Database;
  configurations: ConfigurationReader;
  /** Whether the server keeps comments. */
  versioning: boolean;
}

type State = Awaited<ReturnType<ConfigurationReader['readState']>>;

/** Builds the statement of a selection for the caller. */
type Select = (selection: MeasurementSelection, columns: string, size: RowSize) => Sql;

type RowSize = keyof typeof BATCH_ROWS;

/** A list answer that is rendered from the rows of one statement. */
interface Listing {
  /** @param maxRows rows that the caller reads at most */
  statement: (maxRows?: number) => Sql;
  /** Writes the rows as items; may run statements in the session. */
  render: (session: Session, rows: readonly TextRow[], out: JsonBuffer) => Promise<void>;
  size: RowSize;
}

/** Measurements as clients read them. spec: inspection-service.md, Measurements, Values */
export class MeasurementReadModel {
  private readonly deps: MeasurementReadDependencies;
  /** Sets at the state of the plan that was read last. */
  private sets: { state: string; reader: CharacteristicSetReader } | undefined;
  private readonly partCache = new MeasuredPartCache();

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
      const renderer = await this.rendererOf(session, view, state);
      // A set that is not cached has to be read in the same snapshot as the row.
      return renderer.isComplete(found) ? await rendered(renderer, session, found) : undefined;
    });
    return answer ?? this.getFromSnapshot(uuid, kinds, view, reader);
  }

  private async getFromSnapshot(uuid: string, kinds: MeasurementKinds | undefined, view: MeasurementView, reader: Reader): Promise<Reply> {
    return this.deps.database.snapshot(reader, async (session) => {
      const renderer = await this.rendererOf(session, view, await this.deps.configurations.readState(session));
      const [row] = await session.queryTexts(measurementStatement(renderer.columns), [uuid]);
      return rendered(renderer, session, readableRow(row, uuid, kinds, reader));
    });
  }

  list(selection: MeasurementSelection, view: MeasurementView, reader: Reader): Promise<Reply> {
    const isLikelyLong =
      view.values !== undefined && !selection.measurementUuids && (selection.limit ?? Infinity) > WHOLE_ANSWER_ROWS.large;
    return this.answer(selection, reader, isLikelyLong, async (session, state, select) => {
      const renderer = await this.rendererOf(session, view, state);
      // With `merge` the limit counts values; measurements named by uuid are found fast without a limit.
      const isLimitable = !selection.merge && !selection.measurementUuids;
      const size = renderer.isLarge ? 'large' : 'small';
      return {
        size,
        statement: (maxRows) =>
          select(
            maxRows === undefined || !isLimitable ? selection : { ...selection, limit: Math.min(maxRows, selection.limit ?? Infinity) },
            renderer.columns,
            size,
          ),
        render: (own, rows, out) => renderer.render(own, rows, out),
      };
    });
  }

  /** Answers the distinct values of an attribute, ordered by the first measurement that has each. spec: decisions.md 5.9 */
  distinctValues(key: number, selection: MeasurementSelection, reader: Reader): Promise<Reply> {
    return this.answer(selection, reader, false, (_session, { configuration }, select) => {
      const isDefined = ruleOf(configuration, 'measurement', key) !== undefined;
      const column = isDefined ? `coalesce(m.attributes ->> '${key}', '') AS value` : `'' AS value`;
      const selected = select(selection, column, 'small');
      return Promise.resolve({
        size: 'small',
        statement: () =>
          sql`SELECT value FROM (SELECT value, row_number() OVER () AS place FROM (${selected}) selected) numbered GROUP BY value ORDER BY min(place)`,
        render: (_own, rows, out) => {
          for (const [value] of rows) {
            out.separate();
            out.text(JSON.stringify(value));
          }
          return Promise.resolve();
        },
      });
    });
  }

  /** @param isLikelyLong streams without first trying to build the answer in memory, if a streaming connection is free */
  private async answer(
    selection: MeasurementSelection,
    reader: Reader,
    isLikelyLong: boolean,
    prepare: (session: Session, state: State, select: Select) => Promise<Listing>,
  ): Promise<Reply> {
    const readable = reader.principal.scopeOf('measurement:read');
    const opening = [CONFIGURATION_STATE];
    const prepared = async (session: OpenedSession) => {
      const state = await this.deps.configurations.readOpened(session, session.opening[0]);
      const partIds = await findSelectedParts(session, selection, readable, this.partCache.at(state.plan));
      return prepare(session, state, (wanted, columns, size) =>
        selectionStatement(wanted, readable, state.configuration, columns, { partIds, areColumnsLarge: size === 'large' }),
      );
    };
    const { database } = this.deps;
    const streamed = reply.stream(HEADERS, (sink, signal) => {
      return database.stream({ ...reader, signal, opening }, async (session) => {
        const listing = await prepared(session);
        await jsonArray(sink, signal, (out) => renderedBatches(session, listing, out));
      });
    });
    if (isLikelyLong && database.canStream(reader.client)) return streamed;
    const whole = await database.snapshot({ ...reader, opening }, async (session) => {
      const { statement, render, size } = await prepared(session);
      const maxRows = WHOLE_ANSWER_ROWS[size] + 1;
      const rows = await session.queryTexts(sql`${statement(maxRows)} LIMIT ${maxRows}::bigint`);
      if (rows.length === maxRows) return undefined;
      const out = new JsonBuffer();
      out.text('[');
      await render(session, rows, out);
      out.text(']');
      return out.take();
    });
    return whole === undefined ? streamed : reply.text(whole, {});
  }

  private rendererOf(session: Session, view: MeasurementView, { configuration, plan }: State): Promise<MeasurementRenderer> {
    const state = revisionKey(plan);
    if (this.sets?.state !== state) this.sets = { state, reader: new CharacteristicSetReader() };
    return MeasurementRenderer.create(session, view, { configuration, versioning: this.deps.versioning, sets: this.sets.reader });
  }
}

async function* renderedBatches(session: Session, { statement, render, size }: Listing, out: JsonBuffer): AsyncGenerator<void> {
  const sizes = { firstRows: FIRST_ROWS[size], batchRows: BATCH_ROWS[size] };
  for await (const rows of readRows(session, statement(), sizes)) {
    for (let first = 0; first < rows.length; first += WRITTEN_ROWS[size]) {
      await render(session, rows.slice(first, first + WRITTEN_ROWS[size]), out);
      yield;
    }
  }
}

/** Selects one measurement; its kind and the path of its part follow the columns. */
function measurementStatement(columns: string): string {
  return `SELECT ${columns}, m.aggregation, p.path FROM measurement m JOIN plan_item p ON p.id = m.part_id WHERE m.uuid = $1`;
}

/** @param row result of {@link measurementStatement} @throws ServiceError 404, 403 */
function readableRow(row: TextRow | undefined, uuid: string, kinds: MeasurementKinds | undefined, { principal }: Reader): TextRow {
  const path = row?.at(-1);
  if (!row || path == null) throw new ServiceError('NotFound', `there is no measurement ${uuid}`);
  if (!principal.scopeOf('measurement:read').includes(path)) {
    throw new ServiceError('Forbidden', `you may not read the measurement ${uuid}`);
  }
  const isAggregation = row.at(-2) === 't';
  if (kinds !== undefined && kinds !== 'all' && isAggregation !== (kinds === 'aggregations')) {
    throw new ServiceError('NotFound', `there is no measurement ${uuid} of the kind that aggregation asks for`);
  }
  return row;
}

async function rendered(renderer: MeasurementRenderer, session: Session, row: TextRow): Promise<Reply> {
  const out = new JsonBuffer();
  await renderer.render(session, [row], out);
  return reply.text(out.take(), {});
}
