import type { Principal } from '@sinebar/access-control';
import { invalidField, ServiceError } from '@sinebar/contracts';
import { refuseUnlessStored, type OutdatedValue } from '../../configuration/attribute-values.ts';
import type { IndexedMeasurement } from '../codec/sent-measurement.ts';
import { refuseForbidden, type MeasuredPart } from '../sets/measured-parts.ts';
import { checkValues, headOf, rowBatches, type ValueRow } from './measurement-row.ts';
import type { MeasurementTransaction } from './measurement-transaction.ts';
import type { MeasurementWriteStore, StoredMeasurement } from './measurement-write-store.ts';

/**
 * Replaces attributes and comment of stored measurements, and with `values` the measured values. Part, creation time and files stay.
 * @throws ServiceError 404 unknown uuid; 400 another part, an attribute or a value that does not fit; 403
 */
export async function replaceMeasurements(
  { store, configuration, characteristics, findParts, at, commentOf, announce }: MeasurementTransaction,
  sent: readonly IndexedMeasurement[],
  what: 'attributes' | 'values',
  principal: Principal,
): Promise<void> {
  const before = await readStored(store, sent, what);
  const owners = ownersOf(before, await findParts(new Set(before.map(({ partUuid }) => partUuid))));
  refuseForbidden(sent, owners, principal);
  for (const { uuid, partUuid, index } of sent) {
    if (partUuid !== undefined && partUuid !== before[index]?.partUuid)
      throw invalidField(`[${index}].partUuid`, `The measurement ${uuid} belongs to another part, and cannot change it.`);
  }
  const outdated = new OutdatedValues();
  const changed = sent.map((measurement) => {
    const stored = itemAt(before, measurement.index);
    const head = headOf(measurement, configuration, (value) => outdated.note(stored.id, '', value));
    return { ...head, before: stored, comment: commentOf(measurement) };
  });
  const written = sent.map(({ uuid, index }) => ({ uuid, part: itemAt(owners, index) }));
  if (what === 'attributes') {
    await outdated.refuseUnlessStored(store);
    await store.replaceHeads(changed, at);
    announce('MeasurementModified', written);
    return;
  }
  await characteristics.load(sent, owners);
  const indexes = characteristics.indexes(sent, owners);
  await characteristics.createMissingSets(owners, indexes);
  for (const measurement of sent) {
    const { id } = itemAt(before, measurement.index);
    checkValues(measurement, configuration, (characteristic, value) => outdated.note(id, characteristic, value));
  }
  await outdated.refuseUnlessStored(store);
  const rows = sent.map((measurement, i) => ({
    ...itemAt(changed, i),
    sent: measurement,
    indexes: indexes[i],
    characteristics: characteristics.of(itemAt(owners, i)),
  }));
  const removal = await RemovedCharacteristics.of(store, before);
  for (const batch of rowBatches(rows, configuration)) {
    for (const { sent: measurement, row } of batch) removal.note(measurement.index, row);
    await store.replace(batch, at);
  }
  const removed = await removal.uuids(store);
  announce(
    'MeasurementModified',
    written.map((measurement, i) => ({ ...measurement, removed: removed[i] ?? [], valuesVersion: itemAt(before, i).valuesVersion + 1 })),
  );
}

function itemAt<T>(items: readonly T[], index: number): T {
  return items[index] as T;
}

async function readStored(
  store: MeasurementWriteStore,
  sent: readonly IndexedMeasurement[],
  what: 'attributes' | 'values',
): Promise<StoredMeasurement[]> {
  const uuids = sent.map(({ uuid }) => uuid);
  const stored = new Map((await store.lockStored(uuids, what === 'values')).map((measurement) => [measurement.uuid, measurement]));
  return sent.map(({ uuid, index }) => {
    const measurement = stored.get(uuid);
    if (!measurement) throw new ServiceError('NotFound', `[${index}]: There is no measurement ${uuid}.`);
    return measurement;
  });
}

function ownersOf(before: readonly StoredMeasurement[], parts: ReadonlyMap<string, MeasuredPart>): MeasuredPart[] {
  return before.map(({ partUuid }) => {
    const part = parts.get(partUuid);
    if (!part) throw new Error(`the part ${partUuid} of a measurement is missing`);
    return part;
  });
}

/** Values of a request that may be written only where they are stored already. */
class OutdatedValues {
  private readonly noted: { key: string; id: string; value: OutdatedValue }[] = [];

  /** @param characteristic uuid; empty for an attribute of the measurement itself */
  note(id: string, characteristic: string, value: OutdatedValue): void {
    this.noted.push({ key: `${id} ${characteristic}`, id, value });
  }

  /** @throws ServiceError 400 */
  async refuseUnlessStored(store: MeasurementWriteStore): Promise<void> {
    if (this.noted.length === 0) return;
    const rows = await store.findAttributes([...new Set(this.noted.map(({ id }) => id))]);
    const stored = new Map(rows.map(({ id, characteristic, attributes }) => [`${id} ${characteristic ?? ''}`, attributes]));
    for (const { key, value } of this.noted) refuseUnlessStored([value], stored.get(key));
  }
}

/** Collects, for each measurement, the characteristics that had a value before and have none now. */
class RemovedCharacteristics {
  private readonly before: readonly StoredMeasurement[];
  private readonly sets: ReadonlyMap<number, readonly number[]>;
  private readonly removed: readonly number[][];

  private constructor(before: readonly StoredMeasurement[], sets: ReadonlyMap<number, readonly number[]>) {
    this.before = before;
    this.sets = sets;
    this.removed = before.map(() => []);
  }

  static async of(store: MeasurementWriteStore, before: readonly StoredMeasurement[]): Promise<RemovedCharacteristics> {
    return new RemovedCharacteristics(before, await store.findSets([...new Set(before.flatMap(({ setId }) => setId ?? []))]));
  }

  /** Compares the new row of a measurement with the stored one. */
  note(index: number, row: ValueRow | undefined): void {
    const { setId, absent, extraIds } = itemAt(this.before, index);
    if (setId === null || (row?.isFull === true && row.set.id === setId)) return;
    const had = new Set(extraIds?.map(Number));
    const gaps = new Set(absent);
    this.sets.get(setId)?.forEach((id, position) => {
      if (!gaps.has(position)) had.add(id);
    });
    row?.set.characteristicIds.forEach((id, position) => {
      if (!Number.isNaN(row.values[position]) || Object.hasOwn(row.extras ?? {}, String(id))) had.delete(id);
    });
    const removed = itemAt(this.removed, index);
    for (const id of had) removed.push(id);
  }

  /** Uuids of the removed characteristics of each measurement, without characteristics that were deleted. */
  async uuids(store: MeasurementWriteStore): Promise<string[][]> {
    const ids = new Set(this.removed.flat());
    if (ids.size === 0) return this.removed.map(() => []);
    const uuids = await store.findCharacteristics([...ids]);
    return this.removed.map((own) => own.flatMap((id) => uuids.get(id) ?? []));
  }
}
