import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Principal } from '@sinebar/access-control';
import { invalidField, ServiceError } from '@sinebar/contracts';
import type { WorkOptions } from '@sinebar/database';
import { withIndexes, rejectDuplicates, type IndexedMeasurement, type SentMeasurement } from '../codec/sent-measurement.ts';
import type { ValueIndexes } from '../sets/characteristic-sets.ts';
import { refuseForbidden, type MeasuredPart } from '../sets/measured-parts.ts';
import { checkValues, headOf, rowBatches, type MeasurementHead } from './measurement-row.ts';
import type { MeasurementTransaction, MeasurementTransactions, WrittenMeasurement } from './measurement-transaction.ts';
import { insertStatement, type InsertStatement, type NewMeasurement } from './measurement-write-store.ts';

/** The measurements that one request creates. */
export interface CreationRequest {
  /** The body, some measurements at a time; read again when the transaction is repeated. */
  batches: Iterable<readonly SentMeasurement[]>;
  principal: Principal;
  /** An error that the database gave: nothing is stored, and a mistake in the body replaces the error. */
  conflict?: ServiceError | undefined;
}

/** Creates measurements, those of several requests in one transaction. */
export class MeasurementCreator {
  private readonly transactions: MeasurementTransactions;

  constructor(transactions: MeasurementTransactions) {
    this.transactions = transactions;
  }

  /**
   * @returns the failure of each of several requests, where it was left out
   * @throws ServiceError the failure of a single request; 409 a uuid exists
   */
  create(requests: readonly CreationRequest[], options: WorkOptions): Promise<readonly (ServiceError | undefined)[]> {
    return this.transactions.run(options, (transaction) => new MeasurementCreation(transaction, requests).run());
  }
}

/** The checks in their order: of several mistakes in a body, the one that an earlier check finds is the answer. */
const CHECKS = { uuid: 0, part: 1, right: 2, attributes: 3, characteristics: 4, values: 5, isNew: 6 } as const;
type Check = (typeof CHECKS)[keyof typeof CHECKS];

/** How far a request has come. */
interface Progress {
  principal: Principal;
  batches: Iterator<readonly SentMeasurement[]>;
  /** Measurements read so far. */
  count: number;
  /** Their indexes by uuid. */
  uuids: Map<string, number>;
  failure: { check: Check; error: ServiceError } | undefined;
}

/** Measurements of one request, and what the checks found for each. */
interface Batch {
  request: Progress;
  sent: readonly IndexedMeasurement[];
  owners: readonly MeasuredPart[];
  heads: readonly MeasurementHead[];
  indexes: ValueIndexes;
}

/** Creates the measurements of several requests in one transaction; a request with a mistake is left out as a whole. */
export class MeasurementCreation {
  private readonly transaction: MeasurementTransaction;
  private readonly requests: readonly Progress[];
  private readonly written: WrittenMeasurement[] = [];

  /** @param requests one, or several of one batch each */
  constructor(transaction: MeasurementTransaction, requests: readonly CreationRequest[]) {
    this.transaction = transaction;
    this.requests = requests.map(({ batches, principal, conflict }) => ({
      principal,
      batches: batches[Symbol.iterator](),
      count: 0,
      uuids: new Map(),
      failure: conflict && { check: CHECKS.isNew, error: conflict },
    }));
  }

  /**
   * Stores one statement while the next is read and checked.
   * @returns the failure of each of several requests, where it was left out
   * @throws ServiceError the failure of a single request; 409 a uuid exists
   */
  async run(): Promise<(ServiceError | undefined)[]> {
    const statements = this.statements();
    let storing: Promise<void> | undefined;
    for (;;) {
      const [next, stored] = await Promise.allSettled([statements.next(), storing]);
      // After a failed statement the checks cannot read any more: their error is only its consequence.
      if (stored.status === 'rejected') throw stored.reason;
      if (next.status === 'rejected') throw next.reason;
      if (next.value.done === true) return next.value.value;
      storing = this.transaction.store.insert(next.value.value, (uuid) => this.indexOf(uuid));
    }
  }

  /** Returns the index of a measurement in its request; those of one transaction have different uuids. */
  private indexOf(uuid: string): number {
    return this.requests.map(({ uuids }) => uuids.get(uuid)).find((index) => index !== undefined) ?? 0;
  }

