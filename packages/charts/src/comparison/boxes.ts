import { fitted, textWidth } from '../drawing/label-placement.ts';
import { horizontal, label, uprightWall, vertical } from '../drawing/lines.ts';
import { mark } from '../drawing/marks.ts';
import { c, crisp, discs } from '../drawing/paths.ts';
import { linearScale, type Scale } from '../drawing/scale.ts';
import { group, path, shapesOf, type Drawing, type Drawn } from '../drawing/shapes.ts';
import type { Formats } from '../language/formats.ts';
import { textsIn, type Locale } from '../language/texts.ts';
import { texts } from '../texts.ts';
import { REACH, type Compared } from './compared.ts';

/** Width of names beside the boxes, and of the margin where they stand above them, px. */
const NAMES_WIDTH = 124;
const MARGIN = 18;
const FIGURES_WIDTH = 120;
/** Distances of the three figures, from the right edge, px. */
const FIGURE_OFFSETS = [76, 34, 0];
const TICKS = [-100, -50, 0, 50, 100];
/** Half of the height of a box, px. */
const HALF = 13;
/** Distance of a name from the middle of the box below it, px. */
const NAME_ABOVE = HALF + 9;

export interface BoxesInput {
  all: readonly Compared[];
  width: number;
  height: number;
}

/** Lying box plots: quartiles, whiskers to 1.5 interquartile ranges, single values beyond. Long names stand above their boxes. */
export function boxes({ all, width, height }: BoxesInput, { formats, language }: Locale): Drawing {
  const t = textsIn(texts, language);
  const right = width - FIGURES_WIDTH;
  const isBeside = all.every(({ name }) => textWidth(name) <= NAMES_WIDTH);
  const left = isBeside ? NAMES_WIDTH : MARGIN;
  const [top, bottom] = [20, height - 24];
  const x = linearScale([-REACH, REACH], [left, right]);
  const pitch = (bottom - top) / Math.max(all.length, 1);
  const walls = ([-1, 1] as const).filter((wall) => all.some((item) => item.walls.includes(wall)));
  const shapes = shapesOf([
    TICKS.map((tick) =>
      group([
        Math.abs(tick) === 50 && vertical({ x: x(tick), y1: top, y2: bottom, kind: 'grid' }),
        vertical({ x: x(tick), y1: bottom, y2: bottom + 4, kind: 'tick' }),
        label({ x: x(tick), y: bottom + 17, anchor: 'middle', kind: tick === 0 ? 'strong' : 'axis' }, formats.signed(tick, 0)),
      ]),
    ),
    horizontal({ x1: left, x2: right, y: bottom, kind: 'tick' }),
    walls.map((wall) => uprightWall({ x: x(wall * 100), y1: top, y2: bottom, side: wall < 0 ? 'left' : 'right' })),
    vertical({ x: x(0), y1: top, y2: bottom, kind: 'nominal' }),
    [t.median, t.iqr, t.out].map((name, i) => label({ x: width - FIGURE_OFFSETS[i]!, y: 11, anchor: 'end', kind: 'axis' }, name)),
    all.map((item, i) =>
      box({ item, y: top + pitch * (i + 0.5) + (isBeside ? 0 : NAME_ABOVE / 2), x, isBeside, left, right, width }, formats),
    ),
  ]);
  return { width, height, label: t.boxesLabel(formats.count(all.length)), shapes };
}

interface Box {
  item: Compared;
  y: number;
  x: Scale;
  isBeside: boolean;
  left: number;
  right: number;
  width: number;
}

function box({ item, y, x, isBeside, left, right, width }: Box, formats: Formats): Drawn {
  const { summary, percent, name } = item;
  const { lowerQuartile, median, upperQuartile, mean, box: plotted, counts } = summary;
  const at = (value: number) => x(Math.max(-REACH, Math.min(percent(value), REACH)));
  const middle = crisp(y);
  const out = counts.belowTolerance + counts.aboveTolerance;
  const line = [
    label(
      { x: 0, y: isBeside ? y + 4 : y - NAME_ABOVE, kind: 'label', isOnLines: !isBeside },
      fitted(name, isBeside ? NAMES_WIDTH : width),
    ),
    horizontal({ x1: left, x2: right, y, kind: 'grid' }),
  ];
  const isWhole = lowerQuartile !== undefined && median !== undefined && upperQuartile !== undefined && mean !== undefined;
  if (!isWhole || plotted === undefined) return line;
  const isOut = (value: number) => item.hasTolerance && Math.abs(percent(value)) > 100 && item.walls.includes(percent(value) < 0 ? -1 : 1);
  const halfPixels = new Map(plotted.outliers.map((value) => [Math.round(at(value) * 2), value]));
  const spots = [...halfPixels.values()].filter((value) => !isOut(value)).map((value) => [at(value), middle] as const);
  const [low, high] = [at(plotted.lowerWhisker), at(plotted.upperWhisker)];
  const [first, second, third] = [at(lowerQuartile), at(median), at(upperQuartile)];
  const whiskers = `M${c(low)} ${middle}H${c(first)}M${c(third)} ${middle}H${c(high)}M${crisp(low)} ${middle - 6}v12M${crisp(high)} ${middle - 6}v12`;
  const figure = (offset: number, text: string, isBad = false) =>
    label({ x: width - offset, y: y + 4, anchor: 'end', kind: isBad ? 'out' : 'label', isStrong: isBad }, text);
  return [
    line,
    path('outline', whiskers),
    path('body', `M${crisp(first)} ${middle - HALF}H${crisp(third)}v${2 * HALF}H${crisp(first)}z`),
    path('median', `M${crisp(second)} ${middle - HALF}v${2 * HALF}`),
    path('spots', discs(spots, 1.6)),
    [...halfPixels.values()].filter(isOut).map((value) => mark({ name: percent(value) > 0 ? 'right' : 'left', x: at(value), y, size: 9 })),
    path('outlinedComputed', `M${c(at(mean))} ${middle - 5}l5 5-5 5-5-5z`),
    figure(FIGURE_OFFSETS[0]!, formats.signed(percent(median), 0)),
    figure(FIGURE_OFFSETS[1]!, formats.number(percent(upperQuartile) - percent(lowerQuartile), 0)),
    figure(FIGURE_OFFSETS[2]!, formats.count(out), out > 0),
  ];
}
