import { groupPoints } from '../groups/group-points.ts';
import { noteMarks, type ShownNote } from '../drawing/note-marks.ts';
import type { Drawing } from '../drawing/shapes.ts';
import { textsIn, type Locale } from '../language/texts.ts';
import { texts } from '../texts.ts';
import { density, excludedValues, isDense, points, rings, type ExcludedValue } from './measured.ts';
import type { Ruler } from './ruler.ts';
import { AXIS_WIDTH, pointScale, rulerPane, type Labels } from './ruler-pane.ts';
import type { ControlLimits, ShownSeries } from './shown-series.ts';
import { haveSteps, limitSteps, stageLines, steppedRuler } from './steps.ts';
import { ticksOfSeries, timeAxis } from './time-axis.ts';

interface JudgedPoints {
  shown: ShownSeries;
  ruler: Ruler;
  /** Limits of a subgroup of the usual size. */
  limits?: ControlLimits | undefined;
  plot: number;
  height: number;
  labels?: Labels | undefined;
  /** Whether the dates are written below, where no chart on the same axis has them. */
  hasDates?: boolean | undefined;
  excluded?: readonly ExcludedValue[] | undefined;
  notes?: readonly ShownNote[] | undefined;
}

export interface MeansInput extends JudgedPoints {
  name: string;
  /** Says what belongs together, such as `5` values. */
  subgroups: string;
}

/** Means of subgroups with their control limits, which are steps where sizes differ or stages follow each other. */
export function means({ name, subgroups, ...drawn }: MeansInput, locale: Locale): Drawing {
  const count = locale.formats.count(drawn.shown.count);
  return judgedPoints({ ...drawn, label: textsIn(texts, locale.language).meansLabel(count, subgroups, name) }, locale);
}

export interface CountsInput extends JudgedPoints {
  name: string;
  /** Name of the chart, such as `p`. */
  chart: string;
}

/** Shares, numbers or rates of what was counted, with the limits that follow from the size of each sample. */
export function counts({ name, chart, ...drawn }: CountsInput, locale: Locale): Drawing {
  const count = locale.formats.count(drawn.shown.count);
  return judgedPoints({ ...drawn, label: textsIn(texts, locale.language).countsLabel(chart, count, name) }, locale);
}

/** Points with their control limits, and rings around those beyond them. */
function judgedPoints(input: JudgedPoints & { label: string }, locale: Locale): Drawing {
  const { label, shown, ruler: given, limits, plot, height, labels = 'full', hasDates = false, excluded = [], notes = [] } = input;
  const dense = isDense(shown, plot);
  const hasSteps = haveSteps(shown.entries);
  const ruler = hasSteps ? steppedRuler(given) : given;
  const { top, bottom } = ruler;
  const x = pointScale(shown.count, plot);
  const plane = { x, y: ruler.clipped };
  const beyond = shown.hits.filter(({ rule }) => rule.endsWith('1'));
  const under = [
    timeAxis({ ticks: ticksOfSeries(shown, plot, locale.formats), x, top, bottom, isWritten: hasDates }, locale),
    dense && density({ entries: shown.entries, left: AXIS_WIDTH, width: plot, y: plane.y }),
    hasSteps && limitSteps({ shown, points: shown.entries, usual: limits, isDense: dense }, plane),
    stageLines({ stages: shown.stages, x, top, bottom }, locale),
  ];
  const over = [
    !dense && !shown.slots && points(shown.entries, plane, 1.9),
    shown.slots && groupPoints(shown, plane, plot),
    !dense && rings(beyond, (position) => shown.entries[Math.floor(position)]?.mean, plane, 11),
    excludedValues(excluded, plane, bottom, locale),
    noteMarks({ notes, x, top, bottom }),
  ];
  return rulerPane({ ruler, plot, height, label, hasAxis: true, labels, under, over }, locale);
}
