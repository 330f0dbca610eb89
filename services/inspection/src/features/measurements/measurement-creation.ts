import type { Principal } from '@sinebar/access-control';
import { ServiceError } from '@sinebar/contracts';
import type { SentMeasurement } from '../values/sent-measurement.js';
import type { PartCharacteristics, WrittenPart } from './characteristic-sets.js';
import { measurementEvents } from './measurement-events.js';
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
  owners: readonly WrittenPart[];
  heads: readonly MeasurementHead[];
  places: ValuePlaces;
  rows: readonly MakeRow[];
  failure: ServiceError | undefined;
}

/**
 * Writes the measurements of several requests in one transaction. A request that is not right is left out as a whole and fails alone; what the database
 * refuses fails the transaction.
 * @returns the failure of each request, and the characteristics that were used
 * @throws ServiceError 409 a uuid exists
 */
export async function createMeasurements(
  transaction: MeasurementTransaction,
  requests: readonly CreationRequest[],
): Promise<{ failures: (ServiceError | undefined)[]; used: PartCharacteristics[] }> {
  const { session, store, configuration, cache, at, commentOf } = transaction;
  const uuids = new Set(requests.flatMap(({ sent }) => sent.flatMap(({ partUuid }) => partUuid ?? [])));
  const parts = new Map((await store.findParts([...uuids])).map((part) => [part.uuid, part]));
  const work = requests.map((request): Progress => ({ ...request, owners: [], heads: [], places: [], rows: [], failure: undefined }));
  const values = new ValueRows(session, configuration, cache);

  forEachRight(work, (request) => {
    request.owners = ownersOf(request.sent, parts);
    refuseForbidden(request.owners, request.principal);
    request.heads = request.sent.map((measurement, i) => headOf(measurement, configuration, placeOf(measurement, i)));
  });
  for (const { sent, owners } of right(work)) await values.load(sent, owners);
  forEachRight(work, (request) => {
    request.places = values.places(request.sent, request.owners);
  });
  await values.makeMissingSets(
    right(work).flatMap(({ owners }) => owners),
    right(work).flatMap(({ places }) => places),
  );
  forEachRight(work, (request) => {
    request.rows = values.rows(request.sent, request.owners, request.places);
  });

  const written = right(work).flatMap(({ sent, owners, heads, rows }) =>
    sent.map((measurement, i) => ({
      ...itemAt(heads, i),
      uuid: measurement.uuid,
      part: itemAt(owners, i),
      comment: commentOf(measurement),
      makeRow: itemAt(rows, i),
    })),
  );
  await store.insert(written, at);
  session.announce(measurementEvents('MeasurementCreated', written));
  return { failures: work.map(({ failure }) => failure), used: values.used() };
}

function ownersOf(sent: readonly SentMeasurement[], parts: ReadonlyMap<string, WrittenPart>): WrittenPart[] {
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
