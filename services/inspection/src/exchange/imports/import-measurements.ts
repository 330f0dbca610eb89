import { randomUUID } from 'node:crypto';
import type { FileMeasurement } from '@sinebar/exchange';
import type { RawAttributes } from '../../configuration/attribute-values.js';
import { CANONICAL, encodeExactText, IN_EXTRAS } from '../../measurements/codec/exact-text.js';
import type { SentCharacteristics, SentMeasurement, SentValues } from '../../measurements/codec/sent-measurement.js';
import { wordsOfUuids } from '../../measurements/codec/uuid-words.js';
import type { ImportedAttributes } from './plan/imported-attributes.js';
import type { ImportedPlan } from './plan/import-plan.js';

/** Most parts whose first measurement is kept. */
const MAX_FIRSTS = 100;

/** Turns measurements of a file into those that a request would send. */
export class MeasurementConverter {
  private readonly plan: ImportedPlan;
  private readonly attributes: ImportedAttributes;
  private readonly firsts = new Map<number, string>();
  private readonly lists = new WeakMap<readonly number[], SentCharacteristics>();

  constructor(plan: ImportedPlan, attributes: ImportedAttributes) {
    this.plan = plan;
    this.attributes = attributes;
  }

  convert(measurement: FileMeasurement): SentMeasurement {
    const uuid = randomUUID();
    if (this.firsts.size < MAX_FIRSTS && !this.firsts.has(measurement.part)) this.firsts.set(measurement.part, uuid);
    return {
      uuid,
      partUuid: this.plan.parts.get(measurement.part),
      attributes: this.attributes.of('measurement', measurement.attributes),
      comment: undefined,
      values: measurement.values.length === 0 ? undefined : this.valuesOf(measurement),
    };
  }

  /** Uuids of the first measurement of each part, at most {@link MAX_FIRSTS}. */
  get firstMeasurements(): string[] {
    return [...this.firsts.values()];
  }

  private valuesOf({ characteristics, values: texts, valueAttributes }: FileMeasurement): SentValues {
    const values = new Float64Array(texts.length);
    const raw = new Map<number, RawAttributes>();
    const exactTexts = new Map<number, string>();
    let digits: Uint8Array | undefined;
    for (let place = 0; place < texts.length; place += 1) {
      const text = texts[place] as string;
      const own = valueAttributes?.get(place);
      const further = own && this.attributes.of('value', own);
      if (further && Object.keys(further).length > 0) {
        raw.set(place, { ...further, 1: text });
        continue;
      }
      const exact = encodeExactText(text);
      // The readers give numbers only.
      if (!exact) throw new Error(`the text of a value is no number: ${text}`);
      values[place] = exact.value;
      if (exact.digits === CANONICAL) continue;
      digits ??= new Uint8Array(texts.length).fill(CANONICAL);
      digits[place] = exact.digits;
      if (exact.digits === IN_EXTRAS) exactTexts.set(place, text);
    }
    return { characteristics: this.listOf(characteristics), values, digits, texts: exactTexts, raw };
  }

  private listOf(characteristics: readonly number[]): SentCharacteristics {
    let list = this.lists.get(characteristics);
    if (!list) {
      const uuids = characteristics.map((index) => this.plan.characteristics.get(index) as string);
      this.lists.set(characteristics, (list = { count: uuids.length, words: wordsOfUuids(uuids) }));
    }
    return list;
  }
}
