import type { ErrorBody, ImportAnswer, OperationState } from '@sinebar/contracts';
import type { Session } from '@sinebar/database';

const RETENTION = `interval '1 day'`;
/** Time after which a process that wrote no sign of its import is taken for ended. */
const SILENCE = `interval '60 seconds'`;

interface StateRow {
  finished: boolean;
  silent: boolean;
  done: string;
  total: string;
  failure: ErrorBody | null;
  answer: ImportAnswer | null;
  [column: string]: unknown;
}

/** Imports in the background, within one transaction. */
export class ImportOperationStore {
  private readonly session: Session;

  constructor(session: Session) {
    this.session = session;
  }

  async add(uuid: string, requestedBy: string, total: number, at: Date): Promise<void> {
    await this.session.query(`DELETE FROM import_operation WHERE alive_at < $1::timestamptz - ${RETENTION}`, [at]);
    await this.session.query(
      'INSERT INTO import_operation (uuid, requested_by, requested_at, alive_at, total) VALUES ($1, $2, $3, $3, $4)',
      [uuid, requestedBy, at, total],
    );
  }

  async noteProgress(uuid: string, done: number, at: Date): Promise<void> {
    await this.session.query('UPDATE import_operation SET done = $2, alive_at = $3 WHERE uuid = $1::uuid', [uuid, done, at]);
  }

  async finish(uuid: string, at: Date, outcome: { answer: ImportAnswer } | { failure: ErrorBody }): Promise<void> {
    await this.session.query(
      'UPDATE import_operation SET finished_at = $2, alive_at = $2, done = total, failure = $3, answer = $4 WHERE uuid = $1::uuid',
      [
        uuid,
        at,
        'failure' in outcome ? JSON.stringify(outcome.failure) : null,
        'answer' in outcome ? JSON.stringify(outcome.answer) : null,
      ],
    );
  }

  /** @returns the user key of the caller who requested it; `undefined` when there is no such import */
  async findRequester(uuid: string): Promise<string | undefined> {
    const [row] = await this.session.query<{ name: string }>('SELECT requested_by AS name FROM import_operation WHERE uuid = $1::uuid', [
      uuid,
    ]);
    return row?.name;
  }

  /** @returns `undefined` when there is no such import */
  async state(uuid: string, at: Date): Promise<OperationState | undefined> {
    const [row] = await this.session.query<StateRow>(
      `SELECT finished_at IS NOT NULL AS finished, alive_at < $2::timestamptz - ${SILENCE} AS silent,
         done::text, total::text, failure, answer
       FROM import_operation WHERE uuid = $1::uuid`,
      [uuid, at],
    );
    if (!row) return undefined;
    const { finished, silent, done, total, failure, answer } = row;
    const exception = failure ?? (!finished && silent ? stopped(uuid) : null);
    return {
      OperationUuid: uuid,
      ExecutionStatus: exception ? 'Exception' : finished ? 'Finished' : 'Running',
      Exception: exception,
      Progress: { done: Number(done), total: Number(total) },
      ...(answer && { Result: answer }),
    };
  }
}

function stopped(uuid: string): ErrorBody {
  const message = 'The server that imported the file has stopped. Send the file again; it is stored once.';
  return { message, Message: message, ExceptionType: 'Unavailable', StackTrace: '', requestId: uuid };
}
