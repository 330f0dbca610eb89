import type { DemoCharacteristic } from './demo-part.ts';
import { Random } from './random.ts';

interface Notable extends Omit<DemoCharacteristic, 'path'> {
  /** Name of the part that it belongs to. */
  part: string;
}

const DRIFT = { from: 620, to: 1000 };
const SHIFT_AT = 540;
/** Numbers of the measurements of the door with an outlier, and the outliers in parts of the tolerance. */
const OUTLIERS: ReadonlyMap<number, number> = new Map([
  [88, 1.7],
  [215, -2.1],
  [342, 2.6],
  [455, 1.4],
  [611, -1.6],
  [733, 3.1],
  [870, -2.4],
  [964, 1.9],
]);

const random = new Random('notable characteristics');

/** Characteristics of the door that each show one thing that happens in production. */
export const NOTABLE: readonly Notable[] = [
  {
    part: 'Window frame',
    uuid: random.uuid(),
    name: 'Frame twist',
    ...{ nominal: 0, tolerance: 0.5, oneSided: false, unit: 'mm', digits: 3, position: [63, 30] },
    // A drift: stable at first, then away from the middle and out of the tolerance.
    course: (i, values) => 0.02 + 0.055 * values.normal() + 0.8 * Math.max(0, (i - DRIFT.from) / (DRIFT.to - DRIFT.from)),
  },
  {
    part: 'Hinge and latch',
    uuid: random.uuid(),
    name: 'Hinge pin diameter',
    ...{ nominal: 9, tolerance: 0.05, oneSided: false, unit: 'mm', digits: 4, position: [16, 66] },
    // A shift from one measurement to the next, as after a change of the tool.
    course: (i, values) => 9 + 0.006 * values.normal() + (i < SHIFT_AT ? -0.012 : 0.022),
  },
  {
    part: 'Inner panel',
    uuid: random.uuid(),
    name: 'Weld flange gap',
    ...{ nominal: 0.4, tolerance: 0.3, oneSided: false, unit: 'mm', digits: 3, position: [52, 72] },
    // Not normal: skewed to the right (logarithmic normal distribution above 0.18 mm).
    course: (_i, values) => 0.18 + 0.15 * Math.exp(0.45 * values.normal()),
  },
  {
    part: 'Hinge and latch',
    uuid: random.uuid(),
    name: 'Latch bore roundness',
    ...{ nominal: 0, tolerance: 0.05, oneSided: true, unit: 'mm', digits: 4, position: [84, 70] },
    // Never below 0: the length of a vector with two normal components.
    course: (_i, values) => 0.011 * Math.hypot(values.normal(), values.normal()),
  },
  {
    part: 'Outer panel',
    uuid: random.uuid(),
    name: 'Handle recess depth',
    ...{ nominal: 18, tolerance: 0.4, oneSided: false, unit: 'mm', digits: 3, position: [77, 52] },
    course: (i, values) => 18 + 0.05 * values.normal() + 0.4 * (OUTLIERS.get(i) ?? 0),
  },
];
