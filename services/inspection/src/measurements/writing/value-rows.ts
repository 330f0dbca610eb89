import type { WriteSession } from '@sinebar/database';
import type { Configuration } from '../../configuration/configuration.js';
import type { SentMeasurement } from '../codec/sent-measurement.js';
import {
  createCharacteristicSet,
  placesOf,
  readPartCharacteristics,
  type CharacteristicSetCache,
  type PartCharacteristics,
} from '../sets/characteristic-sets.js';
import type { MeasuredPart } from '../sets/measured-parts.js';
import { checkValues, type RowSource } from './measurement-row.js';
import { invalidField, itemAt, placeOf } from './sent-checks.js';

/** For each measurement of a request, the places of its characteristics in the index of their part; `undefined` without values. */
export type ValuePlaces = readonly (Int32Array | undefined)[];

/** Thrown where a characteristic set would have to be created first. */
export class SetMissing extends Error {
  override readonly name = 'SetMissing';
}

/** Assigns values to the characteristic sets of their parts, inside one transaction under the plan lock. */
export class ValueRows {
  private readonly session: WriteSession;
  private readonly configuration: Configuration;
  private readonly cache: CharacteristicSetCache;
  private readonly parts = new Map<number, PartCharacteristics>();

  constructor(session: WriteSession, configuration: Configuration, cache: CharacteristicSetCache) {
    this.session = session;
    this.configuration = configuration;
    this.cache = cache;
  }

  /** Runs {@link load}, {@link places}, {@link createMissingSets} and {@link sources} for one request. */
  async sourcesOf(sent: readonly SentMeasurement[], owners: readonly MeasuredPart[]): Promise<(RowSource | undefined)[]> {
    await this.load(sent, owners);
    const places = this.places(sent, owners);
    await this.createMissingSets(owners, places);
    return this.sources(sent, owners, places);
  }

  /** Loads the characteristics of the parts for which the request has values. */
  async load(sent: readonly SentMeasurement[], owners: readonly MeasuredPart[]): Promise<void> {
    for (const [i, part] of owners.entries()) {
      if (this.parts.has(part.id) || (sent[i]?.values?.characteristics.count ?? 0) === 0) continue;
      this.parts.set(part.id, this.cache.find(part) ?? (await readPartCharacteristics(this.session, part)));
    }
  }

  /** @throws ServiceError 400 a characteristic of another part */
  places(sent: readonly SentMeasurement[], owners: readonly MeasuredPart[]): ValuePlaces {
    return sent.map(({ uuid, values }, index) => {
      const part = itemAt(owners, index);
      const characteristics = this.parts.get(part.id);
      if (!values || !characteristics || values.characteristics.count === 0) return undefined;
      const places = placesOf(values.characteristics, characteristics);
      if (places instanceof Int32Array) return places;
      const { unknownUuid } = places;
      throw invalidField(
        index,
        `characteristics.${unknownUuid}`,
        `there is no characteristic ${unknownUuid} in the part of the measurement ${uuid}`,
      );
    });
  }

  /**
   * Creates the sets that are missing, ordered by part id so that two transactions cannot deadlock. Call it once in a transaction, with everything
   * that the transaction writes.
   */
  async createMissingSets(owners: readonly MeasuredPart[], places: ValuePlaces): Promise<void> {
    for (const partId of [...this.partsWithoutSet(owners, places)].sort((a, b) => a - b)) {
      this.parts.set(partId, await createCharacteristicSet(this.session, this.parts.get(partId) as PartCharacteristics));
    }
  }

  /** @throws SetMissing where `createMissingSets` would create one */
  expectSets(owners: readonly MeasuredPart[], places: ValuePlaces): void {
    if (this.partsWithoutSet(owners, places).size > 0) throw new SetMissing();
  }

  /** Ids of the parts that have characteristics with values outside their set. */
  private partsWithoutSet(owners: readonly MeasuredPart[], places: ValuePlaces): Set<number> {
    const incomplete = new Set<number>();
    const checked = new Set<Int32Array>();
    places.forEach((own, i) => {
      const characteristics = this.parts.get(itemAt(owners, i).id);
      if (!own || !characteristics || checked.has(own)) return;
      checked.add(own);
      if (own.some((place) => (characteristics.positions[place] as number) < 0)) incomplete.add(characteristics.part.id);
    });
    return incomplete;
  }

  /** Checks the values and returns the source of each row. @throws ServiceError 400 an attribute of a value that does not fit */
  sources(sent: readonly SentMeasurement[], owners: readonly MeasuredPart[], places: ValuePlaces): (RowSource | undefined)[] {
    return sent.map((measurement, i) => {
      const { values } = measurement;
      const where = placeOf(measurement, i);
      if (values) checkValues(values, this.configuration, where);
      const own = places[i];
      const part = this.parts.get(itemAt(owners, i).id);
      return values && own && part && { sent: values, places: own, part, configuration: this.configuration, where };
    });
  }

  /** The characteristics to cache for the next requests once the transaction is committed. */
  used(): PartCharacteristics[] {
    return [...this.parts.values()];
  }
}
