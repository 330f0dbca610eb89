import { groupPoints } from '../groups/group-points.ts';
import { noteMarks, type ShownNote } from '../drawing/note-marks.ts';
import type { Drawing } from '../drawing/shapes.ts';
import { textsIn, type Locale } from '../language/texts.ts';
import { texts } from '../texts.ts';
import { density, excludedValues, isDense, outOfTolerance, points, rings, warnings, type ExcludedValue } from './measured.ts';
import type { Ruler } from './ruler.ts';
import { AXIS_WIDTH, pointScale, rulerPane, type Labels } from './ruler-pane.ts';
import type { ShownSeries } from './shown-series.ts';
import { haveSteps, limitSteps, stageLines, steppedRuler } from './steps.ts';
import { ticksOfSeries, timeAxis } from './time-axis.ts';

export interface IndividualsInput {
  name: string;
  shown: ShownSeries;
  ruler: Ruler;
  plot: number;
  height: number;
  labels: Labels;
  /** Whether the dates are written below, where no chart on the same axis has them. */
  hasDates?: boolean | undefined;
  excluded?: readonly ExcludedValue[] | undefined;
  notes?: readonly ShownNote[] | undefined;
}

/** Values one by one, or their density where they are many, with what stands out. */
export function individuals(input: IndividualsInput, locale: Locale): Drawing {
  const { name, shown, ruler: given, plot, height, labels, hasDates = false, excluded = [], notes = [] } = input;
  const { formats, language } = locale;
  const hasSteps = haveSteps(shown.entries);
  const ruler = hasSteps ? steppedRuler(given) : given;
  const { top, bottom } = ruler;
  const x = pointScale(shown.count, plot);
  const plane = { x, y: ruler.clipped };
  const dense = isDense(shown, plot);
  const valueAt = (position: number) => shown.entries[Math.floor(position)]?.mean;
  const under = [
    timeAxis({ ticks: ticksOfSeries(shown, plot, formats), x, top, bottom, isWritten: hasDates }, locale),
    dense && density({ entries: shown.entries, left: AXIS_WIDTH, width: plot, y: plane.y }),
    hasSteps && limitSteps({ shown, points: shown.entries }, plane),
    stageLines({ stages: shown.stages, x, top, bottom }, locale),
  ];
  const over = [
    !dense && !shown.slots && points(shown.entries, plane),
    shown.slots && groupPoints(shown, plane, plot),
    !dense && [rings(shown.hits, valueAt, plane, plot / shown.count > 12 ? 17 : 12), warnings(shown.entries, plane, 9)],
    outOfTolerance(shown.outOfTolerance, plane, dense ? 8 : 11),
    excludedValues(excluded, plane, ruler.bottom, locale),
    noteMarks({ notes, x, top, bottom }),
  ];
  const title = textsIn(texts, language).individualsLabel(formats.count(shown.count), name);
  return rulerPane({ ruler, plot, height, label: title, hasAxis: true, labels, under, over }, locale);
}