  private async *statements(): AsyncGenerator<InsertStatement, (ServiceError | undefined)[]> {
    const { configuration, at, announce } = this.transaction;
    for (let batches = this.nextBatches(); batches.length > 0; batches = this.nextBatches()) {
      const measurements = await this.check(batches);
      for (const { sent, part } of measurements) this.written.push({ uuid: sent.uuid, part });
      for (const batch of rowBatches(measurements, configuration)) yield insertStatement(batch, at);
      // The statement is sent, and other requests continue, before more is read.
      await nextTurn();
    }
    const [only, ...others] = this.requests;
    if (only?.failure && others.length === 0) throw only.failure.error;
    announce('MeasurementCreated', this.written);
    return this.requests.map(({ failure }) => failure?.error);
  }

  /** Reads the next batch of each request that is not at its end. */
  private nextBatches(): Batch[] {
    return this.requests.flatMap((request) => {
      const next = request.batches.next();
      if (next.done === true) return [];
      const sent = withIndexes(next.value, request.count);
      request.count += sent.length;
      return { request, sent, owners: [], heads: [], indexes: [] };
    });
  }

  /** @returns what is to be inserted; nothing of requests with a mistake */
  private async check(batches: readonly Batch[]): Promise<NewMeasurement[]> {
    const { configuration, characteristics, findParts, commentOf } = this.transaction;
    runCheck(CHECKS.uuid, batches, ({ sent, request }) => rejectDuplicates(sent, request.uuids));

    const parts = await findParts(partUuidsOf(dueFor(CHECKS.part, batches)));
    runCheck(CHECKS.part, batches, (batch) => (batch.owners = ownersOf(batch.sent, parts)));
    runCheck(CHECKS.right, batches, ({ sent, owners, request }) => refuseForbidden(sent, owners, request.principal));
    runCheck(CHECKS.attributes, batches, (batch) => (batch.heads = batch.sent.map((measurement) => headOf(measurement, configuration))));

    for (const { sent, owners } of dueFor(CHECKS.characteristics, batches)) await characteristics.load(sent, owners);
    runCheck(CHECKS.characteristics, batches, (batch) => (batch.indexes = characteristics.indexes(batch.sent, batch.owners)));
    const valid = validOf(batches);
    await characteristics.createMissingSets(
      valid.flatMap(({ owners }) => owners),
      valid.flatMap(({ indexes }) => indexes),
    );
    runCheck(CHECKS.values, batches, ({ sent }) => sent.forEach((measurement) => checkValues(measurement, configuration)));

    return validOf(batches).flatMap((batch) =>
      batch.sent.map((sent, i) => {
        const part = batch.owners[i] as MeasuredPart;
        const head = batch.heads[i] as MeasurementHead;
        return { ...head, sent, part, comment: commentOf(sent), indexes: batch.indexes[i], characteristics: characteristics.of(part) };
      }),
    );
  }
}

function partUuidsOf(batches: readonly Batch[]): Set<string> {
  return new Set(batches.flatMap(({ sent }) => sent.flatMap(({ partUuid }) => partUuid ?? [])));
}

function ownersOf(sent: readonly IndexedMeasurement[], parts: ReadonlyMap<string, MeasuredPart>): MeasuredPart[] {
  return sent.map(({ uuid, index, partUuid }) => {
    if (partUuid === undefined) throw invalidField(`[${index}].partUuid`, `The measurement ${uuid} needs the uuid of its part.`);
    const part = parts.get(partUuid);
    if (!part) throw invalidField(`[${index}].partUuid`, `There is no part ${partUuid} for the measurement ${uuid}.`);
    return part;
  });
}

/** Runs a check for each batch; its mistake replaces that of a later check. An error that is no ServiceError fails all requests. */
function runCheck(check: Check, batches: readonly Batch[], run: (batch: Batch) => unknown): void {
  for (const batch of dueFor(check, batches)) {
    try {
      run(batch);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      batch.request.failure = { check, error };
    }
  }
}

/** Batches of requests that have no mistake so far, or one of a later check. */
function dueFor(check: Check, batches: readonly Batch[]): Batch[] {
  return batches.filter(({ request: { failure } }) => failure === undefined || check < failure.check);
}

function validOf(batches: readonly Batch[]): Batch[] {
  return batches.filter(({ request }) => request.failure === undefined);
}
