import { isReadable, type ReadableParts } from '@sinebar/access-control';
import { ServiceError } from '@sinebar/contracts';
import type { Database, Session, TextRow, WorkOptions } from '@sinebar/database';
import { jsonArray, reply, type Reply } from '@sinebar/service-kit';
import { ruleOf } from '../attributes/attribute-values.js';
import type { Reader } from '../caching/plan-state.js';
import type { ConfigurationReader } from '../configuration/configuration.js';
import type { Statement } from '../plan/plan-query.js';
import { CharacteristicSetReader } from './characteristic-set-reader.js';
import { MeasurementRenderer, type MeasurementView } from './measurement-rows.js';
import { selectionStatement, type MeasurementKinds, type MeasurementSelection } from './measurement-selection.js';

/** An answer of up to so many rows is made in one piece; a longer one is streamed on a connection of its own. */
const WHOLE_ANSWER_ROWS = { measurements: 1000, values: 50 };
/** Rows that are in memory at a time. */
const BATCH_ROWS = { measurements: 1000, values: 100 };
const HEADERS = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'private, no-cache' };

export interface MeasurementReadParts {
  database: Database;
  configurations: ConfigurationReader;
  /** Whether the server keeps comments. */
  versioning: boolean;
}

type State = Awaited<ReturnType<ConfigurationReader['readState']>>;

/** A list that is made from the rows of one statement. */
interface Listing {
  statement: Statement;
  /** The rows as JSON texts; it may use the session. */
  render: (session: Session, rows: readonly TextRow[]) => Promise<string[]>;
}

/** Measurements as clients read them. spec: inspection-service.md, Measurements, Values */
export class MeasurementReadModel {
  private readonly parts: MeasurementReadParts;
  /** Those of the state of the plan that was read last. */
  private sets: { state: string; reader: CharacteristicSetReader } | undefined;

  constructor(parts: MeasurementReadParts) {
    this.parts = parts;
  }

  /**
   * One measurement as an object.
   * @param kinds where given, any other measurement is not found
   * @throws ServiceError 404, 403
   */
  async get(uuid: string, kinds: MeasurementKinds | undefined, view: MeasurementView, reader: Reader): Promise<Reply> {
    return this.parts.database.snapshot(reader, async (session) => {
      const renderer = this.rendererOf(view, await this.parts.configurations.readState(session));
      const [row] = await session.queryTexts(
        `SELECT ${renderer.columns}, m.aggregation, p.path FROM measurement m JOIN plan_item p ON p.id = m.part_id WHERE m.uuid = $1`,
        [uuid],
      );
      const path = row?.pop();
      const isAggregation = row?.pop() === 't';
      if (!row || path == null) throw new ServiceError('NotFound', `there is no measurement ${uuid}`);
      if (!isReadable(reader.principal.partsWith('measurement:read'), path)) {
        throw new ServiceError('Forbidden', `you may not read the measurement ${uuid}`);
      }
      if (kinds !== undefined && kinds !== 'all' && isAggregation !== (kinds === 'aggregations')) {
        throw new ServiceError('NotFound', `there is no measurement ${uuid} of the kind that aggregation asks for`);
      }
      const [text = ''] = await renderer.render(session, [row]);
      return reply.text(text, {});
    });
  }

  list(selection: MeasurementSelection, view: MeasurementView, reader: Reader): Promise<Reply> {
    return this.answer(reader, view.values ? 'values' : 'measurements', (state, readable) => {
      const renderer = this.rendererOf(view, state);
      return {
        statement: selectionStatement(selection, readable, state.configuration, renderer.columns),
        render: (session, rows) => renderer.render(session, rows),
      };
    });
  }

  /** The different values of an attribute, in the order of the first measurements that have them. spec: decisions.md 5.9 */
  distinctValues(key: number, selection: MeasurementSelection, reader: Reader): Promise<Reply> {
    return this.answer(reader, 'measurements', ({ configuration }, readable) => {
      const isDefined = ruleOf(configuration, 'measurement', key) !== undefined;
      const column = isDefined ? `coalesce(m.attributes ->> '${key}', '') AS value` : `'' AS value`;
      const { text, values } = selectionStatement(selection, readable, configuration, column);
      return {
        statement: {
          text: `SELECT value FROM (SELECT value, row_number() OVER () AS place FROM (${text}) selected) numbered GROUP BY value ORDER BY min(place)`,
          values,
        },
        render: (_session, rows) => Promise.resolve(rows.map(([value]) => JSON.stringify(value))),
      };
    });
  }

  private async answer(
    reader: Reader,
    size: keyof typeof BATCH_ROWS,
    prepare: (state: State, readable: ReadableParts) => Listing,
  ): Promise<Reply> {
    const readable = reader.principal.partsWith('measurement:read');
    const whole = await this.parts.database.snapshot(reader, async (session) => {
      const { statement, render } = prepare(await this.parts.configurations.readState(session), readable);
      const rows = await session.queryTexts(`${statement.text} LIMIT ${WHOLE_ANSWER_ROWS[size] + 1}`, statement.values);
      return rows.length > WHOLE_ANSWER_ROWS[size] ? undefined : `[${(await render(session, rows)).join(',')}]`;
    });
    if (whole !== undefined) return reply.text(whole, {});
    return reply.stream(HEADERS, (sink, signal) => {
      const options: WorkOptions = { signal, statementTimeoutMs: reader.statementTimeoutMs };
      return this.parts.database.stream(options, async (session) => {
        const listing = prepare(await this.parts.configurations.readState(session), readable);
        await jsonArray(sink, signal, rendered(session, listing, BATCH_ROWS[size]));
      });
    });
  }

  private rendererOf(view: MeasurementView, { configuration, plan }: State): MeasurementRenderer {
    // The time, too: a database that was restored from a backup counts once more from an old revision.
    const state = `${plan.revision} ${plan.at.toISOString()}`;
    if (this.sets?.state !== state) this.sets = { state, reader: new CharacteristicSetReader() };
    return new MeasurementRenderer(view, configuration, this.parts.versioning, this.sets.reader);
  }
}

/**
 * A cursor of SQL: other than the driver's it leaves the connection free between two batches, for the characteristic sets that the next rows need; and
 * PostgreSQL plans its statement for the first rows to come soon.
 */
async function* rendered(session: Session, { statement, render }: Listing, batchRows: number): AsyncGenerator<string[]> {
  await session.query(`DECLARE listing NO SCROLL CURSOR FOR ${statement.text}`, statement.values);
  for (;;) {
    const rows = await session.queryTexts(`FETCH ${batchRows} FROM listing`);
    if (rows.length > 0) yield await render(session, rows);
    if (rows.length < batchRows) return;
  }
}
