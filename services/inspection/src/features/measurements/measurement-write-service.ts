import { isReadable, type Principal } from '@sinebar/access-control';
import { ServiceError } from '@sinebar/contracts';
import type { Database, WorkOptions, WriteSession } from '@sinebar/database';
import type { Configuration, ConfigurationReader } from '../configuration/configuration.js';
import type { VersioningMode } from '../plan/plan-service.js';
import { PlanStore } from '../plan/plan-store.js';
import type { SentCharacteristics, SentMeasurement } from '../values/sent-measurement.js';
import { uuidOfWords, WORDS_PER_UUID } from '../values/uuid-words.js';
import {
  CharacteristicSetCache,
  createCharacteristicSet,
  placesOf,
  readPartCharacteristics,
  type PartCharacteristics,
  type WrittenPart,
} from './characteristic-sets.js';
import { measurementEvents } from './measurement-events.js';
import { headOf, valueRowOf, type ValueRow } from './measurement-row.js';
import { MeasurementWriteStore, type StoredMeasurement } from './measurement-write-store.js';

export interface MeasurementWriteParts {
  database: Database;
  configurations: ConfigurationReader;
  versioning: VersioningMode;
  now: () => Date;
}

export interface MeasurementWriter extends WorkOptions {
  principal: Principal;
}

/** Creates and replaces measurements; each request is one transaction, which relies on the plan and holds its lock shared. */
export class MeasurementWriteService {
  private readonly parts: MeasurementWriteParts;
  private readonly cache = new CharacteristicSetCache();

  constructor(parts: MeasurementWriteParts) {
    this.parts = parts;
  }

  /**
   * @throws ServiceError 400 part missing or unknown, a characteristic of another part, an attribute that does not fit, a uuid twice; 403; 409 a uuid exists
   * spec: inspection-service.md, Measurements POST, Values POST; decisions.md 2.2, 2.6, 5.2
   */
  async create(sent: readonly SentMeasurement[], writer: MeasurementWriter): Promise<void> {
    refuseDoubles(sent);
    await this.write(sent, writer, async ({ session, store, configuration, at, commentOf }) => {
      const found = new Map(
        (await store.findParts([...new Set(sent.flatMap(({ partUuid }) => partUuid ?? []))])).map((part) => [part.uuid, part]),
      );
      const owners = sent.map(({ uuid, partUuid }, index) => {
        if (partUuid === undefined) throw invalid(index, 'partUuid', `the measurement ${uuid} needs the uuid of its part`);
        const part = found.get(partUuid);
        if (!part) throw invalid(index, 'partUuid', `there is no part ${partUuid} for the measurement ${uuid}`);
        return part;
      });
      refuseForbidden(owners, writer.principal);
      const heads = sent.map((measurement, index) => headOf(measurement, configuration, placeOf(measurement, index)));
      const values = new ValueRows(session, configuration, this.cache);
      const rows = await values.rowsOf(sent, owners);
      await store.insert(
        sent.map((measurement, i) => ({
          ...itemAt(heads, i),
          uuid: measurement.uuid,
          partId: itemAt(owners, i).id,
          comment: commentOf(measurement),
          row: rows[i],
        })),
        at,
      );
      session.announce(
        measurementEvents(
          'MeasurementCreated',
          sent.map(({ uuid }, i) => ({ uuid, part: itemAt(owners, i) })),
        ),
      );
      return values.used();
    });
  }

  /**
   * Replaces attributes and comment, with `values` the measured values too; part, creation time and files stay.
   * @throws ServiceError 404 unknown uuid; 400 another part, and as for `create`; 403
   * spec: inspection-service.md, Measurements PUT, Values PUT; decisions.md 2.6, 5.5
   */
  async replace(sent: readonly SentMeasurement[], what: 'attributes' | 'values', writer: MeasurementWriter): Promise<void> {
    refuseDoubles(sent);
    await this.write(sent, writer, async ({ session, store, configuration, at, commentOf }) => {
      const stored = new Map(
        (
          await store.lockStored(
            sent.map(({ uuid }) => uuid),
            what === 'values',
          )
        ).map((measurement) => [measurement.uuid, measurement]),
      );
      const before = sent.map(({ uuid }, index) => {
        const measurement = stored.get(uuid);
        if (!measurement) throw new ServiceError('NotFound', `[${index}]: there is no measurement ${uuid}`);
        return measurement;
      });
      const found = new Map((await store.findParts([...new Set(before.map(({ partUuid }) => partUuid))])).map((part) => [part.uuid, part]));
      const owners = before.map(({ partUuid }) => {
        const part = found.get(partUuid);
        if (!part) throw new Error(`the part ${partUuid} of a measurement is missing`);
        return part;
      });
      refuseForbidden(owners, writer.principal);
      sent.forEach(({ uuid, partUuid }, index) => {
        if (partUuid !== undefined && partUuid !== before[index]?.partUuid)
          throw invalid(index, 'partUuid', `the measurement ${uuid} belongs to another part, and cannot change it`);
      });
      const heads = sent.map((measurement, index) => headOf(measurement, configuration, placeOf(measurement, index)));
      const changed = sent.map((measurement, i) => ({ ...itemAt(heads, i), id: itemAt(before, i).id, comment: commentOf(measurement) }));
      if (what === 'attributes') {
        await store.replaceHeads(
          changed.map((measurement) => ({ ...measurement, row: undefined })),
          at,
        );
        session.announce(
          measurementEvents(
            'MeasurementModified',
            sent.map(({ uuid }, i) => ({ uuid, part: itemAt(owners, i) })),
          ),
        );
        return [];
      }
      const values = new ValueRows(session, configuration, this.cache);
      const rows = await values.rowsOf(sent, owners);
      await store.replace(
        changed.map((measurement, i) => ({ ...measurement, row: rows[i] })),
        at,
      );
      const removed = await removedCharacteristics(store, before, rows);
      session.announce(
        measurementEvents(
          'MeasurementModified',
          sent.map(({ uuid }, i) => ({ uuid, part: itemAt(owners, i), removed: removed[i] ?? [] })),
        ),
      );
      return values.used();
    });
  }

