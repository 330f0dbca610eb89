import { useFormats, useTexts } from '../../design/language/language';
import { Figure, Horizontal, UprightWall, Vertical } from '../drawing/figure';
import { Mark } from '../drawing/marks';
import { c } from '../drawing/paths';
import { toleranceScale, type DrawnLimits } from '../drawing/tolerance-scale';
import { barClassOf, markOf, type ValueStatus } from './value-status';
import { texts } from './small-texts';

/** How far the bar reaches, in tolerances; what lies farther out is drawn there. */
const REACH = 1.45;
/** Depth of the hatching, px. */
const DEPTH = 4;

export interface DeviationBarProps {
  value: number;
  limits: DrawnLimits;
  status: ValueStatus;
  width?: number;
  height?: number;
}

/** A value in its tolerance: walls at the tolerance limits, ticks at the warning limits, a bar from nominal to the value. */
export function DeviationBar({ value, limits, status, width = 132, height = 20 }: DeviationBarProps) {
  const formats = useFormats();
  const t = useTexts(texts);
  const scale = toleranceScale(limits);
  if (scale === undefined) return null;
  const ratio = scale.ratio(value);
  const x = (at: number) => width / 2 + (Math.max(-REACH, Math.min(at, REACH)) * (width / 2 - 3)) / REACH;
  const middle = height / 2;
  const warnings = [limits.lowerWarning, limits.upperWarning].filter((limit) => limit !== undefined).map(scale.ratio);
  const [from, to] = [x(scale.base), x(ratio)];
  return (
    <Figure width={width} height={height} label={t.deviation(formats.signed(ratio * 100, 0))}>
      <Horizontal x1={x(-1)} x2={x(1)} y={middle} kind="ruler" />
      {warnings.map((at, i) => (
        <Vertical key={i} x={x(at)} y1={middle - 3} y2={middle + 4} kind="ruler" />
      ))}
      <Vertical x={from} y1={middle - 5} y2={middle + 6} kind="ruler" />
      {scale.walls.map((wall) => (
        <UprightWall key={wall} x={x(wall)} y1={middle - 7} y2={middle + 8} side={wall < 0 ? 'left' : 'right'} depth={DEPTH} />
      ))}
      <path className={barClassOf(status)} d={`M${c(from)} ${middle - 1.5}H${c(to)}v4H${c(from)}z`} />
      <Mark name={markOf(status)} x={to} y={middle + 0.5} size={status === 'inLimits' ? 8 : 10} />
    </Figure>
  );
}
