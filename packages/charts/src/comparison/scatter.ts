import type { CorrelationAnswer } from '@sinebar/contracts';
import { domainOf } from '../control/ruler.ts';
import { AXIS_WIDTH, axisTexts, axisTick } from '../control/ruler-pane.ts';
import { shortened } from '../drawing/label-placement.ts';
import { horizontal, label, uprightWall, vertical, wall } from '../drawing/lines.ts';
import { mark } from '../drawing/marks.ts';
import { discs, polyline } from '../drawing/paths.ts';
import { linearScale, ticksOf } from '../drawing/scale.ts';
import { group, path, shapesOf, type Drawing } from '../drawing/shapes.ts';
import { isOut, markOf, statusOf } from '../drawing/value-status.ts';
import { textsIn, type Locale } from '../language/texts.ts';
import { texts } from '../texts.ts';
import type { Compared } from './compared.ts';

/** Width of a character of a name, px. */
const CHARACTER = 6.4;

export interface ScatterInput {
  first: Compared;
  second: Compared;
  correlation: CorrelationAnswer;
  width: number;
  height: number;
}

/** Two characteristics against each other: both tolerances are walls, the regression line is blue. */
export function scatter({ first, second, correlation, width, height }: ScatterInput, { formats, language }: Locale): Drawing {
  const [left, right, top, bottom] = [AXIS_WIDTH, width - 10, 8, height - 24];
  const across = axisOf(first, [left, right], 84);
  const up = axisOf(second, [bottom, top], 34);
  const { scale: x } = across;
  const { scale: y } = up;
  const inside = (value: number, { scale }: Axis) => Math.max(scale.from, Math.min(value, scale.to));
  const judged = correlation.points.map(([a, b]) => {
    const statuses = [statusOf(a, first.summary.limits), statusOf(b, second.summary.limits)];
    return { x: x(inside(a, across)), y: y(inside(b, up)), status: statuses.find(isOut) };
  });
  const characters = Math.floor((right - left) / CHARACTER) - 4;
  const [ofFirst, ofSecond] = [first.summary.limits, second.summary.limits];
  const line = correlation.line && polyline(lineOf(correlation.line, first, across, up));
  const spots = judged.filter(({ status }) => status === undefined).map((point) => [point.x, point.y] as const);
  const lying = { x1: left, x2: right };
  const upright = { y1: top, y2: bottom };
  const shapes = shapesOf([
    axisTexts(up.ticks.values, Math.max(second.decimals, up.ticks.decimals), formats).map((text, i) => {
      const tick = up.ticks.values[i]!;
      return group([horizontal({ ...lying, y: y(tick), kind: 'grid' }), axisTick(y(tick), text, tick === ofSecond.nominal)]);
    }),
    across.ticks.values.map((tick) =>
      group([
        vertical({ x: x(tick), ...upright, kind: 'grid' }),
        vertical({ x: x(tick), y1: bottom, y2: bottom + 4, kind: 'tick' }),
        label(
          { x: x(tick), y: bottom + 17, anchor: 'middle', kind: tick === ofFirst.nominal ? 'strong' : 'axis' },
          formats.number(tick, Math.max(first.decimals, across.ticks.decimals)),
        ),
      ]),
    ),
    vertical({ x: left - 1, ...upright, kind: 'tick' }),
    horizontal({ ...lying, y: bottom, kind: 'tick' }),
    path('spots', discs(spots, 1.2)),
    ofSecond.upperTolerance !== undefined && wall({ x: left, y: y(ofSecond.upperTolerance), width: right - left, side: 'above' }),
    ofSecond.lowerTolerance !== undefined && wall({ x: left, y: y(ofSecond.lowerTolerance), width: right - left, side: 'below' }),
    ofFirst.lowerTolerance !== undefined && uprightWall({ x: x(ofFirst.lowerTolerance), ...upright, side: 'left' }),
    ofFirst.upperTolerance !== undefined && uprightWall({ x: x(ofFirst.upperTolerance), ...upright, side: 'right' }),
    ofFirst.nominal !== undefined && vertical({ x: x(ofFirst.nominal), ...upright, kind: 'nominal' }),
    ofSecond.nominal !== undefined && horizontal({ ...lying, y: y(ofSecond.nominal), kind: 'nominal' }),
    line !== undefined && [path('paperEdge', line), path('fit', line)],
    judged.map(({ status, ...at }) => status && mark({ name: markOf(status), ...at, size: 8 })),
    label({ x: right - 6, y: bottom - 8, anchor: 'end', kind: 'note', isOnLines: true }, `${shortened(first.name, characters)} →`),
    label({ x: left + 6, y: top + 12, kind: 'note', isOnLines: true }, `↑ ${shortened(second.name, characters)}`),
  ]);
  const r = formats.number(correlation.pearson?.value ?? 0, 2);
  return { width, height, label: textsIn(texts, language).scatterLabel(first.name, second.name, r), shapes };
}

type Axis = ReturnType<typeof axisOf>;

function axisOf({ summary, decimals }: Compared, pixels: readonly [number, number], tickDistance: number) {
  const { limits, minimum, maximum } = summary;
  const lines = [limits.lowerTolerance, limits.upperTolerance, limits.nominal].filter((value) => value !== undefined);
  const domain = domainOf(lines, minimum === undefined || maximum === undefined ? undefined : [minimum, maximum]);
  const most = Math.max(2, Math.floor(Math.abs(pixels[1] - pixels[0]) / tickDistance));
  return { scale: linearScale(domain, pixels), ticks: ticksOf(domain[0], domain[1], most, 10 ** -decimals) };
}

/** The regression line over the measured values of the first characteristic, cut at the edges. */
function lineOf({ slope, intercept }: { slope: number; intercept: number }, first: Compared, { scale: x }: Axis, { scale: y }: Axis) {
  const { minimum = 0, maximum = 0 } = first.summary;
  return [Math.max(minimum, x.from), Math.min(maximum, x.to)].map((value) => {
    const inside = Math.max(y.from, Math.min(intercept + slope * value, y.to));
    return [x(slope === 0 ? value : (inside - intercept) / slope), y(inside)] as const;
  });
}