  private async write(
    sent: readonly SentMeasurement[],
    writer: MeasurementWriter,
    work: (context: WriteContext) => Promise<PartCharacteristics[]>,
  ) {
    if (sent.length === 0) return;
    const { database, configurations, versioning, now } = this.parts;
    const used = await database.write(writer, async (session) => {
      await new PlanStore(session).lockShared();
      return work({
        session,
        store: new MeasurementWriteStore(session),
        configuration: await configurations.read(session),
        at: now(),
        commentOf: ({ comment }) => (versioning === 'off' ? null : (comment ?? null)),
      });
    });
    // Not before the commit: a set that was made in the transaction may still be rolled back.
    for (const part of used) this.cache.put(part);
  }
}

interface WriteContext {
  session: WriteSession;
  store: MeasurementWriteStore;
  configuration: Configuration;
  at: Date;
  /** What is stored of a comment. spec: inspection-service.md, Measurement */
  commentOf: (measurement: SentMeasurement) => string | null;
}

/** Puts the values of one request into the characteristic sets of their parts. */
class ValueRows {
  private readonly session: WriteSession;
  private readonly configuration: Configuration;
  private readonly cache: CharacteristicSetCache;
  private readonly parts = new Map<number, PartCharacteristics>();

  constructor(session: WriteSession, configuration: Configuration, cache: CharacteristicSetCache) {
    this.session = session;
    this.configuration = configuration;
    this.cache = cache;
  }

  async rowsOf(sent: readonly SentMeasurement[], owners: readonly WrittenPart[]): Promise<(ValueRow | undefined)[]> {
    const measured = new Map(owners.filter((_, i) => (sent[i]?.values?.characteristics.count ?? 0) > 0).map((part) => [part.id, part]));
    for (const part of measured.values()) {
      this.parts.set(part.id, this.cache.find(part) ?? (await readPartCharacteristics(this.session, part)));
    }
    const places = this.placesOf(sent, owners);
    await this.makeMissingSets(owners, places);
    return sent.map(({ values, uuid }, i) => {
      const characteristics = this.parts.get(itemAt(owners, i).id);
      const own = places[i];
      return values && own && characteristics && valueRowOf(values, own, characteristics, this.configuration, placeOf({ uuid }, i));
    });
  }

  used(): PartCharacteristics[] {
    return [...this.parts.values()];
  }

  private placesOf(sent: readonly SentMeasurement[], owners: readonly WrittenPart[]): (Int32Array | undefined)[] {
    // Measurements of a request mostly share one list of characteristics.
    const known = new Map<SentCharacteristics, Map<number, Int32Array>>();
    return sent.map(({ uuid, values }, index) => {
      const part = itemAt(owners, index);
      const characteristics = this.parts.get(part.id);
      if (!values || !characteristics || values.characteristics.count === 0) return undefined;
      const sentOnes = values.characteristics;
      const byPart = known.get(sentOnes) ?? new Map<number, Int32Array>();
      known.set(sentOnes, byPart);
      let places = byPart.get(part.id);
      if (!places) {
        const { places: found, stranger } = placesOf(sentOnes, characteristics);
        if (stranger !== undefined) {
          const characteristic = uuidOfWords(sentOnes.words, stranger * WORDS_PER_UUID);
          throw invalid(
            index,
            `characteristics.${characteristic}`,
            `there is no characteristic ${characteristic} in the part ${part.uuid} of the measurement ${uuid}`,
          );
        }
        places = found;
        byPart.set(part.id, places);
      }
      return places;
    });
  }

  private async makeMissingSets(owners: readonly WrittenPart[], places: readonly (Int32Array | undefined)[]): Promise<void> {
    const incomplete = new Set<number>();
    const checked = new Set<Int32Array>();
    places.forEach((own, i) => {
      const characteristics = this.parts.get(itemAt(owners, i).id);
      if (!own || !characteristics || checked.has(own)) return;
      checked.add(own);
      if (own.some((place) => (characteristics.positions[place] as number) < 0)) incomplete.add(characteristics.partId);
    });
    for (const partId of [...incomplete].sort((a, b) => a - b)) {
      this.parts.set(partId, await createCharacteristicSet(this.session, this.parts.get(partId) as PartCharacteristics));
    }
  }
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

function refuseDoubles(sent: readonly SentMeasurement[]): void {
  const seen = new Map<string, number>();
  sent.forEach(({ uuid }, index) => {
    const other = seen.get(uuid);
    if (other !== undefined) throw invalid(index, 'uuid', `the uuid ${uuid} stands in [${other}] already`);
    seen.set(uuid, index);
  });
}

function refuseForbidden(owners: readonly WrittenPart[], principal: Principal): void {
  const writable = principal.partsWith('measurement:write');
  for (const { uuid, path } of new Set(owners)) {
    if (!isReadable(writable, path)) throw new ServiceError('Forbidden', `you may not write measurements of the part ${uuid}`);
  }
}

function placeOf({ uuid }: Pick<SentMeasurement, 'uuid'>, index: number): string {
  return `[${index}] (measurement ${uuid})`;
}

function invalid(index: number, field: string, message: string): ServiceError {
  return new ServiceError('InvalidRequest', `[${index}].${field}: ${message}`, { details: [{ field: `[${index}].${field}`, message }] });
}

function itemAt<T>(items: readonly T[], index: number): T {
  return items[index] as T;
}
