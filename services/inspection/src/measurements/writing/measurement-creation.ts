import type { Principal } from '@sinebar/access-control';
import { ServiceError } from '@sinebar/contracts';
import type { SentMeasurement } from '../codec/sent-measurement.js';
import type { PartCharacteristics } from '../sets/characteristic-sets.js';
import type { MeasuredPart } from '../sets/measured-parts.js';
import { measurementEvents, type WrittenMeasurement } from './measurement-events.js';
import { headOf, type MeasurementHead, type RowSource } from './measurement-row.js';
import type { MeasurementTransaction } from './measurement-transaction.js';
import type { NewMeasurement } from './measurement-write-store.js';
import { invalidField, itemAt, placeOf, refuseForbidden } from './sent-checks.js';
import { ValueRows, type ValuePlaces } from './value-rows.js';

/** The measurements that one request creates. */
export interface CreationRequest {
  sent: readonly SentMeasurement[];
  principal: Principal;
}

/** Intermediate results for one request; nothing of a request with a failure is written. */
interface Progress extends CreationRequest {
  owners: readonly MeasuredPart[];
  heads: readonly MeasurementHead[];
  places: ValuePlaces;
  sources: readonly (RowSource | undefined)[];
  failure: ServiceError | undefined;
}

/** Measurements that passed all checks, and the failure of each request that did not. */
export interface PreparedCreation {
  measurements: readonly NewMeasurement[];
  failures: readonly (ServiceError | undefined)[];
}

/** Creates measurements inside one transaction: {@link prepare} and {@link insert} for each batch, then {@link announce}. */
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
   * Checks the measurements of several requests. A request with a mistake is left out as a whole and fails alone.
   * @param sets whether missing characteristic sets are created, which is possible in one call of a transaction only
   * @throws SetMissing
   */
  async prepare(requests: readonly CreationRequest[], sets: 'created' | 'expected'): Promise<PreparedCreation> {
    const { configuration, findParts, commentOf } = this.transaction;
    const { values } = this;
    const parts = await findParts(new Set(requests.flatMap(({ sent }) => sent.flatMap(({ partUuid }) => partUuid ?? []))));
    const work = requests.map((request): Progress => ({ ...request, owners: [], heads: [], places: [], sources: [], failure: undefined }));

    forEachValid(work, (request) => {
      request.owners = ownersOf(request.sent, parts);
      refuseForbidden(request.sent, request.owners, request.principal);
      request.heads = request.sent.map((measurement, i) => headOf(measurement, configuration, placeOf(measurement, i)));
    });
    for (const { sent, owners } of validOf(work)) await values.load(sent, owners);
    forEachValid(work, (request) => {
      request.places = values.places(request.sent, request.owners);
    });
    const owners = validOf(work).flatMap((request) => request.owners);
    const places = validOf(work).flatMap((request) => request.places);
    if (sets === 'created') await values.createMissingSets(owners, places);
    else values.expectSets(owners, places);
    forEachValid(work, (request) => {
      request.sources = values.sources(request.sent, request.owners, request.places);
    });

    const measurements = validOf(work).flatMap((request) =>
      request.sent.map((measurement, i) => ({
        ...itemAt(request.heads, i),
        uuid: measurement.uuid,
        part: itemAt(request.owners, i),
        comment: commentOf(measurement),
        source: request.sources[i],
      })),
    );
    return { measurements, failures: work.map(({ failure }) => failure) };
  }

  /** @param previous as for `MeasurementWriteStore.insert` @throws ServiceError 409 a uuid exists */
  insert(measurements: readonly NewMeasurement[], previous?: Promise<void>): Promise<void> {
    const { store, at } = this.transaction;
    for (const { uuid, part } of measurements) this.written.push({ uuid, part });
    return store.insert(measurements, at, previous);
  }

  /** Announces all measurements. @returns the characteristics that were used */
  announce(): PartCharacteristics[] {
    this.transaction.session.announce(measurementEvents('MeasurementCreated', this.written));
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

function validOf(work: readonly Progress[]): Progress[] {
  return work.filter(({ failure }) => failure === undefined);
}

/** Runs a step for each request without a failure so far. An error that is no ServiceError fails all of them. */
function forEachValid(work: readonly Progress[], step: (request: Progress) => void): void {
  for (const request of validOf(work)) {
    try {
      step(request);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      request.failure = error;
    }
  }
}
