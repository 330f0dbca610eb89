import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Principal } from '@sinebar/access-control';
import { ServiceError } from '@sinebar/contracts';
import type { WorkOptions } from '@sinebar/database';
import type { SentMeasurement } from '../codec/sent-measurement.js';
import { MeasurementCreation } from './measurement-creation.js';
import type { MeasurementTransactions } from './measurement-transaction.js';
import { SetMissing } from './value-rows.js';

/** Measurements of one body, some at a time. @returns false where the body is not as expected */
export type Pieces = Generator<SentMeasurement[], boolean>;

/** The body is not as expected: it has to be read as a whole. */
class Unexpected extends Error {
  override readonly name = 'Unexpected';
}

/**
 * Creates measurements while their body is read: the database stores the first ones while the next are made ready. It is for what is right: of what is not
 * nothing is written, and whoever reads the body as a whole then finds out what is wrong with it.
 * @param begin begins at the start of the body; once more when the transaction is repeated
 * @returns whether they were created
 * @throws ServiceError 503; the reason of the signal
 */
export async function createPiecewise(
  transactions: MeasurementTransactions,
  begin: () => Pieces,
  principal: Principal,
  options: WorkOptions,
): Promise<boolean> {
  // While the transaction begins.
  let first: ReturnType<typeof readAhead> | undefined = readAhead(begin());
  try {
    await transactions.run(options, async (transaction) => {
      const creation = new MeasurementCreation(transaction);
      const read = first ?? readAhead(begin());
      first = undefined;
      for (let sent = await read(); sent; sent = await read()) {
        const [failure] = await creation.add([{ sent, principal }], 'expected');
        if (failure) throw failure;
      }
      return { result: undefined, used: await creation.end() };
    });
    return true;
  } catch (error) {
    const isOfTheBody = error instanceof Unexpected || error instanceof SetMissing || (error instanceof ServiceError && error.status < 500);
    if (isOfTheBody && !options.signal.aborted) return false;
    throw error;
  }
}

/**
 * Reads each piece before it is asked for, in turns of the event loop between the steps of the work on the one before.
 * @returns gives the next piece, `undefined` behind the last. @throws Unexpected
 */
function readAhead(pieces: Pieces): () => Promise<SentMeasurement[] | undefined> {
  const next = () => {
    const piece = nextTurn().then(() => pieces.next());
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
    if (!piece.value) throw new Unexpected();
    return undefined;
  };
}
