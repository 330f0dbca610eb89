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
import { checkValues, valueRowOf, type ValueRow } from './measurement-row.js';
import { invalidField, itemAt, placeOf } from './sent-checks.js';

/** Characteristics of one request by the places in the index of their part, for each measurement that has some. */
export type ValuePlaces = readonly (Int32Array | undefined)[];

/** Makes the values of one measurement as they are stored; `undefined` when it has none. */
export type MakeRow = () => ValueRow | undefined;

/** A characteristic set has to be made first. */
export class SetMissing extends Error {
  override readonly name = 'SetMissing';
}

/** Puts values into the characteristic sets of their parts, inside one transaction under the plan lock. */
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

  /** Everything that one request needs: {@link load}, {@link places}, {@link makeMissingSets} and {@link rows}. */
  async rowsOf(sent: readonly SentMeasurement[], owners: readonly MeasuredPart[]): Promise<MakeRow[]> {
    await this.load(sent, owners);
    const places = this.places(sent, owners);
    await this.makeMissingSets(owners, places);
    return this.rows(sent, owners, places);
  }

  /** Finds the characteristics of the parts of which values were sent. */
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

  /** Only part after part in the order of their ids: call it once in a transaction, with everything that it writes. */
  async makeMissingSets(owners: readonly MeasuredPart[], places: ValuePlaces): Promise<void> {
    for (const partId of [...this.scopeOfoutSet(owners, places)].sort((a, b) => a - b)) {
      this.parts.set(partId, await createCharacteristicSet(this.session, this.parts.get(partId) as PartCharacteristics));
    }
  }

  /** @throws SetMissing where `makeMissingSets` would make one */
  expectSets(owners: readonly MeasuredPart[], places: ValuePlaces): void {
    if (this.scopeOfoutSet(owners, places).size > 0) throw new SetMissing();
  }

  /** Ids of the parts some of whose characteristics are in no set. */
  private scopeOfoutSet(owners: readonly MeasuredPart[], places: ValuePlaces): Set<number> {
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

  /**
   * Rows are made when they are needed: together they can be a thousand times as large as what was sent.
   * @throws ServiceError 400 an attribute of a value that does not fit
   */
  rows(sent: readonly SentMeasurement[], owners: readonly MeasuredPart[], places: ValuePlaces): MakeRow[] {
    return sent.map((measurement, i) => {
      const { values } = measurement;
      const part = itemAt(owners, i);
      const own = places[i];
      const where = placeOf(measurement, i);
      if (values) checkValues(values, this.configuration, where);
      return () => {
        const characteristics = this.parts.get(part.id);
        return values && own && characteristics && valueRowOf(values, own, characteristics, this.configuration, where);
      };
    });
  }

  /** To be kept for the next requests once the transaction is committed. */
  used(): PartCharacteristics[] {
    return [...this.parts.values()];
  }
}
