import type { CharacteristicSeries } from '@sinebar/client';
import { useFormats, useTexts } from '../../design/language/language';
import { Horizontal, Label, Vertical } from '../drawing/figure';
import { Mark } from '../drawing/marks';
import { c, discs, polyline } from '../drawing/paths';
import { linearScale } from '../drawing/scale';
import { isOut, markOf } from '../small/value-status';
import { texts } from '../texts';
import type { Ruler } from './ruler';
import { AXIS_WIDTH, RulerPane, type Labels } from './ruler-pane';
import styles from '../drawing/drawing.module.css';

type Value = NonNullable<CharacteristicSeries['newest']>[number];

export interface NewestProps {
  /** Oldest first. */
  values: readonly Value[];
  /** Uuids of measurements at which rule 1 is broken. */
  broken: ReadonlySet<string>;
  ruler: Ruler;
  plot: number;
  height: number;
  labels?: Labels;
}

/** The newest values, each with a stem from nominal. */
export function Newest({ values, broken, ruler, plot, height, labels = 'none' }: NewestProps) {
  const formats = useFormats();
  const t = useTexts(texts);
  const x = linearScale([0, values.length], [AXIS_WIDTH, AXIS_WIDTH + plot]);
  const { clipped, bottom } = ruler;
  const base = ruler.nominal ?? ruler.lines.find(({ kind }) => kind === 'mean')?.value ?? values.at(-1)?.value ?? 0;
  const last = values.at(-1);
  const points = values.map(({ value, status }, i) => ({ x: x(i + 0.5), y: clipped(value), status }));
  const isWide = plot > 300;
  const marked = [24, 20, 15, 10, 5].filter((ago) => ago < values.length && (isWide || ago !== 5));
  return (
    <RulerPane
      ruler={ruler}
      plot={plot}
      height={height}
      label={t.newestLabel(formats.count(values.length))}
      hasAxis
      labels={labels}
      under={() => (
        <>
          <path className={styles.stem} d={points.map((point) => `M${c(point.x)} ${c(clipped(base))}V${c(point.y)}`).join('')} />
          <Horizontal x1={AXIS_WIDTH} x2={AXIS_WIDTH + plot} y={bottom} kind="tick" />
        </>
      )}
      over={() => (
        <>
          <path className={styles.thinTrace} d={polyline(points.map((point) => [point.x, point.y]))} />
          <path
            className={styles.dots}
            d={discs(
              points.filter(({ status }) => status === 'inLimits').map((point) => [point.x, point.y]),
              2.2,
            )}
          />
          {points.map((point, i) => (
            <g key={i}>
              {broken.has(values[i]!.measurementUuid) && !isOut(point.status) && <Mark name="rule" x={point.x} y={point.y} size={17} />}
              {point.status !== 'inLimits' && (
                <Mark name={markOf(point.status)} x={point.x} y={point.y} size={isOut(point.status) ? 11 : 10} />
              )}
            </g>
          ))}
          {marked.map((ago) => (
            <g key={ago}>
              <Vertical x={x(values.length - ago - 0.5)} y1={bottom} y2={bottom + 4} kind="tick" />
              <Label x={x(values.length - ago - 0.5)} y={bottom + 16} anchor="middle" kind="axis">
                {formats.number(-ago)}
              </Label>
            </g>
          ))}
          {last && (
            <>
              <Vertical x={x(values.length - 0.5)} y1={bottom} y2={bottom + 4} kind="tick" />
              <Label x={AXIS_WIDTH + plot} y={bottom + 16} anchor="end" kind="strong">
                {isWide && last.time ? t.newestAt((formats.isOtherYear(last.time) ? formats.dayTime : formats.time)(last.time)) : t.newest}
              </Label>
            </>
          )}
        </>
      )}
    />
  );
}
