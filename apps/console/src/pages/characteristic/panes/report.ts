import {
  chartInView,
  limitLines,
  meanLines,
  type Ruler,
  rulerOf,
  type ShownEntry,
  type ShownNote,
  type ShownSeries,
  stageLimits,
  texts as chartTexts,
} from '@sinebar/charts';
import type { CharacteristicSummary } from '@sinebar/client';
import { useMemo } from 'react';
import { useTexts } from '../../../design/language/language';
import type { CharacteristicData } from '../use-characteristic';
import type { CharacteristicView } from '../use-view';

/** A characteristic as the panes of its report draw it. */
export interface Report {
  readonly data: CharacteristicData;
  readonly summary: CharacteristicSummary;
  /** The stretch in view; absent until it has been read. */
  readonly shown: ShownSeries | undefined;
  readonly view: CharacteristicView;
  /** Notes and alarms with a place in view. */
  readonly notes: readonly ShownNote[];
  readonly onExclude: (entry: ShownEntry) => void;
  /** Writes a note about a point; absent without the right. */
  readonly onNote: ((entry: ShownEntry) => void) | undefined;
}

/** Whether the points of the report are means of subgroups; where those are too many, it draws single values. */
export function hasMeans({ data: { shown } }: Pick<Report, 'data'>): boolean {
  return shown.data?.subgroups !== undefined;
}

/** Distance of a plot from the upper and the lower edge of its pane, px. */
interface Edges {
  top?: number;
  below?: number;
}

/** Makes the axis of values of a pane from its height, px. */
export function useRulers({
  data: { decimals },
  summary: { limits, minimum, maximum, chart: newest },
  shown,
}: Report): (height: number, edges?: Edges) => Ruler {
  const words = useTexts(chartTexts);
  const chart = shown ? chartInView(shown, newest) : newest;
  const ofStages = useMemo(() => (shown && newest?.type === 'individuals' ? stageLimits(shown) : []), [shown, newest]);
  const lines = useMemo(() => limitLines(limits, chart, decimals, words), [limits, chart, decimals, words]);
  return (height, { top = 8, below = 22 } = {}) =>
    rulerOf({
      lines,
      extremes:
        minimum === undefined || maximum === undefined ? undefined : [Math.min(minimum, ...ofStages), Math.max(maximum, ...ofStages)],
      decimals,
      top,
      bottom: height - below,
      ...(limits.nominal !== undefined && { nominal: limits.nominal }),
    });
}

/** Puts the limits of means in the place of those of single values; the axis stays that of the panes beside it. */
export function useMeansRuler({ data: { decimals }, summary: { limits, chart: newest }, shown }: Report): (ruler: Ruler) => Ruler {
  const words = useTexts(chartTexts);
  const chart = shown ? chartInView(shown, newest) : newest;
  const lines = useMemo(() => meanLines(limits, chart, decimals, words), [limits, chart, decimals, words]);
  return (ruler) => ({ ...ruler, lines });
}
