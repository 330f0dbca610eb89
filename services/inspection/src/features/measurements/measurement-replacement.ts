import type { Principal } from '@sinebar/access-control';
import { ServiceError } from '@sinebar/contracts';
import type { SentMeasurement } from '../values/sent-measurement.js';
import type { PartCharacteristics, WrittenPart } from './characteristic-sets.js';
import { measurementEvents } from './measurement-events.js';
import { headOf, type ValueRow } from './measurement-row.js';
import type { MeasurementTransaction } from './measurement-transaction.js';
import type { MeasurementWriteStore, StoredMeasurement } from './measurement-write-store.js';
import { invalidField, itemAt, placeOf, refuseForbidden } from './sent-checks.js';
import { ValueRows } from './value-rows.js';

/**
 * Replaces attributes and comment of stored measurements, with `values` the measured values too; part, creation time and files stay.
 * @returns the characteristics that were used
 * @throws ServiceError 404 unknown uuid; 400 another part, an attribute or a value that does not fit; 403
 */
export async function replaceMeasurements(
  { session, store, configuration, cache, at, commentOf }: MeasurementTransaction,
  sent: readonly SentMeasurement[],
  what: 'attributes' | 'values',
  principal: Principal,
): Promise<PartCharacteristics[]> {
  const before = await storedOf(store, sent, what);
  const owners = await ownersOf(store, before);
  refuseForbidden(owners, principal);
  sent.forEach(({ uuid, partUuid }, index) => {
    if (partUuid !== undefined && partUuid !== before[index]?.partUuid)
      throw invalidField(index, 'partUuid', `the measurement ${uuid} belongs to another part, and cannot change it`);
  });
  const changed = sent.map((measurement, i) => ({
    ...headOf(measurement, configuration, placeOf(measurement, i)),
    id: itemAt(before, i).id,
    comment: commentOf(measurement),
    row: undefined,
  }));
  const written = sent.map(({ uuid }, i) => ({ uuid, part: itemAt(owners, i) }));
  if (what === 'attributes') {
    await store.replaceHeads(changed, at);
    session.announce(measurementEvents('MeasurementModified', written));
    return [];
  }
  const values = new ValueRows(session, configuration, cache);
  const rows = await values.rowsOf(sent, owners);
  await store.replace(
    changed.map((measurement, i) => ({ ...measurement, row: rows[i] })),
    at,
  );
  const removed = await removedCharacteristics(store, before, rows);
  session.announce(
    measurementEvents(
      'MeasurementModified',
      written.map((measurement, i) => ({ ...measurement, removed: removed[i] ?? [] })),
    ),
  );
  return values.used();
}

async function storedOf(
  store: MeasurementWriteStore,
  sent: readonly SentMeasurement[],
  what: 'attributes' | 'values',
): Promise<StoredMeasurement[]> {
  const uuids = sent.map(({ uuid }) => uuid);
  const stored = new Map((await store.lockStored(uuids, what === 'values')).map((measurement) => [measurement.uuid, measurement]));
  return uuids.map((uuid, index) => {
    const measurement = stored.get(uuid);
    if (!measurement) throw new ServiceError('NotFound', `[${index}]: there is no measurement ${uuid}`);
    return measurement;
  });
}

async function ownersOf(store: MeasurementWriteStore, before: readonly StoredMeasurement[]): Promise<WrittenPart[]> {
  const found = new Map((await store.findParts([...new Set(before.map(({ partUuid }) => partUuid))])).map((part) => [part.uuid, part]));
  return before.map(({ partUuid }) => {
    const part = found.get(partUuid);
    if (!part) throw new Error(`the part ${partUuid} of a measurement is missing`);
    return part;
  });
}

/** Uuids of the characteristics that had a value before and have none now, for each measurement. */
async function removedCharacteristics(
  store: MeasurementWriteStore,
  before: readonly StoredMeasurement[],
  rows: readonly (ValueRow | undefined)[],
): Promise<string[][]> {
  const staysFull = (i: number) => rows[i]?.isFull === true && rows[i].set.id === before[i]?.setId;
  const affected = before.map(({ setId }, i) => setId !== null && !staysFull(i));
  if (!affected.includes(true)) return [];
  const sets = await store.findSets([...new Set(before.flatMap(({ setId }, i) => (affected[i] && setId !== null ? [setId] : [])))]);
  const removed = before.map(({ setId, absent, extraIds }, i): number[] => {
    if (!affected[i] || setId === null) return [];
    const had = new Set(extraIds?.map(Number));
    const gaps = new Set(absent);
    sets.get(setId)?.forEach((id, position) => {
      if (!gaps.has(position)) had.add(id);
    });
    const row = rows[i];
    row?.set.characteristicIds.forEach((id, position) => {
      if (!Number.isNaN(row.values[position]) || Object.hasOwn(row.extras ?? {}, String(id))) had.delete(id);
    });
    return [...had];
  });
  const uuids = await store.findCharacteristics([...new Set(removed.flat())]);
  return removed.map((ids) => ids.flatMap((id) => uuids.get(id) ?? []));
}
