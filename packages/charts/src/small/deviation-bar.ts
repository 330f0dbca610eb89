import { horizontal, uprightWall, vertical } from '../drawing/lines.ts';
import { mark } from '../drawing/marks.ts';
import { c } from '../drawing/paths.ts';
import { path, shapesOf, type Drawing } from '../drawing/shapes.ts';
import { toleranceScale, type Limits } from '../drawing/tolerance-scale.ts';
import { barRoleOf, markOf, type ValueStatus } from '../drawing/value-status.ts';
import { textsIn, type Locale } from '../language/texts.ts';
import { texts } from './small-texts.ts';

/** How far the bar reaches, in tolerances; what lies farther out is drawn there. */
const REACH = 1.45;
/** Depth of the hatching, px. */
const DEPTH = 4;

export interface DeviationBarInput {
  value: number;
  limits: Limits;
  status: ValueStatus;
  width?: number | undefined;
  height?: number | undefined;
}

/** A value in its tolerance: walls at the tolerance limits, ticks at the warning limits, a bar from nominal to the value. */
export function deviationBar(input: DeviationBarInput, { formats, language }: Locale): Drawing | undefined {
  const { value, limits, status, width = 132, height = 20 } = input;
  const scale = toleranceScale(limits);
  if (scale === undefined) return undefined;
  const ratio = scale.ratio(value);
  const x = (at: number) => width / 2 + (Math.max(-REACH, Math.min(at, REACH)) * (width / 2 - 3)) / REACH;
  const middle = height / 2;
  const warnings = [limits.lowerWarning, limits.upperWarning].filter((limit) => limit !== undefined).map(scale.ratio);
  const [from, to] = [x(scale.base), x(ratio)];
  const tick = (at: number, reach: number) => vertical({ x: at, y1: middle - reach, y2: middle + reach + 1, kind: 'ruler' });
  const shapes = shapesOf([
    horizontal({ x1: x(-1), x2: x(1), y: middle, kind: 'ruler' }),
    warnings.map((at) => tick(x(at), 3)),
    tick(from, 5),
    scale.walls.map((wall) => uprightWall({ x: x(wall), y1: middle - 7, y2: middle + 8, side: wall < 0 ? 'left' : 'right', depth: DEPTH })),
    path(barRoleOf(status), `M${c(from)} ${middle - 1.5}H${c(to)}v4H${c(from)}z`),
    mark({ name: markOf(status), x: to, y: middle + 0.5, size: status === 'inLimits' ? 8 : 10 }),
  ]);
  return { width, height, label: textsIn(texts, language).deviation(formats.signed(ratio * 100, 0)), shapes };
}
