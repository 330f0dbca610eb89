import { boxes, course, scatter } from '@sinebar/charts';
import { chartOf } from '../drawing/figure';
import styles from './comparison.module.css';

export const Boxes = chartOf(boxes, styles);
export const Course = chartOf(course);
export const Scatter = chartOf(scatter);
