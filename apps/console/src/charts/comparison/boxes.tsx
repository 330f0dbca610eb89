import { useFormats, useTexts } from '../../design/language/language';
import { Figure, Horizontal, Label, UprightWall, Vertical } from '../drawing/figure';
import { shortened } from '../drawing/label-placement';
import { Mark } from '../drawing/marks';
import { c, crisp, discs } from '../drawing/paths';
import { linearScale, type Scale } from '../drawing/scale';
import { texts } from '../texts';
import { REACH, type Compared } from './compared';
import styles from './comparison.module.css';
import drawing from '../drawing/drawing.module.css';

const NAMES_WIDTH = 124;
const FIGURES_WIDTH = 120;
/** Distances of the three figures, from the right edge, px. */
const FIGURE_OFFSETS = [76, 34, 0];
const TICKS = [-100, -50, 0, 50, 100];
/** Half of the height of a box, px. */
const HALF = 13;
/** Characters of a name that fit. */
const CHARACTERS = 18;

/** Lying box plots: quartiles, whiskers to 1.5 interquartile ranges, single values beyond. */
export function Boxes({ all, width, height }: { all: readonly Compared[]; width: number; height: number }) {
  const formats = useFormats();
  const t = useTexts(texts);
  const right = width - FIGURES_WIDTH;
  const [top, bottom] = [20, height - 24];
  const x = linearScale([-REACH, REACH], [NAMES_WIDTH, right]);
  const pitch = (bottom - top) / Math.max(all.length, 1);
  return (
    <Figure width={width} height={height} label={t.boxesLabel(formats.count(all.length))}>
      {TICKS.map((tick) => (
        <g key={tick}>
          {Math.abs(tick) === 50 && <Vertical x={x(tick)} y1={top} y2={bottom} kind="grid" />}
          <Vertical x={x(tick)} y1={bottom} y2={bottom + 4} kind="tick" />
          <Label x={x(tick)} y={bottom + 17} anchor="middle" kind={tick === 0 ? 'strong' : 'axis'}>
            {formats.signed(tick, 0)}
          </Label>
        </g>
      ))}
      <Horizontal x1={NAMES_WIDTH} x2={right} y={bottom} kind="tick" />
      {([-1, 1] as const)
        .filter((wall) => all.some(({ walls }) => walls.includes(wall)))
        .map((wall) => (
          <UprightWall key={wall} x={x(wall * 100)} y1={top} y2={bottom} side={wall < 0 ? 'left' : 'right'} />
        ))}
      <Vertical x={x(0)} y1={top} y2={bottom} kind="nominal" />
      {[t.median, t.iqr, t.out].map((name, i) => (
        <Label key={name} x={width - FIGURE_OFFSETS[i]!} y={11} anchor="end" kind="axis">
          {name}
        </Label>
      ))}
      {all.map((item, i) => (
        <Box key={item.uuid} item={item} y={top + pitch * (i + 0.5)} x={x} right={right} width={width} />
      ))}
    </Figure>
  );
}

function Box({ item, y, x, right, width }: { item: Compared; y: number; x: Scale; right: number; width: number }) {
  const formats = useFormats();
  const { summary, percent, name } = item;
  const { lowerQuartile, median, upperQuartile, mean, box, counts } = summary;
  const at = (value: number) => x(Math.max(-REACH, Math.min(percent(value), REACH)));
  const middle = crisp(y);
  const out = counts.belowTolerance + counts.aboveTolerance;
  const line = (
    <>
      <Label x={0} y={y + 4} kind="label">
        {shortened(name, CHARACTERS)}
      </Label>
      <Horizontal x1={NAMES_WIDTH} x2={right} y={y} kind="grid" />
    </>
  );
  if (lowerQuartile === undefined || median === undefined || upperQuartile === undefined || box === undefined || mean === undefined)
    return line;
  const isOut = (value: number) => item.hasTolerance && Math.abs(percent(value)) > 100 && item.walls.includes(percent(value) < 0 ? -1 : 1);
  const halfPixels = new Map(box.outliers.map((value) => [Math.round(at(value) * 2), value]));
  const spots = [...halfPixels.values()].filter((value) => !isOut(value)).map((value) => [at(value), middle] as const);
  const [low, high] = [at(box.lowerWhisker), at(box.upperWhisker)];
  const [first, second, third] = [at(lowerQuartile), at(median), at(upperQuartile)];
  return (
    <>
      {line}
      <path
        className={drawing.outline}
        d={`M${c(low)} ${middle}H${c(first)}M${c(third)} ${middle}H${c(high)}M${crisp(low)} ${middle - 6}v12M${crisp(high)} ${middle - 6}v12`}
      />
      <path className={styles.body} d={`M${crisp(first)} ${middle - HALF}H${crisp(third)}v${2 * HALF}H${crisp(first)}z`} />
      <path className={styles.median} d={`M${crisp(second)} ${middle - HALF}v${2 * HALF}`} />
      <path className={drawing.spots} d={discs(spots, 1.6)} />
      {[...halfPixels.values()].filter(isOut).map((value) => (
        <Mark key={value} name={percent(value) > 0 ? 'right' : 'left'} x={at(value)} y={y} size={9} />
      ))}
      <path className={drawing.outlinedComputed} d={`M${c(at(mean))} ${middle - 5}l5 5-5 5-5-5z`} />
      <Label x={width - FIGURE_OFFSETS[0]!} y={y + 4} anchor="end" kind="label">
        {formats.signed(percent(median), 0)}
      </Label>
      <Label x={width - FIGURE_OFFSETS[1]!} y={y + 4} anchor="end" kind="label">
        {formats.number(percent(upperQuartile) - percent(lowerQuartile), 0)}
      </Label>
      <Label x={width - FIGURE_OFFSETS[2]!} y={y + 4} anchor="end" kind={out > 0 ? 'out' : 'label'} isStrong={out > 0}>
        {formats.count(out)}
      </Label>
    </>
  );
}
