import type { WrittenMeasurementWithValues } from '@sinebar/client';
import { KEY } from '../attributes.ts';
import { Random } from '../random.ts';
import { FACTORY_KEY, RESULT_IN_WORDS } from './attributes.ts';
import type { Circumstances } from './kinds.ts';
import type { FactoryCharacteristic, FactoryPart } from './plan.ts';

/** Monday on which the first measurement was taken, 06:00 of the plant in UTC. */
const FIRST = Date.UTC(2026, 9, 5, 4);
const HOUR_MS = 3_600_000;
const FULL_PRECISION = 8;

/** Makes the measurements of a part in batches of about `values` values, oldest first, the same at every call. */
export function* measurementBatches(part: FactoryPart, values: number): Generator<WrittenMeasurementWithValues[]> {
  const random = new Random(`factory ${part.path}`);
  const size = Math.max(1, Math.floor(values / part.characteristics.length));
  let batch: WrittenMeasurementWithValues[] = [];
  for (let index = 0; index < part.measurementCount; index += 1) {
    batch.push(measurementOf(part, index, random));
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function measurementOf(part: FactoryPart, index: number, random: Random): WrittenMeasurementWithValues {
  const time = FIRST + index * part.everyMs;
  const hour = Math.floor(time / HOUR_MS) % 24;
  // The early shift begins at 06:00, the late one at 14:00 of the plant, which is two hours ahead.
  const shift = hour >= 4 && hour < 12 ? 0 : 1;
  const at: Circumstances = {
    ...{ index, count: part.measurementCount, shift },
    machine: random.pick([1, 2, 3]),
    cavity: random.pick([1, 2, 3, 4]),
  };
  return {
    uuid: uuidOf(part, index),
    partUuid: part.uuid,
    attributes: {
      [KEY.time]: new Date(time).toISOString(),
      [KEY.machine]: at.machine,
      [KEY.operator]: shift === 0 ? random.pick([1, 2]) : random.pick([4, 5]),
      [FACTORY_KEY.cavity]: `Nest ${at.cavity}`,
      [FACTORY_KEY.batch]: `Charge ${new Date(time).toISOString().slice(0, 10)}/${String(Math.floor(index / 20)).padStart(3, '0')}`,
      ...(index % 13 === 5 && { [FACTORY_KEY.text]: 'Nach Werkzeugwechsel gemessen, Ölrückstände an der Anlagefläche entfernt' }),
      [KEY.serialNumber]: `SN-${part.attributes[KEY.partNumber]}-${String(index + 1).padStart(6, '0')}`,
    },
    characteristics: Object.fromEntries(part.characteristics.map((each) => [each.uuid, valueOf(each, at, random)])),
  };
}

/** A uuid of version 4 that no other measurement has: drawn ones of so many measurements would meet. */
function uuidOf({ uuid }: FactoryPart, index: number): string {
  return `${uuid.slice(0, 23)}-${(index + 1).toString(16).padStart(12, '0')}`;
}

function valueOf({ kind }: FactoryCharacteristic, at: Circumstances, random: Random): Record<number, string> {
  if (kind.word) return { [RESULT_IN_WORDS.key]: kind.word(random) };
  const value = (kind.nominal ?? 0) + kind.deviation(at, random);
  return {
    [KEY.measuredValue]: value.toFixed(kind.decimals ?? FULL_PRECISION),
    ...(kind.sampleSize !== undefined && { [FACTORY_KEY.sampleSize]: String(kind.sampleSize) }),
  };
}
