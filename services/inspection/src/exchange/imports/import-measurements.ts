import { randomUUID } from 'node:crypto';
import { EVENTS_KEY, splitEvents } from '@sinebar/exchange';
import type { RawAttributes } from '../../configuration/attribute-values.ts';
import { decodeExactText } from '../../measurements/codec/exact-text.ts';
import type { SentCharacteristics, SentMeasurement, SentValues } from '../../measurements/codec/sent-measurement.ts';
import { wordsOfUuids } from '../../measurements/codec/uuid-words.ts';
import type { ImportedAttributes } from './plan/imported-attributes.ts';
import type { ImportedPlan } from './import-store.ts';
import type { ReadMeasurement } from './reading/reading-messages.ts';
import type { ValueEvent } from './value-events.ts';

/** Most parts whose first measurement is kept. */
const MAX_FIRSTS = 100;

/** Turns measurements of a file into those that a request would send. */
export class MeasurementConverter {
  private readonly plan: ImportedPlan;
  private readonly attributes: ImportedAttributes;
  private readonly firsts = new Map<number, string>();
  private readonly areEventsRead: boolean;
  private events: ValueEvent[] = [];
  private readonly lists = new WeakMap<readonly number[], SentCharacteristics>();

  /** @param areEventsRead whether the attribute 5 of values holds events, as in AQDEF */
  constructor(plan: ImportedPlan, attributes: ImportedAttributes, areEventsRead: boolean) {
    this.plan = plan;
    this.attributes = attributes;
    this.areEventsRead = areEventsRead;
  }

  convert(measurement: ReadMeasurement): SentMeasurement {
    const uuid = randomUUID();
    if (this.firsts.size < MAX_FIRSTS && !this.firsts.has(measurement.part)) this.firsts.set(measurement.part, uuid);
    return {
      uuid,
      partUuid: this.plan.parts.get(measurement.part),
      attributes: this.attributes.of('measurement', measurement.attributes),
      comment: undefined,
      values: measurement.characteristics.length === 0 ? undefined : this.valuesOf(measurement, uuid),
    };
  }

  /** Takes out the events of the values that were converted since. */
  takeEvents(): ValueEvent[] {
    const taken = this.events;
    this.events = [];
    return taken;
  }

  /** Uuids of the first measurement of each part, at most {@link MAX_FIRSTS}. */
  get firstMeasurements(): string[] {
    return [...this.firsts.values()];
  }

  private valuesOf({ characteristics, values: { values, digits, texts }, valueAttributes }: ReadMeasurement, uuid: string): SentValues {
    const raw = new Map<number, RawAttributes>();
    for (const [index, own] of valueAttributes ?? []) {
      const characteristicUuid = this.plan.characteristics.get(characteristics[index] as number) as string;
      const events = this.areEventsRead ? splitEvents(own[EVENTS_KEY] ?? '') : [];
      for (const event of events) this.events.push({ measurementUuid: uuid, characteristicUuid, event });
      const further = this.attributes.of('value', own);
      if (Object.keys(further).length === 0) continue;
      raw.set(index, { ...further, 1: decodeExactText(values[index] as number, digits?.[index], texts.get(index)) });
    }
    return { characteristics: this.listOf(characteristics), values, digits, texts, raw };
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
