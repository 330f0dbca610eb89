import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Principal } from '@sinebar/access-control';
import { ServiceError } from '@sinebar/contracts';
import type { WorkOptions } from '@sinebar/database';
import type { SentMeasurement } from '../codec/sent-measurement.js';
import { MeasurementCreation } from './measurement-creation.js';
import type { MeasurementTransactions } from './measurement-transaction.js';
import { SetMissing } from './value-rows.js';

/** Yields the measurements of one body, some at a time. @returns false where the scanner cannot read the body */
export type Pieces = Generator<SentMeasurement[], boolean>;

/** Thrown where the scanner cannot read the body, so that the general parser has to. */
class UnexpectedBody extends Error {
  override readonly name = 'UnexpectedBody';
}

/**
 * Creates measurements while their body is read: PostgreSQL stores one piece while the next is prepared. This is the fast path for valid bodies.
 * On any problem it rolls back and returns false; the caller then takes the general path, which reports the error.
 * @param begin starts at the beginning of the body; called again when the transaction is repeated
 * @returns whether the measurements were created
 * @throws ServiceError 503; the reason of the signal
 */
export async function createPiecewise(
  transactions: MeasurementTransactions,
  begin: () => Pieces,
  principal: Principal,
  options: WorkOptions,
): Promise<boolean> {
  // Reads the first piece while the transaction begins.
  let first: ReturnType<typeof readAhead> | undefined = readAhead(begin());
  try {
    await transactions.run(options, async (transaction) => {
      const creation = new MeasurementCreation(transaction);
      const read = first ?? readAhead(begin());
      first = undefined;
      let inserted: Promise<void> = Promise.resolve();
      for (let sent = await read(); sent; sent = await read()) {
        const { measurements, failures } = await creation.prepare([{ sent, principal }], 'expected');
        if (failures[0]) throw failures[0];
        const next = creation.insert(measurements, inserted);
        // Avoids an unhandled rejection while the next piece is prepared: the error is rethrown where `inserted` is awaited.
        next.catch(() => undefined);
        await inserted;
        inserted = next;
      }
      const used = creation.announce();
      await inserted;
      return { result: undefined, used };
    });
    return true;
  } catch (error) {
    const isCausedByBody =
      error instanceof UnexpectedBody || error instanceof SetMissing || (error instanceof ServiceError && error.status < 500);
    if (isCausedByBody && !options.signal.aborted) return false;
    throw error;
  }
}

/**
 * Reads each piece ahead, in a later turn of the event loop, so that other requests and the work on the piece before are not blocked.
 * @returns a function that resolves to the next piece, to `undefined` after the last, and rejects with UnexpectedBody
 */
function readAhead(pieces: Pieces): () => Promise<SentMeasurement[] | undefined> {
  const next = () => {
    const piece = nextTurn().then(() => pieces.next());
    // Avoids an unhandled rejection: the error is rethrown when the piece is awaited.
    piece.catch(() => undefined);
    return piece;
  };
  let ahead = next();
  return async () => {
    const piece = await ahead;
    if (piece.done !== true) {
      ahead = next();
      return piece.value;
    }
    if (!piece.value) throw new UnexpectedBody();
    return undefined;
  };
}
