import { useFormats, useTexts } from '../../design/language/language';
import { Figure, Horizontal, Label, Wall } from '../drawing/figure';
import { c, columnsOf, crisp, polyline, type Column } from '../drawing/paths';
import { linearScale } from '../drawing/scale';
import { GroupPoints } from '../groups/group-points';
import { OutOfTolerance } from '../control/measured';
import { TimeAxis, ticksOfSeries } from '../control/time-axis';
import { texts } from '../texts';
import { REACH, type Compared } from './compared';
import styles from '../drawing/drawing.module.css';

/** Columns of a course: each is one vertical and one point of the line. */
const COLUMNS = 100;
const AXIS_WIDTH = 36;
const TICKS = [-100, -50, 0, 50, 100];

export interface CourseProps {
  all: readonly Compared[];
  chosen: Compared;
  width: number;
  height: number;
  hasAxis: boolean;
}

/** One course in black over the others in grey, on one scale of percent of the tolerance. */
export function Course({ all, chosen, width, height, hasAxis }: CourseProps) {
  const formats = useFormats();
  const t = useTexts(texts);
  const left = hasAxis ? AXIS_WIDTH : 0;
  const [top, bottom] = [8, height - 22];
  const y = linearScale([-REACH, REACH], [bottom, top]);
  const clipped = (value: number) => y(Math.max(-REACH, Math.min(value, REACH)));
  const x = linearScale([0, chosen.shown.count], [left, width]);
  const columns = inPercent(chosen);
  const at = (index: number, count: number) => left + ((index + 0.5) * (width - left)) / count;
  const means = (columns: readonly Column[]) => polyline(columns.map(({ mean }, i) => [at(i, columns.length), clipped(mean)]));
  return (
    <Figure width={width} height={height} label={t.courseLabel(chosen.name)}>
      {[-50, 50].map((tick) => (
        <Horizontal key={tick} x1={left} x2={width} y={y(tick)} kind="grid" />
      ))}
      {hasAxis &&
        TICKS.map((tick) => (
          <g key={tick}>
            <Horizontal x1={left - 4} x2={left} y={y(tick)} kind="tick" />
            <Label x={left - 8} y={y(tick) + 4} anchor="end" kind={tick === 0 ? 'strong' : 'axis'}>
              {formats.signed(tick, 0)}
            </Label>
          </g>
        ))}
      <TimeAxis ticks={ticksOfSeries(chosen.shown, (width - left) * 0.7, formats)} x={x} top={top} bottom={bottom} isWritten />
      <Horizontal x1={left} x2={width} y={bottom} kind="tick" />
      {chosen.walls.map((wall) => (
        <Wall key={wall} x={left} y={y(wall * 100)} width={width - left} side={wall > 0 ? 'above' : 'below'} />
      ))}
      <Horizontal x1={left} x2={width} y={y(0)} kind="nominal" />
      <path
        className={styles.range}
        d={columns
          .map(({ minimum, maximum }, i) => `M${crisp(at(i, columns.length))} ${c(clipped(maximum))}V${c(clipped(minimum) + 0.6)}`)
          .join('')}
      />
      {all
        .filter((other) => other !== chosen)
        .map((other) => (
          <path key={other.uuid} className={styles.otherTrace} d={means(inPercent(other))} />
        ))}
      {chosen.shown.slots ? (
        <GroupPoints shown={chosen.shown} x={x} y={(value) => clipped(chosen.percent(value))} plot={width - left} />
      ) : (
        <>
          <path className={styles.paperEdge} d={means(columns)} />
          <path className={styles.strongTrace} d={means(columns)} />
        </>
      )}
      <OutOfTolerance values={chosen.shown.outOfTolerance} x={x} y={(value) => clipped(chosen.percent(value))} size={8} />
    </Figure>
  );
}

function inPercent({ shown, percent }: Compared): Column[] {
  return columnsOf(
    shown.entries.map(({ minimum, maximum, mean, count }) => ({
      minimum: percent(minimum),
      maximum: percent(maximum),
      mean: percent(mean),
      count,
    })),
    COLUMNS,
  );
}
