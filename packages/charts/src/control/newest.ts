import type { CharacteristicSeries } from '@sinebar/contracts';
import { horizontal, label, vertical } from '../drawing/lines.ts';
import { mark } from '../drawing/marks.ts';
import { c, discs, polyline } from '../drawing/paths.ts';
import { group, path, type Drawing } from '../drawing/shapes.ts';
import { isOut, markOf } from '../drawing/value-status.ts';
import { textsIn, type Locale } from '../language/texts.ts';
import { texts } from '../texts.ts';
import type { Ruler } from './ruler.ts';
import { AXIS_WIDTH, pointScale, rulerPane, type Labels } from './ruler-pane.ts';

type Value = NonNullable<CharacteristicSeries['newest']>[number];

export interface NewestInput {
  /** Oldest first. */
  values: readonly Value[];
  /** Uuids of measurements at which rule 1 is broken. */
  broken: ReadonlySet<string>;
  ruler: Ruler;
  plot: number;
  height: number;
  labels?: Labels | undefined;
}

/** The newest values, each with a stem from nominal. */
export function newest({ values, broken, ruler, plot, height, labels = 'none' }: NewestInput, locale: Locale): Drawing {
  const { formats, language } = locale;
  const t = textsIn(texts, language);
  const x = pointScale(values.length, plot);
  const { clipped, bottom } = ruler;
  const base = ruler.nominal ?? ruler.lines.find(({ kind }) => kind === 'mean')?.value ?? values.at(-1)?.value ?? 0;
  const last = values.at(-1);
  const points = values.map(({ value, status }, i) => ({ x: x(i + 0.5), y: clipped(value), status }));
  const isWide = plot > 300;
  const marked = [24, 20, 15, 10, 5].filter((ago) => ago < values.length && (isWide || ago !== 5));
  const tick = (position: number) => vertical({ x: x(position), y1: bottom, y2: bottom + 4, kind: 'tick' });
  const newestText = (time: string | undefined) =>
    isWide && time ? t.newestAt((formats.isOtherYear(time) ? formats.dayTime : formats.time)(time)) : t.newest;
  const under = [
    path('stem', points.map((point) => `M${c(point.x)} ${c(clipped(base))}V${c(point.y)}`).join('')),
    horizontal({ x1: AXIS_WIDTH, x2: AXIS_WIDTH + plot, y: bottom, kind: 'tick' }),
  ];
  const over = [
    path('thinTrace', polyline(points.map((point) => [point.x, point.y]))),
    path(
      'dots',
      discs(
        points.filter(({ status }) => status === 'inLimits').map((point) => [point.x, point.y]),
        2.2,
      ),
    ),
    points.map(({ status, ...at }, i) =>
      group([
        broken.has(values[i]!.measurementUuid) && !isOut(status) && mark({ name: 'rule', ...at, size: 17 }),
        status !== 'inLimits' && mark({ name: markOf(status), ...at, size: isOut(status) ? 11 : 10 }),
      ]),
    ),
    marked.map((ago) => {
      const position = values.length - ago - 0.5;
      return group([tick(position), label({ x: x(position), y: bottom + 16, anchor: 'middle', kind: 'axis' }, formats.number(-ago))]);
    }),
    last && [
      tick(values.length - 0.5),
      label({ x: AXIS_WIDTH + plot, y: bottom + 16, anchor: 'end', kind: 'strong' }, newestText(last.time)),
    ],
  ];
  const title = t.newestLabel(formats.count(values.length));
  return rulerPane({ ruler, plot, height, label: title, hasAxis: true, labels, under, over }, locale);
}
