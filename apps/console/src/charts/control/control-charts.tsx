import {
  counts,
  individuals,
  means,
  memory,
  newest,
  pointScale,
  runRules,
  variation,
  type Drawing,
  type Locale,
  type Scale,
} from '@sinebar/charts';
import type { ReactNode } from 'react';
import { useLocale } from '../../design/language/language';
import { chartOf, Figure } from '../drawing/figure';

export const Individuals = overTime(individuals);
export const Means = overTime(means);
export const Counts = overTime(counts);
export const Memory = overTime(memory);
export const Variation = overTime(variation);
export const Newest = chartOf(newest);
export const RunRules = chartOf(runRules);

interface PointsInput {
  shown: { readonly count: number };
  /** Width of the plot, px. */
  plot: number;
}

/** Makes the component of a chart over time; its children are drawn at the positions of its points. */
function overTime<Input extends PointsInput>(draw: (input: Input, locale: Locale) => Drawing) {
  return function Chart(props: Input & { children?: (x: Scale) => ReactNode }) {
    const { shown, plot, children } = props;
    return <Figure drawing={draw(props, useLocale())}>{children?.(pointScale(shown.count, plot))}</Figure>;
  };
}
