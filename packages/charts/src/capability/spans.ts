import type { CharacteristicSummary } from '@sinebar/contracts';
import { label, uprightWall, vertical } from '../drawing/lines.ts';
import { c } from '../drawing/paths.ts';
import { linearScale } from '../drawing/scale.ts';
import { group, path, shapesOf, type Drawing, type Drawn } from '../drawing/shapes.ts';
import { textsIn, type Locale } from '../language/texts.ts';
import { texts } from '../texts.ts';

/** Height of the three dimension lines, px. */
const HEIGHT = 84;
const NAMES_WIDTH = 80;

export interface SpansInput {
  summary: CharacteristicSummary;
  /** Decimal places that values were measured with. */
  decimals: number;
  width: number;
}

/** Dimension lines: the tolerance against six standard deviations, overall and within. */
export function spans({ summary, decimals, width }: SpansInput, { formats, language }: Locale): Drawing | undefined {
  const t = textsIn(texts, language);
  const { limits, mean, capability } = summary;
  const lower = limits.lowerTolerance ?? limits.lowerBoundary;
  const upper = limits.upperTolerance ?? limits.upperBoundary;
  const rows = [
    ...(lower !== undefined && upper !== undefined
      ? [{ name: t.tolerance, low: lower, high: upper, kind: 'tolerance' as const, decimals }]
      : []),
    ...spanOf(mean, capability?.normal.overall.sigma ?? summary.standardDeviation, {
      name: t.overallSpan,
      kind: 'measured',
      decimals: decimals + 1,
    }),
    ...spanOf(mean, capability?.normal.within?.sigma ?? summary.chart?.sigma, {
      name: t.withinSpan,
      kind: 'computed',
      decimals: decimals + 1,
    }),
  ];
  const ends = [...rows.flatMap(({ low, high }) => [low, high]), limits.lowerTolerance, limits.upperTolerance].filter(
    (end) => end !== undefined,
  );
  if (ends.length === 0) return undefined;
  const [from, to] = [Math.min(...ends), Math.max(...ends)];
  const margin = (to - from) * 0.06 || 1;
  const x = linearScale([from - margin, to + margin], [NAMES_WIDTH, width - 8]);
  const title = lower !== undefined && upper !== undefined ? t.spansLabel(formats.number(upper - lower, decimals)) : t.spansLabelOpen;
  const edge = { y1: 2, y2: HEIGHT - 2 };
  const { lowerTolerance, upperTolerance, nominal } = limits;
  const shapes = shapesOf([
    lowerTolerance !== undefined && uprightWall({ x: x(lowerTolerance), ...edge, side: 'left' }),
    upperTolerance !== undefined && uprightWall({ x: x(upperTolerance), ...edge, side: 'right' }),
    nominal !== undefined && nominal >= from && nominal <= to && vertical({ x: x(nominal), ...edge, kind: 'nominal' }),
    rows.map(({ name, low, high, kind, decimals: places }, i) =>
      group([
        label({ x: 0, y: 20 + i * 25, kind: 'label' }, name),
        dimension({ x1: x(low), x2: x(high), y: 16 + i * 25, kind, text: formats.number(high - low, places) }),
      ]),
    ),
  ]);
  return { width, height: HEIGHT, label: title, shapes };
}

type SpanKind = 'tolerance' | 'measured' | 'computed';

function spanOf(mean: number | undefined, sigma: number | undefined, row: { name: string; kind: SpanKind; decimals: number }) {
  if (mean === undefined || sigma === undefined) return [];
  return [{ ...row, low: mean - 3 * sigma, high: mean + 3 * sigma }];
}

/** Size of an arrow head, and width of a character of a figure, px. */
const HEAD = 5;
const CHARACTER = 6.6;

/** A dimension line as on a drawing: arrows at both ends, the figure in a gap in the middle. */
function dimension({ x1, x2, y, kind, text }: { x1: number; x2: number; y: number; kind: SpanKind; text: string }): Drawn {
  const half = (text.length * CHARACTER) / 2 + 5;
  const middle = (x1 + x2) / 2;
  // A span that is too narrow for its figure has it at the right.
  const isInside = x2 - x1 > 2 * half + 20;
  const at = isInside ? middle : x2 + half + 4;
  const line = isInside ? `M${c(x1)} ${y}H${c(middle - half)}M${c(middle + half)} ${y}H${c(x2)}` : `M${c(x1)} ${y}H${c(x2)}`;
  const isNarrow = x2 - x1 < 20;
  const isComputed = kind === 'computed';
  const heads = `M${c(x1)} ${y}l${HEAD * 1.6} ${-HEAD / 2}v${HEAD}zM${c(x2)} ${y}l${-HEAD * 1.6} ${-HEAD / 2}v${HEAD}z`;
  return [
    path('clear', `M${c(at - half)} ${y - 9}h${c(2 * half)}v18h${c(-2 * half)}z`),
    path(isComputed ? 'computedLine' : 'line', `M${c(x1)} ${y - 5}v10M${c(x2)} ${y - 5}v10${line}`),
    !isNarrow && path(isComputed ? 'computedArrow' : 'arrow', heads),
    label({ x: at, y: y + 4, kind: isComputed ? 'control' : 'label', anchor: 'middle', isStrong: kind === 'tolerance' }, text),
  ];
}
