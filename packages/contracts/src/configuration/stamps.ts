import type { StandardAttribute } from './standard-attributes.ts';

/** Keys of the attributes of characteristics that hold a balloon of a drawing. spec: decisions.md 13.6 */
export const STAMP_KEYS = {
  isShown: 2808,
  caption: 2809,
  x: 2810,
  y: 2811,
  targetX: 2812,
  targetY: 2813,
  radius: 2814,
} as const;

/** Key of the number of a characteristic (K2001 of AQDEF), which a balloon without a caption shows. */
const NUMBER_KEY = 2001;

const float = { entity: 'characteristic', type: 'Float' } as const;

/**
 * The attributes of balloons. They are no standard attributes: in files of AQDEF K2810 to K2812 are a field of the user,
 * so an import must not define them.
 */
export const STAMP_ATTRIBUTES: readonly StandardAttribute[] = [
  { key: STAMP_KEYS.isShown, entity: 'characteristic', names: { en: 'Balloon', de: 'Stempel' }, type: 'Integer' },
  {
    key: STAMP_KEYS.caption,
    entity: 'characteristic',
    names: { en: 'Balloon number', de: 'Stempelnummer' },
    type: 'AlphaNumeric',
    length: 20,
  },
  { key: STAMP_KEYS.x, names: { en: 'Balloon x', de: 'Stempel x' }, ...float },
  { key: STAMP_KEYS.y, names: { en: 'Balloon y', de: 'Stempel y' }, ...float },
  { key: STAMP_KEYS.targetX, names: { en: 'Balloon target x', de: 'Stempelziel x' }, ...float },
  { key: STAMP_KEYS.targetY, names: { en: 'Balloon target y', de: 'Stempelziel y' }, ...float },
  { key: STAMP_KEYS.radius, names: { en: 'Balloon radius', de: 'Stempelradius' }, ...float },
];

/** A point of a drawing; both are fractions of its width and height, from the left and from the top. */
export interface DrawingPoint {
  readonly x: number;
  readonly y: number;
}

/** A balloon of a drawing. */
export interface Stamp extends DrawingPoint {
  readonly target?: DrawingPoint;
  /** Fraction of the width of the drawing. */
  readonly radius?: number;
}

type Texts = Readonly<Record<number | string, string | undefined>>;

/** Reads the balloon of a characteristic; `undefined` where it has none, or one without a position. */
export function readStamp(attributes: Texts): Stamp | undefined {
  const [x, y] = [numberIn(attributes, STAMP_KEYS.x), numberIn(attributes, STAMP_KEYS.y)];
  if (numberIn(attributes, STAMP_KEYS.isShown) === 0 || x === undefined || y === undefined) return undefined;
  const [targetX, targetY] = [numberIn(attributes, STAMP_KEYS.targetX), numberIn(attributes, STAMP_KEYS.targetY)];
  const radius = numberIn(attributes, STAMP_KEYS.radius);
  return {
    x,
    y,
    ...(targetX !== undefined && targetY !== undefined && { target: { x: targetX, y: targetY } }),
    ...(radius !== undefined && radius > 0 && { radius }),
  };
}

/** Returns the number in the balloon of a characteristic: the caption, else the number of the characteristic. */
export function stampNumber(attributes: Texts): string {
  return attributes[STAMP_KEYS.caption]?.trim() || (attributes[NUMBER_KEY] ?? '').trim();
}

function numberIn(attributes: Texts, key: number): number | undefined {
  const text = attributes[key] ?? '';
  const number = text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : undefined;
}

/** A file of a part that may be its drawing. */
interface NamedFile {
  readonly fileName: string;
  readonly mimeType: string;
  readonly key: number;
}

const DRAWING_NAME = /drawing|zeichnung/i;
const DRAWING_TYPE = /^(image\/(jpeg|png|webp|gif|avif|tiff|svg\+xml)|application\/pdf)$/i;
const DRAWING_ENDING = /\.(jpe?g|png|webp|gif|avif|tiff?|svg|pdf)$/i;
/** Types under which browsers and programs store files whose kind they do not know. */
const UNKNOWN_TYPE = /^(application\/octet-stream)?$/i;

/**
 * Chooses the drawing of a part among its own files: images and PDFs, those first whose name has “drawing” or “Zeichnung” in it,
 * then images before PDFs, then by name. spec: decisions.md 13.6
 */
export function chooseDrawing<T extends NamedFile>(files: readonly T[]): T | undefined {
  const rank = (file: T) => (DRAWING_NAME.test(file.fileName) ? 0 : 2) + (isPdf(file) ? 1 : 0);
  const [first] = files
    .filter(isDrawable)
    .sort((one, other) => rank(one) - rank(other) || compareTexts(one.fileName, other.fileName) || one.key - other.key);
  return first;
}

/** Whether a file is a PDF, by its type or its name. */
export function isPdf({ fileName, mimeType }: NamedFile): boolean {
  return /pdf/i.test(mimeType) || /\.pdf$/i.test(fileName);
}

function isDrawable({ fileName, mimeType }: NamedFile): boolean {
  const type = mimeType.split(';')[0]?.trim() ?? '';
  return DRAWING_TYPE.test(type) || (UNKNOWN_TYPE.test(type) && DRAWING_ENDING.test(fileName));
}

/** Compares by code units, which is the same for everybody. */
function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
