import { useFormats, useTexts } from '../../design/language/language';
import { Figure, Horizontal, Vertical } from '../drawing/figure';
import { texts } from './small-texts';
import drawing from '../drawing/drawing.module.css';

export interface IndexDotProps {
  value: number;
  wanted?: number;
  width?: number;
  height?: number;
}

/** A capability index on a scale from 0 to 2, with the wanted value as a tick. */
export function IndexDot({ value, wanted = 1.33, width = 64, height = 16 }: IndexDotProps) {
  const formats = useFormats();
  const t = useTexts(texts);
  const x = (index: number) => 3 + ((width - 6) * Math.min(Math.max(index, 0), 2)) / 2;
  const middle = height / 2;
  return (
    <Figure width={width} height={height} label={t.index(formats.number(value, 2), formats.number(wanted, 2))}>
      <Horizontal x1={x(0)} x2={x(2)} y={middle} kind="ruler" />
      <Vertical x={x(wanted)} y1={middle - 5} y2={middle + 6} kind="tolerance" />
      <circle className={drawing.outlined} cx={x(value)} cy={middle + 0.5} r={3} />
    </Figure>
  );
}
