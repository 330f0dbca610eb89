import { horizontal, label, vertical, wall } from '../drawing/lines.ts';
import { fitted, placeLabels, textWidth } from '../drawing/label-placement.ts';
import { c, crisp } from '../drawing/paths.ts';
import { linearScale, type Scale } from '../drawing/scale.ts';
import { group, path, shapesOf, type Drawing, type Drawn, type Group } from '../drawing/shapes.ts';
import type { Formats } from '../language/formats.ts';
import type { Locale } from '../language/texts.ts';
import type { Ruler } from './ruler.ts';

/** Width of the figures on an axis, and of the names and values of lines, px. */
export const AXIS_WIDTH = 48;
export const LABELS_WIDTH = 140;
/** Width of the values alone, where a narrow screen has no room for the names. */
const SHORT_LABELS_WIDTH = 68;

export type Labels = 'full' | 'short' | 'none';

export interface RulerPane {
  ruler: Ruler;
  /** Width of the plot without axis and labels. */
  plot: number;
  height: number;
  label: string;
  hasAxis?: boolean;
  labels?: Labels;
  /** What is drawn below and above the lines of the limits. */
  under?: Drawn;
  over?: Drawn;
}

export function widthOf(plot: number, hasAxis: boolean, labels: Labels): number {
  const right = { full: LABELS_WIDTH, short: SHORT_LABELS_WIDTH, none: 0 }[labels];
  return (hasAxis ? AXIS_WIDTH : 0) + plot + right;
}

/** Where the points of a chart with an axis lie. @param count points that are shown @param plot width of the plot, px */
export function pointScale(count: number, plot: number): Scale {
  return linearScale([0, count], [AXIS_WIDTH, AXIS_WIDTH + plot]);
}

/** One pane on the axis of values: the lines run through all panes that share the ruler. */
export function rulerPane(pane: RulerPane, { formats }: Locale): Drawing {
  const { ruler, plot, height, label: name, hasAxis = false, labels = 'none', under, over } = pane;
  const left = hasAxis ? AXIS_WIDTH : 0;
  const right = left + plot;
  const { y, ticks, top, bottom, nominal } = ruler;
  const width = widthOf(plot, hasAxis, labels);
  const shapes = shapesOf([
    ticks.values.map((tick) => horizontal({ x1: left, x2: right, y: y(tick), kind: 'grid' })),
    hasAxis && [
      axisTexts(ticks.values, ruler.decimals, formats).map((text, i) => {
        const tick = ticks.values[i]!;
        return group(axisTick(y(tick), text, tick === nominal));
      }),
      vertical({ x: AXIS_WIDTH - 1, y1: top, y2: bottom, kind: 'tick' }),
    ],
    under,
    ruler.lines.map(({ value, kind, side, isStepped = false }) => {
      if (isStepped) return false;
      return side ? wall({ x: left, y: y(value), width: plot, side }) : horizontal({ x1: left, x2: right, y: y(value), kind });
    }),
    over,
    labels !== 'none' && lineLabels({ ruler, right, edge: width, hasNames: labels === 'full', low: top + 6, high: bottom - 6 }, formats),
  ]);
  return { width, height, label: name, shapes };
}

/** Width that figures on an axis have, px. */
const AXIS_TEXT_WIDTH = AXIS_WIDTH - 8;

/** Writes figures so that they fit beside the axis: in full, else with a power of ten, else their last digits. */
export function axisTexts(values: readonly number[], decimals: number, formats: Formats): string[] {
  const fit = (texts: readonly string[]) => texts.every((text) => textWidth(text) <= AXIS_TEXT_WIDTH);
  const written = values.map((value) => formats.number(value, decimals));
  if (fit(written)) return written;
  const exponent = Math.floor(Math.log10(Math.max(...values.map(Math.abs))));
  const step = values.length > 1 ? Math.abs(values[1]! - values[0]!) : 10 ** exponent;
  const digits = Math.max(0, exponent - Math.floor(Math.log10(step) + 1e-9));
  const powers = values.map((value) => `${formats.number(value / 10 ** exponent, digits)}E${formats.number(exponent)}`);
  if (fit(powers)) return powers;
  return written.map((text) => {
    let end = text;
    while (textWidth(`…${end}`) > AXIS_TEXT_WIDTH) end = end.slice(1);
    return end === text ? text : `…${end}`;
  });
}

/** A figure at the left of the axis of values; nominal is bold. */
export function axisTick(y: number, text: string, isNominal = false): Drawn {
  return [
    horizontal({ x1: AXIS_WIDTH - 4, x2: AXIS_WIDTH, y, kind: 'tick' }),
    label({ x: AXIS_TEXT_WIDTH, y: y + 4, anchor: 'end', kind: isNominal ? 'strong' : 'axis' }, text),
  ];
}

interface LineLabels {
  ruler: Ruler;
  /** Right edge of the plot, and of the values. */
  right: number;
  edge: number;
  hasNames: boolean;
  low: number;
  high: number;
}

/** Distance of a name from the figure behind it, px. */
const GAP = 4;
/** Distance of the uppermost line from the uppermost label, px. */
const LEADER_REACH = 6;

/** Names and values of the lines at the right edge, each tied to its line by a leader. */
export function lineLabels({ ruler, right, edge, hasNames, low, high }: LineLabels, formats: Formats): Group[] {
  const placed = placeLabels(
    ruler.lines.map((line) => ({ ...line, y: ruler.y(line.value) })),
    low,
    high,
  );
  return placed.map(({ value, kind, name, decimals, y, at }) => {
    const figure = formats.number(value, decimals);
    // A line may lie above or below what is drawn.
    const start = crisp(Math.max(low - LEADER_REACH, Math.min(y, high + LEADER_REACH)));
    const leader = hasNames
      ? `M${c(right + 4)} ${start}h4L${c(right + 16)} ${c(at)}h3`
      : `M${c(right + 2)} ${start}h2L${c(right + 8)} ${c(at)}`;
    return group([
      path('leader', leader),
      hasNames && label({ x: right + 23, y: at + 4, kind }, fitted(name, edge - right - 23 - GAP - textWidth(figure))),
      label({ x: edge, y: at + 4, kind, anchor: 'end', isStrong: kind === 'tolerance' }, figure),
    ]);
  });
}
