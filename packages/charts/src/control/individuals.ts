import { groupPoints } from '../groups/group-points.ts';
import { label } from '../drawing/lines.ts';
import { mark } from '../drawing/marks.ts';
import { noteMarks, type ShownNote } from '../drawing/note-marks.ts';
import { group, type Drawing, type Group } from '../drawing/shapes.ts';
import { textsIn, type Locale } from '../language/texts.ts';
import { texts } from '../texts.ts';
import { density, isDense, outOfTolerance, points, rings, warnings, type Plane } from './measured.ts';
import type { Ruler } from './ruler.ts';
import { AXIS_WIDTH, pointScale, rulerPane, type Labels } from './ruler-pane.ts';
import type { ShownSeries } from './shown-series.ts';
import { haveSteps, limitSteps, stageLines, steppedRuler } from './steps.ts';
import { ticksOfSeries, timeAxis } from './time-axis.ts';

/** A value that the reader left out, drawn in its place. */
export interface ExcludedValue {
  readonly position: number;
  readonly value: number;
  readonly reason: string;
}

export interface IndividualsInput {
  name: string;
  shown: ShownSeries;
  ruler: Ruler;
  plot: number;
  height: number;
  labels: Labels;
  excluded?: readonly ExcludedValue[] | undefined;
  notes?: readonly ShownNote[] | undefined;
}

/** Values one by one, or their density where they are many, with what stands out; a chart below on the same axis has the dates. */
export function individuals(input: IndividualsInput, locale: Locale): Drawing {
  const { name, shown, ruler: given, plot, height, labels, excluded = [], notes = [] } = input;
  const { formats, language } = locale;
  const hasSteps = haveSteps(shown.entries);
  const ruler = hasSteps ? steppedRuler(given) : given;
  const { top, bottom } = ruler;
  const x = pointScale(shown.count, plot);
  const plane = { x, y: ruler.clipped };
  const dense = isDense(shown, plot);
  const valueAt = (position: number) => shown.entries[Math.floor(position)]?.mean;
  const under = [
    timeAxis({ ticks: ticksOfSeries(shown, plot, formats), x, top, bottom, isWritten: false }, locale),
    dense && density({ entries: shown.entries, left: AXIS_WIDTH, width: plot, y: plane.y }),
    hasSteps && limitSteps({ shown, points: shown.entries }, plane),
    stageLines({ stages: shown.stages, x, top, bottom }, locale),
  ];
  const over = [
    !dense && !shown.slots && points(shown.entries, plane),
    shown.slots && groupPoints(shown, plane, plot),
    !dense && [rings(shown.hits, valueAt, plane, plot / shown.count > 12 ? 17 : 12), warnings(shown.entries, plane, 9)],
    outOfTolerance(shown.outOfTolerance, plane, dense ? 8 : 11),
    excludedValues(excluded, plane, locale),
    noteMarks({ notes, x, top, bottom }),
  ];
  const title = textsIn(texts, language).individualsLabel(formats.count(shown.count), name);
  return rulerPane({ ruler, plot, height, label: title, hasAxis: true, labels, under, over }, locale);
}

/** Width of a character of a reason, px. */
const CHARACTER = 6;

/** Crosses on excluded values; the reason stands beside where it has room. */
function excludedValues(values: readonly ExcludedValue[], { x, y }: Plane, { language }: Locale): Group[] {
  const t = textsIn(texts, language);
  return values.map(({ position, value, reason }, i) => {
    const at = x(position);
    const text = reason === '' ? t.excluded : t.excludedFor(reason);
    const before = values[i - 1];
    const room = at - (before ? x(before.position) + 8 : AXIS_WIDTH) - 12;
    return group([
      mark({ name: 'excluded', x: at, y: y(value), size: 11 }),
      text.length * CHARACTER < room && label({ x: at - 8, y: y(value) + 4, kind: 'excluded', anchor: 'end', isOnLines: true }, text),
    ]);
  });
}
