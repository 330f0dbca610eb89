import { KEY } from '../attributes.ts';
import { Random } from '../random.ts';
import { FACTORY_KEY } from './attributes.ts';
import { KINDS, PRESS_FORCE, type CharacteristicKind } from './kinds.ts';
import { LINES, partName, PARTS_PER_ASSEMBLY, PLANT } from './names.ts';

export interface FactoryCharacteristic {
  readonly uuid: string;
  readonly path: string;
  readonly kind: CharacteristicKind;
}

export interface FactoryPart {
  readonly uuid: string;
  readonly path: string;
  readonly attributes: Readonly<Record<number, string>>;
  readonly measurementCount: number;
  /** Time between two measurements, ms. */
  readonly everyMs: number;
  readonly characteristics: readonly FactoryCharacteristic[];
}

/** Measurements of a usual part. */
const USUAL_MEASUREMENTS = 40;
/** Characteristics and measurements of the part that a coordinate measuring machine measures wholly. */
const WIDE = { characteristics: 2000, measurements: 30 } as const;
/** Measurements of the part that every stroke of the press measures. */
const LONG_MEASUREMENTS = 100_000;
const HOUR_MS = 3_600_000;

const random = new Random('factory');

/** Parts that hold others: the plant, its lines and their assemblies. */
export const HOLDERS = [
  holderOf([PLANT]),
  ...LINES.flatMap(([line, ...assemblies]) => [holderOf([PLANT, line]), ...assemblies.map((each) => holderOf([PLANT, line, each]))]),
];

/** The measured parts. */
export const FACTORY_PARTS: readonly FactoryPart[] = LINES.flatMap(([line, ...assemblies], l) =>
  assemblies.flatMap((assembly, a) =>
    Array.from({ length: PARTS_PER_ASSEMBLY }, (_, index) => {
      const number = (l * assemblies.length + a) * PARTS_PER_ASSEMBLY + index + 1;
      return partOf([PLANT, line, assembly, partName(assembly, index, number)], number);
    }),
  ),
);

/** The part with 2,000 characteristics, and the one with a characteristic of 100,000 values. */
export const WIDE_PART = FACTORY_PARTS.find(({ characteristics }) => characteristics.length === WIDE.characteristics)!;
export const LONG_PART = FACTORY_PARTS.find(({ measurementCount }) => measurementCount === LONG_MEASUREMENTS)!;

export function attributesOf({ kind }: FactoryCharacteristic): Record<number, string> {
  const { nominal, lower, upper, isBounded, decimals, sampleSize, unit } = kind;
  const limit = (distance: number) => String(Number(((nominal ?? 0) + distance).toFixed(6)));
  return {
    ...(nominal !== undefined && { [KEY.nominal]: String(nominal) }),
    ...(lower !== undefined && { [KEY.lowerTolerance]: limit(lower) }),
    ...(isBounded && { [KEY.lowerTolerance]: '0', [KEY.lowerLimitKind]: '2' }),
    ...(upper !== undefined && { [KEY.upperTolerance]: limit(upper) }),
    ...(decimals !== undefined && { [FACTORY_KEY.decimals]: String(decimals) }),
    ...(sampleSize !== undefined && { [FACTORY_KEY.characteristicType]: '5' }),
    ...(unit !== '' && { [KEY.unit]: unit }),
  };
}

function partOf(names: readonly string[], number: number): FactoryPart {
  const kinds = kindsOf(number);
  const uuid = random.uuid();
  return {
    uuid,
    path: pathOf('PPPP', names),
    attributes: {
      [KEY.partNumber]: `4711.${String(number).padStart(4, '0')}.00`,
      [KEY.partDescription]: names.at(-1)!,
      [FACTORY_KEY.material]: number % 2 === 0 ? 'EN AC-43500 (AlSi10MnMg), Wärmebehandlung T6' : '22MnB5+AS150, pressgehärtet',
    },
    measurementCount: number === 2 ? LONG_MEASUREMENTS : number === 1 ? WIDE.measurements : USUAL_MEASUREMENTS,
    everyMs: number === 2 ? 30_000 : 2 * HOUR_MS,
    characteristics: kinds.map((kind) => ({ uuid: random.uuid(), path: pathOf('PPPPC', [...names, kind.name]), kind })),
  };
}

/** The first part has all kinds again and again, the second one a single value for each stroke. */
function kindsOf(number: number): CharacteristicKind[] {
  if (number === 1) {
    return Array.from({ length: WIDE.characteristics }, (_, i) => {
      const kind = KINDS[i % KINDS.length]!;
      return { ...kind, name: `Punkt ${String(i + 1).padStart(4, '0')} ${kind.name}`.slice(0, 60).trimEnd() };
    });
  }
  return number === 2 ? [PRESS_FORCE] : [...KINDS];
}

function holderOf(names: readonly string[]) {
  return { uuid: random.uuid(), path: pathOf('P'.repeat(names.length), names) };
}

/** A path with its type marker; a slash inside of a name is written with a backslash. */
function pathOf(types: string, names: readonly string[]): string {
  return `${types}:/${names.map((name) => name.replaceAll(/[\\/]/g, String.raw`\$&`)).join('/')}/`;
}
