import { histogram, probability } from '@sinebar/charts';
import { chartOf } from '../drawing/figure';

export const Histogram = chartOf(histogram);
export const Probability = chartOf(probability);
