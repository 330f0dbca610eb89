import type { Principal } from '@sinebar/access-control';
import { ServiceError } from '@sinebar/contracts';
import type { SentMeasurement } from '../codec/sent-measurement.js';
import type { PartCharacteristics } from '../sets/characteristic-sets.js';
import type { MeasuredPart } from '../sets/measured-parts.js';
import { measurementEvents, type WrittenMeasurement } from './measurement-events.js';
import { headOf, type MeasurementHead } from './measurement-row.js';
import type { MeasurementTransaction } from './measurement-transaction.js';
import { invalidField, itemAt, placeOf, refuseForbidden } from './sent-checks.js';
import { ValueRows, type MakeRow, type ValuePlaces } from './value-rows.js';

/** Measurements that one request wants to create. */
export interface CreationRequest {
  sent: readonly SentMeasurement[];
  principal: Principal;
}

/** What is known of a request while it is worked on; with a failure nothing of it is written. */
interface Progress extends CreationRequest {
  owners: readonly MeasuredPart[];
  heads: readonly MeasurementHead[];
  places: ValuePlaces;
  rows: readonly MakeRow[];
  failure: ServiceError | undefined;
}

/** Creates measurements inside one transaction, some after others. */
export class MeasurementCreation {
  private readonly transaction: MeasurementTransaction;
  private readonly values: ValueRows;
  private readonly written: WrittenMeasurement[] = [];

  constructor(transaction: MeasurementTransaction) {
    const { session, configuration, cache } = transaction;
    this.transaction = transaction;
    this.values = new ValueRows(session, configuration, cache);
  }

  /**
   * Writes the measurements of several requests. A request that is not right is left out as a whole and fails alone; what the database refuses fails the
   * transaction, here or later.
   * @param sets whether missing characteristic sets are made, in one call of a transaction at most
   * @returns the failure of each request
   * @throws ServiceError 409 a uuid exists
   * @throws SetMissing
   */
  async add(requests: readonly CreationRequest[], sets: 'made' | 'expected'): Promise<(ServiceError | undefined)[]> {
    const { store, configuration, findParts, at, commentOf } = this.transaction;
    const { values } = this;
    const parts = await findParts(new Set(requests.flatMap(({ sent }) => sent.flatMap(({ partUuid }) => partUuid ?? []))));
    const work = requests.map((request): Progress => ({ ...request, owners: [], heads: [], places: [], rows: [], failure: undefined }));

    forEachRight(work, (request) => {
      request.owners = ownersOf(request.sent, parts);
      refuseForbidden(request.sent, request.owners, request.principal);
      request.heads = request.sent.map((measurement, i) => headOf(measurement, configuration, placeOf(measurement, i)));
    });
    for (const { sent, owners } of right(work)) await values.load(sent, owners);
    forEachRight(work, (request) => {
      request.places = values.places(request.sent, request.owners);
    });
    const owners = right(work).flatMap((request) => request.owners);
    const places = right(work).flatMap((request) => request.places);
    if (sets === 'made') await values.makeMissingSets(owners, places);
    else values.expectSets(owners, places);
    forEachRight(work, (request) => {
      request.rows = values.rows(request.sent, request.owners, request.places);
    });

    const measurements = right(work).flatMap((request) =>
      request.sent.map((measurement, i) => ({
        ...itemAt(request.heads, i),
        uuid: measurement.uuid,
        part: itemAt(request.owners, i),
        comment: commentOf(measurement),
        makeRow: itemAt(request.rows, i),
      })),
    );
    await store.insert(measurements, at);
    for (const { uuid, part } of measurements) this.written.push({ uuid, part });
    return work.map(({ failure }) => failure);
  }

  /**
   * Announces all, and waits until they are inserted.
   * @returns the characteristics that were used
   * @throws ServiceError 409 a uuid exists
   */
  async end(): Promise<PartCharacteristics[]> {
    const { store, session } = this.transaction;
    session.announce(measurementEvents('MeasurementCreated', this.written));
    await store.inserted();
    return this.values.used();
  }
}

function ownersOf(sent: readonly SentMeasurement[], parts: ReadonlyMap<string, MeasuredPart>): MeasuredPart[] {
  return sent.map(({ uuid, partUuid }, index) => {
    if (partUuid === undefined) throw invalidField(index, 'partUuid', `the measurement ${uuid} needs the uuid of its part`);
    const part = parts.get(partUuid);
    if (!part) throw invalidField(index, 'partUuid', `there is no part ${partUuid} for the measurement ${uuid}`);
    return part;
  });
}

function right(work: readonly Progress[]): Progress[] {
  return work.filter(({ failure }) => failure === undefined);
}

/** Does a step for each request that is right so far; a defect fails all of them. */
function forEachRight(work: readonly Progress[], step: (request: Progress) => void): void {
  for (const request of right(work)) {
    try {
      step(request);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      request.failure = error;
    }
  }
}
