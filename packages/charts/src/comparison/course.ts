import { outOfTolerance, ranges } from '../control/measured.ts';
import { ticksOfSeries, timeAxis } from '../control/time-axis.ts';
import { horizontal, label, wall } from '../drawing/lines.ts';
import { columnsOf, polyline, type Column } from '../drawing/paths.ts';
import { linearScale } from '../drawing/scale.ts';
import { group, path, shapesOf, type Drawing } from '../drawing/shapes.ts';
import { groupPoints } from '../groups/group-points.ts';
import { textsIn, type Locale } from '../language/texts.ts';
import { texts } from '../texts.ts';
import { REACH, type Compared } from './compared.ts';

/** Columns of a course: each is one vertical and one point of the line. */
const COLUMNS = 100;
const AXIS_WIDTH = 36;
const TICKS = [-100, -50, 0, 50, 100];

export interface CourseInput {
  all: readonly Compared[];
  chosen: Compared;
  width: number;
  height: number;
  hasAxis: boolean;
}

/** One course in black over the others in grey, on one scale of percent of the tolerance. */
export function course({ all, chosen, width, height, hasAxis }: CourseInput, locale: Locale): Drawing {
  const { formats, language } = locale;
  const left = hasAxis ? AXIS_WIDTH : 0;
  const [top, bottom] = [8, height - 22];
  const y = linearScale([-REACH, REACH], [bottom, top]);
  const clipped = (value: number) => y(Math.max(-REACH, Math.min(value, REACH)));
  const x = linearScale([0, chosen.shown.count], [left, width]);
  const plane = { x, y: (value: number) => clipped(chosen.percent(value)) };
  const columns = inPercent(chosen);
  const at = (index: number, count: number) => left + ((index + 0.5) * (width - left)) / count;
  const means = (each: readonly Column[]) => polyline(each.map(({ mean }, i) => [at(i, each.length), clipped(mean)]));
  const across = (percent: number, kind: 'grid' | 'nominal') => horizontal({ x1: left, x2: width, y: y(percent), kind });
  const shapes = shapesOf([
    [-50, 50].map((tick) => across(tick, 'grid')),
    hasAxis &&
      TICKS.map((tick) =>
        group([
          horizontal({ x1: left - 4, x2: left, y: y(tick), kind: 'tick' }),
          label({ x: left - 8, y: y(tick) + 4, anchor: 'end', kind: tick === 0 ? 'strong' : 'axis' }, formats.signed(tick, 0)),
        ]),
      ),
    timeAxis({ ticks: ticksOfSeries(chosen.shown, (width - left) * 0.7, formats), x, top, bottom, isWritten: true }, locale),
    horizontal({ x1: left, x2: width, y: bottom, kind: 'tick' }),
    chosen.walls.map((side) => wall({ x: left, y: y(side * 100), width: width - left, side: side > 0 ? 'above' : 'below' })),
    across(0, 'nominal'),
    ranges(columns, (index) => at(index, columns.length), clipped),
    all.filter((other) => other !== chosen).map((other) => path('otherTrace', means(inPercent(other)))),
    chosen.shown.slots
      ? groupPoints(chosen.shown, plane, width - left)
      : [path('paperEdge', means(columns)), path('strongTrace', means(columns))],
    outOfTolerance(chosen.shown.outOfTolerance, plane, 8),
  ]);
  return { width, height, label: textsIn(texts, language).courseLabel(chosen.name), shapes };
}

function inPercent({ shown, percent }: Compared): Column[] {
  return columnsOf(
    shown.entries.map(({ minimum, maximum, mean, count }) => ({
      minimum: percent(minimum),
      maximum: percent(maximum),
      mean: percent(mean),
      count,
    })),
    COLUMNS,
  );
}
