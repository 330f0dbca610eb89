import type { WrittenMeasurementWithValues } from '@sinebar/client';
import { KEY } from './attributes.ts';
import type { DemoCharacteristic, DemoPart } from './demo-part.ts';
import { Random } from './random.ts';

const FIRST_DAY = Date.UTC(2026, 0, 5);
const FIRST_HOUR = 6;
/** Measurements of a part in a day of two shifts, one per hour. */
const PER_DAY = 16;
const WORKING_DAYS = 5;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Number of measurements in which a drift reaches its end. */
const DRIFT_LENGTH = 1000;
/** Number of measurements after which a worn tool is replaced. */
const TOOL_LIFE = 240;
const OUTLIER_SHARE = 0.002;
/** Share of values that are missing because the machine could not reach the point. */
const MISSING_SHARE = 0.002;
/** Range of measurements of a lot of other material, which shifts some characteristics. */
const LOT = { from: 610, to: 660 };

/** Behaviour of a characteristic, in parts of its tolerance. */
interface Behaviour {
  offset: number;
  noise: number;
  /** Drift in {@link DRIFT_LENGTH} measurements. */
  drift: number;
  /** Wear over the life of a tool. */
  wear: number;
  /** Shift in the lot of other material. */
  shift: number;
}

/** Makes all measurements of a part with their values, oldest first, the same at every call. */
export function measurementsOf(part: DemoPart, partIndex: number): WrittenMeasurementWithValues[] {
  const random = new Random(`measurements of ${part.name}`);
  const ordinary = part.characteristics.filter(({ course }) => course === undefined);
  const notable = part.characteristics.flatMap(({ course, ...each }) =>
    course ? [{ ...each, course, values: new Random(each.name) }] : [],
  );
  const behaviours = ordinary.map(() => behaviourFrom(random));
  const machines: readonly [number, number] = [(partIndex % 4) + 1, ((partIndex + 1) % 4) + 1];
  // Two machines always differ slightly.
  const machineOffsets = machines.map(() => random.between(-0.06, 0.06));
  return Array.from({ length: part.measurementCount }, (_, i) => {
    const machine = random.next() < 0.7 ? 0 : 1;
    const hour = i % PER_DAY;
    const values: Record<string, Record<number, string>> = {};
    ordinary.forEach((characteristic, c) => {
      if (random.next() < MISSING_SHARE) return;
      const deviation = deviationAt(i, behaviours[c] as Behaviour, random) + (machineOffsets[machine] ?? 0);
      values[characteristic.uuid] = { [KEY.measuredValue]: valueText(characteristic, deviation) };
    });
    for (const { uuid, course, digits, values: random } of notable)
      values[uuid] = { [KEY.measuredValue]: course(i, random).toFixed(digits) };
    return {
      uuid: random.uuid(),
      partUuid: part.uuid,
      attributes: {
        [KEY.time]: new Date(timeOf(i) + Math.floor(random.between(0, 40 * 60)) * 1000).toISOString(),
        [KEY.machine]: machines[machine] ?? 1,
        [KEY.operator]: hour < PER_DAY / 2 ? random.pick([1, 2, 3]) : random.pick([4, 5]),
        [KEY.serialNumber]: `${part.attributes[KEY.partNumber]}-${String(i + 1).padStart(5, '0')}`,
      },
      characteristics: values,
    };
  });
}

function behaviourFrom(random: Random): Behaviour {
  const kind = random.next();
  return {
    offset: random.between(-0.2, 0.2),
    noise: random.between(0.1, 0.22),
    drift: kind < 0.1 ? random.pick([-0.5, 0.5]) : 0,
    wear: kind > 0.8 ? random.pick([-0.4, 0.4]) : 0,
    shift: kind > 0.4 && kind < 0.5 ? random.pick([-0.6, 0.6]) : 0,
  };
}

/** Returns the deviation in parts of the tolerance. */
function deviationAt(i: number, { offset, noise, drift, wear, shift }: Behaviour, random: Random): number {
  const outlier = random.next() < OUTLIER_SHARE ? random.pick([-1, 1]) * random.between(1.5, 4) : 0;
  const lot = i >= LOT.from && i < LOT.to ? shift : 0;
  const age = (i % TOOL_LIFE) / TOOL_LIFE;
  return offset + noise * random.normal() + (drift * i) / DRIFT_LENGTH + wear * age + lot + outlier;
}

function valueText({ nominal, tolerance, oneSided, digits }: DemoCharacteristic, deviation: number): string {
  return (nominal + tolerance * (oneSided ? Math.abs(deviation) : deviation)).toFixed(digits);
}

/** Returns the time of a measurement in milliseconds, without weekends. */
function timeOf(i: number): number {
  const day = Math.floor(i / PER_DAY);
  const calendarDay = Math.floor(day / WORKING_DAYS) * 7 + (day % WORKING_DAYS);
  return FIRST_DAY + calendarDay * DAY_MS + (FIRST_HOUR + (i % PER_DAY)) * HOUR_MS;
}
