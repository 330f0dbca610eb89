import type { Principal } from '@sinebar/access-control';
import type { WorkOptions } from '@sinebar/database';
import { Semaphore } from '@sinebar/concurrency';
import { CharacteristicLists } from '../codec/characteristic-lists.js';
import type { SentMeasurement } from '../codec/sent-measurement.js';
import { scanMeasurements, scanPieces } from '../codec/values-scanner.js';
import { MeasurementBatcher } from './measurement-batcher.js';
import { MeasurementCreation } from './measurement-creation.js';
import { replaceMeasurements } from './measurement-replacement.js';
import { MeasurementTransactions, type MeasurementWriteDependencies } from './measurement-transaction.js';
import { createPiecewise } from './piecewise-creation.js';
import { rejectDuplicates } from './sent-checks.js';

export interface MeasurementWriter extends WorkOptions {
  principal: Principal;
}

/** Bodies of this size or more are stored while they are read. */
const LARGE_BODY_BYTES = 256 * 1024;
/** Bytes of the body that one piece covers. */
const PIECE_BYTES = 320 * 1024;
/** Large bodies that are processed at the same time: one is read while another waits for the disk. */
const LARGE_BODIES = 2;

/** Creates and replaces measurements. */
export class MeasurementWriteService {
  private readonly transactions: MeasurementTransactions;
  private readonly batcher: MeasurementBatcher;
  private readonly largeBodies = new Semaphore(LARGE_BODIES);
  private readonly lists = new CharacteristicLists();

  constructor(deps: MeasurementWriteDependencies) {
    this.transactions = new MeasurementTransactions(deps);
    this.batcher = new MeasurementBatcher((requests, options) =>
      this.transactions.run(options, async (transaction) => {
        const creation = new MeasurementCreation(transaction);
        const { measurements, failures } = await creation.prepare(requests, 'created');
        await creation.insert(measurements);
        return { result: failures, used: creation.announce() };
      }),
    );
  }

  /**
   * Creates all measurements or none. Concurrent requests share a transaction.
   * @throws ServiceError 400 part missing or unknown, a characteristic of another part, an attribute that does not fit, a uuid twice; 403; 409 a uuid exists
   * spec: inspection-service.md, Measurements POST, Values POST; decisions.md 2.2, 2.6, 5.2
   */
  async create(sent: readonly SentMeasurement[], { principal, ...options }: MeasurementWriter): Promise<void> {
    rejectDuplicates(sent);
    if (sent.length > 0) await this.batcher.add({ sent, principal, ...options });
  }

  /**
   * Creates the measurements of a body of `/values`, all or none.
   * @throws ServiceError 400 with the place of the mistake, and as for `create`
   * spec: inspection-service.md, Values POST; decisions.md 2.1, 2.7
   */
  async createFrom(body: Buffer, { principal, ...options }: MeasurementWriter): Promise<void> {
    if (body.length >= LARGE_BODY_BYTES) {
      const pieces = () => scanPieces(body, PIECE_BYTES, this.lists);
      const create = () => createPiecewise(this.transactions, pieces, principal, options);
      if (await this.largeBodies.run(options.signal, create)) return;
    }
    await this.create(scanMeasurements(body, this.lists), { principal, ...options });
  }

  /**
   * Replaces attributes and comment, and with `values` the measured values. Part, creation time and files stay.
   * @throws ServiceError 404 unknown uuid; 400 another part, and as for `create`; 403
   * spec: inspection-service.md, Measurements PUT, Values PUT; decisions.md 2.6, 5.5
   */
  async replace(
    sent: readonly SentMeasurement[],
    what: 'attributes' | 'values',
    { principal, ...options }: MeasurementWriter,
  ): Promise<void> {
    rejectDuplicates(sent);
    if (sent.length === 0) return;
    await this.transactions.run(options, async (transaction) => {
      const used = await replaceMeasurements(transaction, sent, what, principal);
      return { result: undefined, used };
    });
  }

  /** Replaces the measurements of a body of `/values`. @throws ServiceError 400 with the place of the mistake, and as for `replace` */
  replaceFrom(body: Buffer, writer: MeasurementWriter): Promise<void> {
    return this.replace(scanMeasurements(body, this.lists), 'values', writer);
  }
}
