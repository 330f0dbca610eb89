import { decimalsOf, limitLines, localeOf, newest, rulerOf, shownDecimals, statusOf, svgOf, texts, textsIn } from '@sinebar/charts';
import type { MessageLanguage } from '@sinebar/contracts';
import { fontFile } from '@sinebar/report';
import type sharpLibrary from 'sharp';
import type { NewestValue, ToldAlarm } from './told-alarms.ts';

const PLOT_WIDTH = 420;
const HEIGHT = 190;
const EDGES = { top: 14, bottom: HEIGHT - 26 };
/** Pixels of the picture for each of the drawing, for screens with small pixels. */
const SCALE = 2;
const DPI = 72;

/** Draws the newest values of the characteristic of an alarm between its limits, as SVG; `undefined` where it has none. */
export function drawValues(
  { alarm, characteristic }: Pick<ToldAlarm, 'alarm' | 'characteristic'>,
  values: readonly NewestValue[],
  language: MessageLanguage,
): string | undefined {
  if (characteristic === undefined || values.length === 0) return undefined;
  const names = textsIn(texts, language);
  const { limits, places } = characteristic;
  const numbers = values.map(({ value }) => value);
  const decimals = shownDecimals({ limits, values: numbers, places });
  const control = alarm.kind === 'rule' && alarm.on !== 'variation' ? alarm.limits : undefined;
  const ruler = rulerOf({
    lines: [
      ...limitLines({ ...limits, sources: {} }, undefined, decimals, { ...names, median: names.mean }),
      ...[control?.upper, control?.lower].flatMap((value) =>
        value === undefined ? [] : [{ value, kind: 'control' as const, name: names.control, decimals }],
      ),
      ...(control?.centerLine === undefined ? [] : [{ value: control.centerLine, kind: 'mean' as const, name: names.mean, decimals }]),
    ],
    extremes: [Math.min(...numbers), Math.max(...numbers)],
    ...(limits.nominal !== undefined && { nominal: limits.nominal }),
    decimals: decimalsOf(numbers),
    ...EDGES,
  });
  const drawn = values.map(({ measurementUuid, value }) => ({ measurementUuid, value, status: statusOf(value, limits) }));
  const broken = new Set(alarm.kind === 'rule' && alarm.measurementUuid !== undefined ? [alarm.measurementUuid] : []);
  return svgOf(newest({ values: drawn, broken, ruler, plot: PLOT_WIDTH, height: HEIGHT, labels: 'full' }, localeOf(language)));
}

let library: Promise<typeof sharpLibrary | undefined> | undefined;

/** Loads the library, and a font into it: the image of the container has none, and drawings would be without letters. */
async function loadLibrary(): Promise<typeof sharpLibrary> {
  const { default: sharp } = await import('sharp');
  // A font file that draws one text is known to all later drawings.
  await sharp({ text: { text: '0', fontfile: fontFile('regular') } })
    .png()
    .toBuffer();
  return sharp;
}

/** Turns a drawing into a PNG; `undefined` on a platform without a build of the library. */
export async function pngOf(svg: string): Promise<Buffer | undefined> {
  library ??= loadLibrary().catch(() => undefined);
  const sharp = await library;
  return sharp?.(Buffer.from(svg), { density: DPI * SCALE })
    .flatten({ background: '#ffffff' })
    .png()
    .toBuffer();
}
