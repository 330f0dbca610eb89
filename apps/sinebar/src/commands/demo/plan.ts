import { KEY } from './attributes.ts';
import type { DemoCharacteristic, DemoPart } from './demo-part.ts';
import { NOTABLE } from './notable.ts';
import { Random } from './random.ts';

interface Group {
  name: string;
  count: number;
  /** Ends of the line of its points on the drawing: x, y, x, y. */
  line: readonly [number, number, number, number];
  /** Distance of the points from the line. */
  spread?: number;
  nominal: readonly [number, number];
  tolerance: number;
  oneSided?: boolean;
  unit?: 'mm' | '°' | 'N';
  digits?: number;
}

interface Content {
  name: string;
  /** Name of the product that the part belongs to; absent for products. */
  product?: string;
  number: string;
  description: string;
  measurementCount: number;
  groups: readonly Group[];
}

const DOOR_NAME = 'Car door';
export const DOOR_PATH = `/${DOOR_NAME}`;
/** Measurements of the door and of each of its parts. */
const DOOR_MEASUREMENTS = 1000;
const SMALL_MEASUREMENTS = 250;
/** Share of the tolerance; a value beyond it exceeds the warning limit. */
const WARNING_SHARE = 0.75;
/** Value of the attribute `lowerLimitKind` for a limit that values cannot pass by nature. */
const NATURAL_BOUNDARY = '2';

const CONTENT: readonly Content[] = [
  {
    name: DOOR_NAME,
    number: 'D-4711-000',
    description: 'Front door, left, assembled',
    measurementCount: DOOR_MEASUREMENTS,
    groups: [
      { name: 'Gap A-pillar', count: 10, line: [13, 86, 10, 50], nominal: [3.5, 3.5], tolerance: 0.5 },
      { name: 'Gap B-pillar', count: 10, line: [91.8, 14, 90.2, 86], nominal: [3.8, 3.8], tolerance: 0.5 },
      { name: 'Flush roof', count: 8, line: [44, 8.5, 86, 8.5], nominal: [0, 0], tolerance: 0.7 },
      { name: 'Flush sill', count: 8, line: [20, 91.5, 84, 91.5], nominal: [-0.5, -0.5], tolerance: 0.7 },
      { name: 'Closing force', count: 4, line: [72, 64, 84, 64], nominal: [42, 48], tolerance: 9, unit: 'N', digits: 1 },
    ],
  },
  {
    name: 'Outer panel',
    product: DOOR_NAME,
    number: 'D-4711-100',
    description: 'Outer panel, deep-drawn',
    measurementCount: DOOR_MEASUREMENTS,
    groups: [
      { name: 'Surface point', count: 28, line: [16, 70, 86, 70], spread: 14, nominal: [0, 0], tolerance: 0.4 },
      { name: 'Trim edge', count: 8, line: [14, 90, 88, 89], nominal: [412, 1184], tolerance: 0.6 },
      { name: 'Handle cut-out', count: 4, line: [69, 56, 85, 56], nominal: [24, 196], tolerance: 0.2 },
    ],
  },
  {
    name: 'Inner panel',
    product: DOOR_NAME,
    number: 'D-4711-200',
    description: 'Inner panel with module opening',
    measurementCount: DOOR_MEASUREMENTS,
    groups: [
      { name: 'Hole diameter', count: 16, line: [20, 60, 84, 60], spread: 5, nominal: [6.2, 24], tolerance: 0.1 },
      { name: 'Hole position', count: 16, line: [20, 78, 84, 78], spread: 6, nominal: [0, 0], tolerance: 0.5 },
      { name: 'Flange width', count: 8, line: [15, 89, 87, 89], nominal: [14, 18], tolerance: 0.4 },
    ],
  },
  {
    name: 'Window frame',
    product: DOOR_NAME,
    number: 'D-4711-300',
    description: 'Window frame with channel',
    measurementCount: DOOR_MEASUREMENTS,
    groups: [
      { name: 'Channel width', count: 20, line: [19, 45, 38, 17], nominal: [11.4, 11.4], tolerance: 0.25 },
      { name: 'Frame contour', count: 16, line: [42, 11, 88, 11], spread: 1, nominal: [0, 0], tolerance: 0.6 },
      { name: 'Frame angle', count: 4, line: [88, 20, 87, 46], nominal: [36, 112], tolerance: 0.3, unit: '°' },
    ],
  },
  {
    name: 'Hinge and latch',
    product: DOOR_NAME,
    number: 'D-4711-400',
    description: 'Hinge reinforcement and latch plate',
    measurementCount: DOOR_MEASUREMENTS,
    groups: [
      { name: 'Hinge hole', count: 12, line: [13, 56, 15, 84], spread: 1, nominal: [8.5, 10.5], tolerance: 0.08 },
      { name: 'Hinge axis', count: 12, line: [18, 58, 20, 82], spread: 1, nominal: [0, 0], tolerance: 0.3 },
      { name: 'Latch position', count: 12, line: [86, 56, 86, 82], spread: 2, nominal: [18, 65], tolerance: 0.25 },
      { name: 'Striker angle', count: 4, line: [80, 62, 80, 78], nominal: [2, 4], tolerance: 0.5, unit: '°' },
    ],
  },
  {
    name: 'Pump housing',
    number: 'P-2210-000',
    description: 'Housing of a coolant pump, cast and milled',
    measurementCount: SMALL_MEASUREMENTS,
    groups: [
      { name: 'Bore diameter', count: 4, line: [40, 50, 60, 50], nominal: [32, 32], tolerance: 0.02 },
      { name: 'Hole pitch', count: 6, line: [22, 22, 78, 22], nominal: [28, 28], tolerance: 0.1 },
      { name: 'Flange flatness', count: 2, line: [24, 80, 76, 80], nominal: [0, 0], tolerance: 0.05, oneSided: true },
    ],
  },
  {
    name: 'Drive shaft',
    number: 'S-1180-000',
    description: 'Drive shaft, turned and ground',
    measurementCount: SMALL_MEASUREMENTS,
    groups: [
      { name: 'Journal diameter', count: 4, line: [20, 42, 80, 42], nominal: [25, 25], tolerance: 0.01 },
      { name: 'Length', count: 2, line: [30, 64, 70, 64], nominal: [180, 240], tolerance: 0.2 },
      { name: 'Runout', count: 3, line: [25, 58, 75, 58], nominal: [0, 0], tolerance: 0.03, oneSided: true },
    ],
  },
  {
    name: 'Seal ring',
    number: 'R-0420-000',
    description: 'Seal ring of the pump',
    measurementCount: SMALL_MEASUREMENTS,
    groups: [
      { name: 'Outer diameter', count: 2, line: [28, 50, 72, 50], nominal: [48, 48], tolerance: 0.15 },
      { name: 'Inner diameter', count: 2, line: [40, 60, 60, 60], nominal: [40, 40], tolerance: 0.15 },
      { name: 'Thickness', count: 2, line: [44, 30, 56, 30], nominal: [3.5, 3.5], tolerance: 0.08 },
    ],
  },
];

