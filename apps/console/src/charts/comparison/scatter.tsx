import type { CorrelationAnswer } from '@sinebar/client';
import { useFormats, useTexts } from '../../design/language/language';
import { domainOf } from '../control/ruler';
import { AXIS_WIDTH } from '../control/ruler-pane';
import { Figure, Horizontal, Label, UprightWall, Vertical, Wall } from '../drawing/figure';
import { shortened } from '../drawing/label-placement';
import { Mark } from '../drawing/marks';
import { discs, polyline } from '../drawing/paths';
import { linearScale, ticksOf } from '../drawing/scale';
import { isOut, markOf, statusOf } from '../small/value-status';
import { texts } from '../texts';
import type { Compared } from './compared';
import styles from '../drawing/drawing.module.css';

/** Width of a character of a name, px. */
const CHARACTER = 6.4;

export interface ScatterProps {
  first: Compared;
  second: Compared;
  correlation: CorrelationAnswer;
  width: number;
  height: number;
}

/** Two characteristics against each other: both tolerances are walls, the regression line is blue. */
export function Scatter({ first, second, correlation, width, height }: ScatterProps) {
  const formats = useFormats();
  const t = useTexts(texts);
  const [left, right, top, bottom] = [AXIS_WIDTH, width - 10, 8, height - 24];
  const across = axisOf(first, [left, right], 84);
  const up = axisOf(second, [bottom, top], 34);
  const { scale: x } = across;
  const { scale: y } = up;
  const inside = (value: number, { scale }: Axis) => Math.max(scale.from, Math.min(value, scale.to));
  const judged = correlation.points.map(([a, b]) => {
    const statuses = [statusOf(a, first.summary.limits), statusOf(b, second.summary.limits)];
    return { x: x(inside(a, across)), y: y(inside(b, up)), status: statuses.find(isOut) };
  });
  const label = t.scatterLabel(first.name, second.name, formats.number(correlation.pearson?.value ?? 0, 2));
  const characters = Math.floor((right - left) / CHARACTER) - 4;
  const limits = [first.summary.limits, second.summary.limits] as const;
  return (
    <Figure width={width} height={height} label={label}>
      {up.ticks.values.map((tick) => (
        <g key={tick}>
          <Horizontal x1={left} x2={right} y={y(tick)} kind="grid" />
          <Horizontal x1={left - 4} x2={left} y={y(tick)} kind="tick" />
          <Label x={left - 8} y={y(tick) + 4} anchor="end" kind={tick === limits[1].nominal ? 'strong' : 'axis'}>
            {formats.number(tick, Math.max(second.decimals, up.ticks.decimals))}
          </Label>
        </g>
      ))}
      {across.ticks.values.map((tick) => (
        <g key={tick}>
          <Vertical x={x(tick)} y1={top} y2={bottom} kind="grid" />
          <Vertical x={x(tick)} y1={bottom} y2={bottom + 4} kind="tick" />
          <Label x={x(tick)} y={bottom + 17} anchor="middle" kind={tick === limits[0].nominal ? 'strong' : 'axis'}>
            {formats.number(tick, Math.max(first.decimals, across.ticks.decimals))}
          </Label>
        </g>
      ))}
      <Vertical x={left - 1} y1={top} y2={bottom} kind="tick" />
      <Horizontal x1={left} x2={right} y={bottom} kind="tick" />
      <path
        className={styles.spots}
        d={discs(
          judged.filter(({ status }) => status === undefined).map((point) => [point.x, point.y]),
          1.2,
        )}
      />
      {limits[1].upperTolerance !== undefined && <Wall x={left} y={y(limits[1].upperTolerance)} width={right - left} side="above" />}
      {limits[1].lowerTolerance !== undefined && <Wall x={left} y={y(limits[1].lowerTolerance)} width={right - left} side="below" />}
      {limits[0].lowerTolerance !== undefined && <UprightWall x={x(limits[0].lowerTolerance)} y1={top} y2={bottom} side="left" />}
      {limits[0].upperTolerance !== undefined && <UprightWall x={x(limits[0].upperTolerance)} y1={top} y2={bottom} side="right" />}
      {limits[0].nominal !== undefined && <Vertical x={x(limits[0].nominal)} y1={top} y2={bottom} kind="nominal" />}
      {limits[1].nominal !== undefined && <Horizontal x1={left} x2={right} y={y(limits[1].nominal)} kind="nominal" />}
      {correlation.line && <Line line={correlation.line} first={first} x={x} y={y} />}
      {judged.map(({ status, ...point }, i) => status && <Mark key={i} name={markOf(status)} x={point.x} y={point.y} size={8} />)}
      <Label x={right - 6} y={bottom - 8} anchor="end" kind="note" isOnLines>
        {`${shortened(first.name, characters)} →`}
      </Label>
      <Label x={left + 6} y={top + 12} kind="note" isOnLines>
        {`↑ ${shortened(second.name, characters)}`}
      </Label>
    </Figure>
  );
}

type Axis = ReturnType<typeof axisOf>;

function axisOf({ summary, decimals }: Compared, pixels: readonly [number, number], tickDistance: number) {
  const { limits, minimum, maximum } = summary;
  const lines = [limits.lowerTolerance, limits.upperTolerance, limits.nominal].filter((value) => value !== undefined);
  const domain = domainOf(lines, minimum === undefined || maximum === undefined ? undefined : [minimum, maximum]);
  const most = Math.max(2, Math.floor(Math.abs(pixels[1] - pixels[0]) / tickDistance));
  return { scale: linearScale(domain, pixels), ticks: ticksOf(domain[0], domain[1], most, 10 ** -decimals) };
}

/** The regression line over the measured values of the first characteristic, cut at the edges. */
function Line({ line, first, x, y }: { line: { slope: number; intercept: number }; first: Compared; x: Axis['scale']; y: Axis['scale'] }) {
  const { minimum = 0, maximum = 0 } = first.summary;
  const ends = [Math.max(minimum, x.from), Math.min(maximum, x.to)].map((value) => {
    const wanted = line.intercept + line.slope * value;
    const inside = Math.max(y.from, Math.min(wanted, y.to));
    return [x(line.slope === 0 ? value : (inside - line.intercept) / line.slope), y(inside)] as const;
  });
  return (
    <>
      <path className={styles.paperEdge} d={polyline(ends)} />
      <path className={styles.fit} d={polyline(ends)} />
    </>
  );
}
