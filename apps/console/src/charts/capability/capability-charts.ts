import { indices, spans } from '@sinebar/charts';
import { chartOf } from '../drawing/figure';
import styles from './capability.module.css';

export const Indices = chartOf(indices, styles);
export const Spans = chartOf(spans, styles);
