import { deviationBar, indexDot, smallMultiple, sparkline, strip } from '@sinebar/charts';
import { chartOf } from '../drawing/figure';

export const DeviationBar = chartOf(deviationBar);
export const IndexDot = chartOf(indexDot);
export const SmallMultiple = chartOf(smallMultiple);
export const Sparkline = chartOf(sparkline);
export const Strip = chartOf(strip);
