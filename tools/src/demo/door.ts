import { KEY } from './attributes.js';
import { Random } from './random.js';

/** A part of the door, or the door itself, with its characteristics. */
export interface DemoPart {
  uuid: string;
  name: string;
  /** Path with type marker. */
  path: string;
  attributes: Record<number, string>;
  characteristics: readonly DemoCharacteristic[];
}

export interface DemoCharacteristic {
  uuid: string;
  name: string;
  path: string;
  nominal: number;
  /** Greatest deviation from the nominal value, the same on both sides. */
  tolerance: number;
  unit: 'mm' | '°' | 'N';
  /** Number of fraction digits of the machine. */
  digits: number;
  /** Position on the drawing, in hundredths of its width and height. */
  position: readonly [number, number];
}

interface Group {
  name: string;
  count: number;
  /** Ends of the line of its points on the drawing: x, y, x, y. */
  line: readonly [number, number, number, number];
  /** Distance of the points from the line. */
  spread?: number;
  nominal: readonly [number, number];
  tolerance: number;
  unit?: 'mm' | '°' | 'N';
  digits?: number;
}

export const DOOR_PATH = '/Car door';
/** Share of the tolerance; a value beyond it exceeds the warning limit. */
const WARNING_SHARE = 0.75;

const CONTENT: readonly { name: string; number: string; description: string; groups: readonly Group[] }[] = [
  {
    name: 'Car door',
    number: 'D-4711-000',
    description: 'Front door, left, assembled',
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
    number: 'D-4711-100',
    description: 'Outer panel, deep-drawn',
    groups: [
      { name: 'Surface point', count: 28, line: [16, 70, 86, 70], spread: 14, nominal: [0, 0], tolerance: 0.4 },
      { name: 'Trim edge', count: 8, line: [14, 90, 88, 89], nominal: [412, 1184], tolerance: 0.6 },
      { name: 'Handle cut-out', count: 4, line: [69, 56, 85, 56], nominal: [24, 196], tolerance: 0.2 },
    ],
  },
  {
    name: 'Inner panel',
    number: 'D-4711-200',
    description: 'Inner panel with module opening',
    groups: [
      { name: 'Hole diameter', count: 16, line: [20, 60, 84, 60], spread: 5, nominal: [6.2, 24], tolerance: 0.1 },
      { name: 'Hole position', count: 16, line: [20, 78, 84, 78], spread: 6, nominal: [0, 0], tolerance: 0.5 },
      { name: 'Flange width', count: 8, line: [15, 89, 87, 89], nominal: [14, 18], tolerance: 0.4 },
    ],
  },
  {
    name: 'Window frame',
    number: 'D-4711-300',
    description: 'Window frame with channel',
    groups: [
      { name: 'Channel width', count: 20, line: [19, 45, 38, 17], nominal: [11.4, 11.4], tolerance: 0.25 },
      { name: 'Frame contour', count: 16, line: [42, 11, 88, 11], spread: 1, nominal: [0, 0], tolerance: 0.6 },
      { name: 'Frame angle', count: 4, line: [88, 20, 87, 46], nominal: [36, 112], tolerance: 0.3, unit: '°' },
    ],
  },
  {
    name: 'Hinge and latch',
    number: 'D-4711-400',
    description: 'Hinge reinforcement and latch plate',
    groups: [
      { name: 'Hinge hole', count: 12, line: [13, 56, 15, 84], spread: 1, nominal: [8.5, 10.5], tolerance: 0.08 },
      { name: 'Hinge axis', count: 12, line: [18, 58, 20, 82], spread: 1, nominal: [0, 0], tolerance: 0.3 },
      { name: 'Latch position', count: 12, line: [86, 56, 86, 82], spread: 2, nominal: [18, 65], tolerance: 0.25 },
      { name: 'Striker angle', count: 4, line: [80, 62, 80, 78], nominal: [2, 4], tolerance: 0.5, unit: '°' },
    ],
  },
];

const random = new Random('door');

/** The door first, then its parts. */
export const PARTS: readonly DemoPart[] = CONTENT.map(({ name, number, description, groups }, index) => {
  const [marker, folder] = index === 0 ? ['P', `${DOOR_PATH}/`] : ['PP', `${DOOR_PATH}/${name}/`];
  return {
    uuid: random.uuid(),
    name,
    path: `${marker}:${folder}`,
    attributes: { [KEY.partNumber]: number, [KEY.partDescription]: description, [KEY.drawing]: `${number}-C` },
    characteristics: groups.flatMap((group) => characteristicsOf(group, `${marker}C:${folder}`)),
  };
});

export const CHARACTERISTICS = PARTS.flatMap(({ characteristics }) => characteristics);

function characteristicsOf(
  { name, count, line, spread = 0, nominal, tolerance, unit = 'mm', digits = 3 }: Group,
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
      unit,
      digits,
      position: [fromX + (toX - fromX) * along, fromY + (toY - fromY) * along + random.between(-spread, spread)] as const,
    };
  });
}

export function attributesOf({ nominal, tolerance, unit }: DemoCharacteristic): Record<number, string> {
  const limit = (share: number) => String(Number((nominal + tolerance * share).toFixed(3)));
  return {
    [KEY.nominal]: String(nominal),
    [KEY.lowerTolerance]: limit(-1),
    [KEY.upperTolerance]: limit(1),
    [KEY.lowerWarning]: limit(-WARNING_SHARE),
    [KEY.upperWarning]: limit(WARNING_SHARE),
    [KEY.unit]: unit,
  };
}