const random = new Random('door');

/** All parts, each product before its parts; the door is the first. */
export const PARTS: readonly DemoPart[] = CONTENT.map(({ name, product, number, description, measurementCount, groups }) => {
  const [marker, folder] = product === undefined ? ['P', `/${name}/`] : ['PP', `/${product}/${name}/`];
  return {
    uuid: random.uuid(),
    name,
    path: `${marker}:${folder}`,
    product: `/${product ?? name}`,
    attributes: { [KEY.partNumber]: number, [KEY.partDescription]: description, [KEY.drawing]: `${number}-C` },
    measurementCount,
    characteristics: [
      ...groups.flatMap((group) => characteristicsOf(group, `${marker}C:${folder}`)),
      ...NOTABLE.filter(({ part }) => part === name).map(({ part: _part, ...each }) => ({
        ...each,
        path: `${marker}C:${folder}${each.name}/`,
      })),
    ],
  };
});

/** Parts that are below no other. */
export const PRODUCTS = PARTS.filter(({ path }) => path.startsWith('P:'));
export const CHARACTERISTICS = PARTS.flatMap(({ characteristics }) => characteristics);

function characteristicsOf(
  { name, count, line, spread = 0, nominal, tolerance, oneSided = false, unit = 'mm', digits = 3 }: Group,
  folder: string,
): DemoCharacteristic[] {
  return Array.from({ length: count }, (_, i) => {
    const [fromX, fromY, toX, toY] = line;
    const along = i / (count - 1);
    const numbered = `${name} ${String(i + 1).padStart(2, '0')}`;
    return {
      uuid: random.uuid(),
      name: numbered,
      path: `${folder}${numbered}/`,
      nominal: Math.round(random.between(...nominal) * 10) / 10,
      tolerance,
      oneSided,
      unit,
      digits,
      position: [fromX + (toX - fromX) * along, fromY + (toY - fromY) * along + random.between(-spread, spread)] as const,
    };
  });
}

export function attributesOf({ nominal, tolerance, oneSided, unit }: DemoCharacteristic): Record<number, string> {
  const limit = (share: number) => String(Number((nominal + tolerance * share).toFixed(4)));
  return {
    [KEY.nominal]: String(nominal),
    [KEY.lowerTolerance]: limit(oneSided ? 0 : -1),
    [KEY.upperTolerance]: limit(1),
    ...(oneSided ? { [KEY.lowerLimitKind]: NATURAL_BOUNDARY } : { [KEY.lowerWarning]: limit(-WARNING_SHARE) }),
    [KEY.upperWarning]: limit(WARNING_SHARE),
    [KEY.unit]: unit,
  };
}
