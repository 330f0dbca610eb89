import type { Principal } from '@sinebar/access-control';
import { Semaphore } from '@sinebar/concurrency';
import { ServiceError } from '@sinebar/contracts';
import type { WorkOptions } from '@sinebar/database';
import { CharacteristicLists } from '../codec/characteristic-lists.ts';
import { withIndexes, rejectDuplicates, type SentMeasurement } from '../codec/sent-measurement.ts';
import { scanBatches, scanMeasurements } from '../codec/values-scanner.ts';
import { MeasurementCreator } from './measurement-creation.ts';
import { replaceMeasurements } from './measurement-replacement.ts';
import { MeasurementTransactions, type MeasurementWriteDependencies } from './measurement-transaction.ts';
import { RequestQueue } from './request-queue.ts';

export interface MeasurementWriter extends WorkOptions {
  principal: Principal;
}

/** Bytes of the body that one batch covers. A body of more batches has a transaction of its own. */
const MAX_BATCH_BYTES = 320 * 1024;
/** Bodies of several batches that are processed at the same time: one is read while another waits for the disk. */
const LARGE_BODIES = 2;

/** Creates and replaces measurements. */
export class MeasurementWriteService {
  private readonly transactions: MeasurementTransactions;
  private readonly creator: MeasurementCreator;
  private readonly queue: RequestQueue;
  private readonly largeBodies = new Semaphore(LARGE_BODIES);
  private readonly lists = new CharacteristicLists();

  constructor(deps: MeasurementWriteDependencies) {
    this.transactions = new MeasurementTransactions(deps);
    this.creator = new MeasurementCreator(this.transactions);
    this.queue = new RequestQueue(this.creator);
  }

  /**
   * Creates all measurements or none. Concurrent requests share a transaction.
   * @throws ServiceError 400 part missing or unknown, a characteristic of another part, an attribute that does not fit, a uuid twice; 403;
   * 409 a uuid exists
   * spec: inspection-service.md, Measurements POST, Values POST; decisions.md 2.2, 2.6, 5.2
   */
  async create(sent: readonly SentMeasurement[], writer: MeasurementWriter): Promise<void> {
    if (sent.length > 0) await this.queue.add({ sent, ...writer });
  }

  /**
   * Creates the measurements of a body of `/values`, all or none.
   * @throws ServiceError 400 with the position of the mistake, and as for `create`
   * spec: inspection-service.md, Values POST; decisions.md 2.1, 2.7
   */
  async createFrom(body: Buffer, writer: MeasurementWriter): Promise<void> {
    if (body.length < MAX_BATCH_BYTES) await this.create(scanMeasurements(body, this.lists), writer);
    else await this.largeBodies.run(writer.signal, () => this.createLarge(body, writer));
  }

  private async createLarge(body: Buffer, { principal, ...options }: MeasurementWriter): Promise<void> {
    const batches = { [Symbol.iterator]: () => scanBatches(body, MAX_BATCH_BYTES, this.lists) };
    try {
      await this.creator.create([{ batches, principal }], options);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'AlreadyExists') throw error;
      // The conflict ended the transaction before the rest of the body was checked.
      await this.creator.create([{ batches, principal, conflict: error }], options);
    }
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
    const measurements = withIndexes(sent);
    rejectDuplicates(measurements);
    if (sent.length === 0) return;
    await this.transactions.run(options, (transaction) => replaceMeasurements(transaction, measurements, what, principal));
  }

  /** Replaces the measurements of a body of `/values`. @throws ServiceError 400 with the position of the mistake, and as for `replace` */
  replaceFrom(body: Buffer, writer: MeasurementWriter): Promise<void> {
    return this.replace(scanMeasurements(body, this.lists), 'values', writer);
  }
}
