import type { Random } from '../random.ts';

/** Circumstances of a measurement that values may depend on. */
export interface Circumstances {
  /** Number of the measurement of its part, from 0, and how many there are. */
  readonly index: number;
  readonly count: number;
  /** 1 to 3. */
  readonly machine: number;
  /** 1 to 4. */
  readonly cavity: number;
  /** 0 early, 1 late. */
  readonly shift: number;
}

/** A kind of characteristic: its limits, and how its values come about. */
export interface CharacteristicKind {
  readonly name: string;
  readonly unit: string;
  readonly nominal?: number;
  /** Distance of the limits from nominal, with its sign. */
  readonly lower?: number;
  readonly upper?: number;
  /** Whether the lower limit is the natural boundary 0. */
  readonly isBounded?: boolean;
  /** Decimal places of K2022; without them the values have full precision. */
  readonly decimals?: number;
  /** Number of units in a sample, of a characteristic that counts. */
  readonly sampleSize?: number;
  /** Distance of a value from nominal. */
  readonly deviation: (at: Circumstances, random: Random) => number;
  /** Words in the place of a number. */
  readonly word?: (random: Random) => string;
}

/** Measured at every stroke of a press: it drifts with the temperature of the tool and has a stroke without a blank now and then. */
export const PRESS_FORCE: CharacteristicKind = {
  name: 'Presskraft am unteren Totpunkt, jeder Hub gemessen',
  unit: 'kN',
  ...{ nominal: 1800, lower: -60, upper: 85 },
  deviation: ({ index, machine }, random) =>
    12.3456789 * random.normal() + 15 * Math.sin(index / 9000) + 4 * machine + (index % 7919 === 4242 ? -220 : 0),
};

const WORDS = ['i. O.', 'i. O.', 'i. O.', 'i. O.', 'n. i. O.: Einfallstelle', 'n. i. O.: Grat an der Trennebene'] as const;
const noise =
  (sigma: number, offset = 0) =>
  (_at: Circumstances, random: Random) =>
    offset + sigma * random.normal();

/** What real plans hold: each part has all of them. */
export const KINDS: readonly CharacteristicKind[] = [
  {
    name: 'Bohrungsdurchmesser der Scharnieraufnahme oben',
    unit: 'mm',
    ...{ nominal: 125.4, lower: -0.012, upper: 0.034 },
    deviation: noise(0.0061234567, 0.0131245),
  },
  {
    name: 'Abstand der Befestigungsbohrungen zur Bezugsebene A',
    unit: 'mm',
    ...{ nominal: 842.75, lower: -0.25, upper: 0.25, decimals: 3 },
    deviation: noise(0.06, 0.02),
  },
  { name: 'Oberflächentemperatur beim Entformen, ohne Vorgabe', unit: '°C', deviation: noise(4.2, 186) },
  { name: 'Härte der Randschicht nach dem Anlassen', unit: 'HRC', lower: 58, decimals: 1, deviation: noise(0.8, 60.4) },
  { name: 'Gratüberstand an der Trennebene der Form', unit: 'mm', upper: 0.3, decimals: 2, deviation: noise(0.04, 0.15) },
  {
    name: 'Ebenheit der Anschraubfläche zum Längsträger',
    unit: 'mm',
    ...{ nominal: 0, upper: 0.08, isBounded: true, decimals: 4 },
    deviation: (_at, random) => 0.018 * Math.hypot(random.normal(), random.normal()),
  },
  {
    name: 'Anzahl der Lunker je Stichprobe im Röntgenbild',
    unit: '',
    ...{ upper: 6, sampleSize: 50, decimals: 0 },
    deviation: (_at, random) => Math.floor(4 * random.next() ** 2 + 1.2 * random.next()),
  },
  {
    name: 'Sichtprüfung der Oberfläche nach Grenzmusterkatalog',
    unit: '',
    deviation: () => 0,
    word: (random) => random.pick(WORDS),
  },
  {
    name: 'Lage des Zentrierstifts, driftet mit dem Werkzeug',
    unit: 'mm',
    ...{ nominal: 12, lower: -0.1, upper: 0.1, decimals: 3 },
    deviation: ({ index, count }, random) => -0.05 + 0.18 * Math.max(0, index / count - 0.3) + 0.011 * random.normal(),
  },
  {
    name: 'Rechtwinkligkeit der Flanke mit Ausreißern',
    unit: '°',
    ...{ nominal: 90, lower: -0.5, upper: 0.5, decimals: 2 },
    deviation: ({ index }, random) => 0.09 * random.normal() + (index % 29 === 17 ? random.pick([-1, 1]) * 2.4 : 0),
  },
  {
    name: 'Blechdicke am Messpunkt, Taster klemmt',
    unit: 'mm',
    ...{ nominal: 1.5, lower: -0.05, upper: 0.05, decimals: 3 },
    deviation: () => 0.012,
  },
  {
    name: 'Winkel α/β an der Anlagefläche je Nest und Maschine',
    unit: '°',
    ...{ nominal: 36.25, lower: -0.4, upper: 0.4 },
    deviation: ({ machine, cavity, shift }, random) =>
      0.09 * (machine - 2) + (cavity === 3 ? 0.16 : 0) + 0.05 * shift + 0.051234567 * random.normal(),
  },
];
