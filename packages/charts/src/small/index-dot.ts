import { horizontal, vertical } from '../drawing/lines.ts';
import { circle, type Drawing } from '../drawing/shapes.ts';
import { textsIn, type Locale } from '../language/texts.ts';
import { texts } from './small-texts.ts';

export interface IndexDotInput {
  value: number;
  wanted?: number | undefined;
  width?: number | undefined;
  height?: number | undefined;
}

/** A capability index on a scale from 0 to 2, with the wanted value as a tick. */
export function indexDot({ value, wanted = 1.33, width = 64, height = 16 }: IndexDotInput, { formats, language }: Locale): Drawing {
  const x = (index: number) => 3 + ((width - 6) * Math.min(Math.max(index, 0), 2)) / 2;
  const middle = height / 2;
  const shapes = [
    horizontal({ x1: x(0), x2: x(2), y: middle, kind: 'ruler' }),
    vertical({ x: x(wanted), y1: middle - 5, y2: middle + 6, kind: 'tolerance' }),
    circle('outlined', x(value), middle + 0.5, 3),
  ];
  return { width, height, label: textsIn(texts, language).index(formats.number(value, 2), formats.number(wanted, 2)), shapes };
}
