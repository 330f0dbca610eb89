import type { Principal } from '@sinebar/access-control';
import type { WorkOptions } from '@sinebar/database';
import type { SentMeasurement } from '../values/sent-measurement.js';
import { MeasurementBatcher } from './measurement-batcher.js';
import { createMeasurements } from './measurement-creation.js';
import { replaceMeasurements } from './measurement-replacement.js';
import { MeasurementTransactions, type MeasurementWriteParts } from './measurement-transaction.js';
import { refuseDoubles } from './sent-checks.js';

export interface MeasurementWriter extends WorkOptions {
  principal: Principal;
}

/** Creates and replaces measurements. */
export class MeasurementWriteService {
  private readonly transactions: MeasurementTransactions;
  private readonly batcher: MeasurementBatcher;

  constructor(parts: MeasurementWriteParts) {
    this.transactions = new MeasurementTransactions(parts);
    this.batcher = new MeasurementBatcher((requests, options) =>
      this.transactions.run(options, async (transaction) => {
        const { failures, used } = await createMeasurements(transaction, requests);
        return { result: failures, used };
      }),
    );
  }

  /**
   * All or nothing; requests that come at the same time share a transaction.
   * @throws ServiceError 400 part missing or unknown, a characteristic of another part, an attribute that does not fit, a uuid twice; 403; 409 a uuid exists
   * spec: inspection-service.md, Measurements POST, Values POST; decisions.md 2.2, 2.6, 5.2
   */
  async create(sent: readonly SentMeasurement[], { principal, ...options }: MeasurementWriter): Promise<void> {
    refuseDoubles(sent);
    if (sent.length > 0) await this.batcher.add({ sent, principal, ...options });
  }

  /**
   * Replaces attributes and comment, with `values` the measured values too; part, creation time and files stay.
   * @throws ServiceError 404 unknown uuid; 400 another part, and as for `create`; 403
   * spec: inspection-service.md, Measurements PUT, Values PUT; decisions.md 2.6, 5.5
   */
  async replace(
    sent: readonly SentMeasurement[],
    what: 'attributes' | 'values',
    { principal, ...options }: MeasurementWriter,
  ): Promise<void> {
    refuseDoubles(sent);
    if (sent.length === 0) return;
    await this.transactions.run(options, async (transaction) => {
      const used = await replaceMeasurements(transaction, sent, what, principal);
      return { result: undefined, used };
    });
  }
}
