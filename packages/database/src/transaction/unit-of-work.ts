import { pause } from '@sinebar/concurrency';
import { ServiceError, type PendingChange } from '@sinebar/contracts';
import type { ControlConnections } from '../pool/control-connections.ts';
import type { TransactionOptions, WriteSession } from '../database.ts';
import { Lease, type LeaseDependencies } from '../pool/lease.ts';
import { outboxInsert, toEnvelopes } from '../outbox/outbox.ts';
import { waitingInsert } from '../outbox/waiting-messages.ts';
import { ChangeSession } from './session.ts';
import { isCollision, translateError } from '../connection/translate-error.ts';

/** Repetitions after the first attempt. */
const MAX_RETRIES = 5;
/** Items of events in one statement: some milliseconds of work. */
const ITEMS_PER_INSERT = 5000;
/** What a message is beside its items, in items. */
const ITEMS_PER_CHANGE = 10;

export interface TransactionDependencies {
  lease: LeaseDependencies;
  control: ControlConnections;
  eventSource: string | undefined;
  now: () => Date;
}

interface Committed<T> {
  result: T;
  /** Whether events were inserted into the outbox. */
  announced: boolean;
}

/** The connection was lost in COMMIT and the server reports a rollback. */
class LostTransactionError extends ServiceError {
  override readonly name = 'LostTransactionError';
  constructor(cause: unknown) {
    super('Unavailable', 'The connection to the database was lost; nothing was stored. Try again.', { retryAfterSeconds: 5, cause });
  }
}

/**
 * Runs `work` and the insert of its events in one transaction; repeats it after a collision, up to five times.
 * @throws the error of `work`, translated; then nothing is stored, except for an `Unavailable` that says the outcome is unknown.
 */
export async function runTransaction<T>(
  deps: TransactionDependencies,
  options: TransactionOptions,
  work: (session: WriteSession) => Promise<T>,
): Promise<Committed<T>> {
  for (let retry = 0; ; retry++) {
    try {
      return await Lease.use(deps.lease, options, (lease) => attempt(deps, options, lease, work));
    } catch (error) {
      const repeatable = isCollision(error) || error instanceof LostTransactionError;
      if (!repeatable || retry === MAX_RETRIES || options.signal.aborted) throw error;
    }
    // The random delay keeps two collided transactions apart.
    await pause(Math.random() * 20 * 2 ** retry, options.signal);
  }
}

async function attempt<T>(
  deps: TransactionDependencies,
  options: TransactionOptions,
  lease: Lease,
  work: (session: WriteSession) => Promise<T>,
): Promise<Committed<T>> {
  // BEGIN also returns the transaction id, which must be known before COMMIT is sent.
  const [identity, ...rows] = await lease.begin('ISOLATION LEVEL READ COMMITTED READ WRITE', [
    'SELECT pg_current_xact_id()::text AS id',
    ...(options.opening ?? []),
  ]);
  const transactionId = (identity?.[0] as { id: string } | undefined)?.id;
  if (transactionId === undefined) throw new Error('the database gave a transaction no id');
  const session = new ChangeSession(lease.client, (statement) => lease.execute(statement), rows);

  const result = await work(session);

  options.signal.throwIfAborted();
  let statements = session.lastStatements
    .map((statement) => statement())
    .map((text) => (text === undefined ? '' : `${text};`))
    .join('');
  let announced = false;
  for (const insert of insertsOf(deps, session, options.traceparent)) {
    // Many events are sent before: encoding all of them at once would hold the event loop.
    if (announced) {
      await lease.execute({ text: statements });
      statements = '';
    }
    statements += insert;
    announced = true;
  }
  await commit(deps, lease, transactionId, statements);
  return { result, announced };
}

/** Encodes the announced events as statements of limited size. */
function* insertsOf(
  { eventSource, now }: TransactionDependencies,
  session: ChangeSession,
  traceparent: string | undefined,
): Generator<string> {
  if (session.announced.length === 0) return;
  if (eventSource === undefined) throw new Error('changes were announced by a database that was opened without an event source');
  const time = now();
  const isNotEmpty = (change: PendingChange) => change.events.length > 0;
  const encoded = (changes: readonly PendingChange[]) => outboxInsert(toEnvelopes(changes, eventSource, time, traceparent));
  let together: PendingChange[] = [];
  let itemCount = 0;
  for (const announcement of session.announced) {
    if (typeof announcement === 'number') {
      if (together.length > 0) yield encoded(together);
      [together, itemCount] = [[], 0];
      yield waitingInsert(announcement, eventSource, time, traceparent);
      continue;
    }
    for (const change of announcement.filter(isNotEmpty)) {
      together.push(change);
      itemCount += ITEMS_PER_CHANGE + change.events.length + (change.removedCharacteristics?.length ?? 0);
      if (itemCount < ITEMS_PER_INSERT) continue;
      yield encoded(together);
      [together, itemCount] = [[], 0];
    }
  }
  if (together.length > 0) yield encoded(together);
}

/**
 * Runs the last statements, stores the events and commits, in one message. It cannot be aborted: the caller must learn the outcome.
 * @throws unless the transaction is certainly committed.
 */
async function commit(deps: TransactionDependencies, lease: Lease, transactionId: string, statements: string): Promise<void> {
  if (lease.client.getTransactionStatus() === 'I') {
    throw new Error('the work ended the transaction that it was given');
  }
  const { processId, serverLife } = lease;
  let tag: string | undefined;
  try {
    const results = await lease.executeToTheEnd(`${statements}COMMIT`);
    tag = results.at(-1)?.command;
  } catch (error) {
    if (await lease.answers()) throw causeOf(lease, error);
    const outcome = await deps.control.awaitOutcome({ id: transactionId, processId, serverLife });
    if (outcome === 'committed') return;
    if (outcome === 'aborted') throw new LostTransactionError(error);
    throw new ServiceError(
      'Unavailable',
      'The database was lost while it stored the change. Read before you repeat: the change may have been stored.',
      {
        retryAfterSeconds: 10,
        cause: error,
      },
    );
  }
  // A transaction with a failed statement answers COMMIT with ROLLBACK, without an error.
  if (tag !== 'COMMIT') {
    throw causeOf(lease, new Error(`a statement of the transaction failed and the work did not pass it on: COMMIT answered ${tag}`));
  }
}

/** Returns the failure that the work caught, which explains more than "current transaction is aborted". */
function causeOf(lease: Lease, consequence: unknown): unknown {
  return lease.failure === undefined ? consequence : translateError(lease.failure);
}
