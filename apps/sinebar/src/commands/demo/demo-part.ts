import type { Random } from './random.ts';

/** Returns the value of the measurement with the number `i`, from 0. */
export type Course = (i: number, values: Random) => number;

/** A product of the demo or a part of it, with its characteristics. */
export interface DemoPart {
  uuid: string;
  name: string;
  /** Path with type marker. */
  path: string;
  /** Path of the product without type marker: `/Car door`. */
  product: string;
  attributes: Record<number, string>;
  measurementCount: number;
  characteristics: readonly DemoCharacteristic[];
}

export interface DemoCharacteristic {
  uuid: string;
  name: string;
  path: string;
  nominal: number;
  /** Greatest deviation from the nominal value, the same on both sides. */
  tolerance: number;
  /** Values cannot be below the nominal value, as those of roundness and runout. */
  oneSided: boolean;
  /** Values that differ from those of all others; in units of the characteristic. */
  course?: Course;
  unit: 'mm' | '°' | 'N';
  /** Number of fraction digits of the machine. */
  digits: number;
  /** Position on the drawing, in hundredths of its width and height. */
  position: readonly [number, number];
}
