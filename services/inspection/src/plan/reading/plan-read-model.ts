import { ServiceError } from '@sinebar/contracts';
import { readRows, sql, type Database, type Sql, type TextRow } from '@sinebar/database';
import { parseMarkedPath, storedPath, type AttributeSelection, type PlanItemKind } from '@sinebar/query-language';
import { jsonArrayOfTexts, reply, type Reply } from '@sinebar/http';
import { MAX_COUNT } from '../../shared/documentation.ts';
import { cacheHeaders, unchanged, type Reader } from '../../shared/request-context.ts';
import type { ShowComment } from '../../shared/answers/shown-comment.ts';
import { type PlanStateReader } from '../../configuration/plan-state.ts';
import type { Configuration, ConfigurationReader } from '../../configuration/configuration.ts';
import { HISTORY_COLUMN, ITEM_COLUMNS, PlanItemRenderer } from './plan-rows.ts';
import { planCountStatement, planStatement, type PlanSelection } from './plan-query.ts';

/** Most items of an answer that is built in memory; a longer one is streamed on a connection of its own. */
const MAX_WHOLE_ANSWER_ITEMS = 1000;
const BATCH_ITEMS = 1000;

export interface PlanReading {
  selection: (configuration: Configuration) => PlanSelection;
  attributes: Readonly<Record<PlanItemKind, AttributeSelection>>;
  withHistory: boolean;
}

interface Prepared {
  statement: Sql;
  renderer: PlanItemRenderer;
}

export interface PlanReadDependencies {
  database: Database;
  configurations: ConfigurationReader;
  states: PlanStateReader;
  /** Whether the server keeps earlier states. */
  versioning: boolean;
  showComment: ShowComment;
}

/** Answers reads of the inspection plan. spec: inspection-service.md, Parts, Characteristics */
export class PlanReadModel {
  private readonly deps: PlanReadDependencies;

  constructor(deps: PlanReadDependencies) {
    this.deps = deps;
  }

  /** Answers one item as an object. @throws ServiceError 404, 403 */
  async get(kind: PlanItemKind, uuid: string, reading: Omit<PlanReading, 'selection'>, reader: Reader): Promise<Reply> {
    const { database, states, configurations } = this.deps;
    return database.read(reader, async (session) => {
      const withHistory = this.showsHistory(reading);
      const { row, ...read } = await configurations.readStateWith(
        session,
        `SELECT ${columnsOf(withHistory)}, item.path FROM plan_item item WHERE uuid = $1 AND kind = $2`,
        [uuid, kind],
        withHistory ? 'plan-item-history' : 'plan-item',
      );
      const state = states.stateFor(reader, read);
      if (!row) throw new ServiceError('NotFound', `There is no ${kind} ${uuid}.`);
      const readable = reader.principal.scopeOf('plan:read');
      if (!readable.includes(row.pop() ?? '')) throw new ServiceError('Forbidden', `You may not read the ${kind} ${uuid}.`);
      const { renderer } = this.rendering(reading, state.configuration, reader);
      return unchanged(reader, state) ?? reply.text(renderer.render(row), cacheHeaders(state.etag));
    });
  }

  async list(reading: PlanReading, reader: Reader): Promise<Reply> {
    const answer = await this.deps.states.answer<{ large: true }>(reader, async (session, { configuration }) => {
      const { statement, renderer } = this.prepare(reading, configuration, reader);
      const rows = await session.queryTexts(sql`${statement} LIMIT ${MAX_WHOLE_ANSWER_ITEMS + 1}::bigint`);
      if (rows.length > MAX_WHOLE_ANSWER_ITEMS) return { large: true };
      return `[${rows.map((row) => renderer.render(row)).join(',')}]`;
    });
    if (!('rest' in answer)) return answer;
    // The stream runs in a later transaction, so its content may be newer than the validator.
    return reply.stream({ 'Content-Type': 'application/json; charset=utf-8', ...cacheHeaders(answer.etag) }, (sink, signal) =>
      this.deps.database.stream({ ...reader, signal }, async (session) => {
        const { statement, renderer } = this.prepare(reading, await this.deps.configurations.read(session), reader);
        await jsonArrayOfTexts(sink, signal, rendered(readRows(session, statement, { batchRows: BATCH_ITEMS }), renderer));
      }),
    );
  }

  async count(selection: PlanReading['selection'], reader: Reader): Promise<Reply> {
    return this.deps.states.answer(reader, async (session, { configuration }) => {
      const statement = planCountStatement(selection(configuration), reader.principal.scopeOf('plan:read'));
      const [row] = await session.query<{ count: string }>(statement);
      return JSON.stringify({ count: Math.min(Number(row?.count ?? 0), MAX_COUNT) });
    });
  }

  private prepare(reading: PlanReading, configuration: Configuration, reader: Reader): Prepared {
    const { columns, renderer } = this.rendering(reading, configuration, reader);
    const readable = reader.principal.scopeOf('plan:read');
    return { statement: planStatement(reading.selection(configuration), readable, columns), renderer };
  }

  private rendering(reading: Omit<PlanReading, 'selection'>, configuration: Configuration, { principal }: Reader) {
    const withHistory = this.showsHistory(reading);
    const { attributes } = reading;
    const readable = principal.scopeOf('plan:read');
    const showComment = (comment: string) => this.deps.showComment(comment, principal);
    // Shows an earlier state only if the caller may read its former path. docs/decisions/0014-rights.md
    const isPathShown = readable.isEverything
      ? undefined
      : (markedPath: string) => readable.includes(storedPath(parseMarkedPath(markedPath)));
    return {
      columns: columnsOf(withHistory),
      renderer: new PlanItemRenderer({ configuration, attributes, showComment, withHistory, isPathShown }),
    };
  }

  private showsHistory({ withHistory }: Pick<PlanReading, 'withHistory'>): boolean {
    return withHistory && this.deps.versioning;
  }
}

function columnsOf(withHistory: boolean): string {
  return withHistory ? `${ITEM_COLUMNS}, ${HISTORY_COLUMN} AS history` : ITEM_COLUMNS;
}

async function* rendered(batches: AsyncIterable<TextRow[]>, renderer: PlanItemRenderer): AsyncGenerator<string[]> {
  for await (const rows of batches) yield rows.map((row) => renderer.render(row));
}
