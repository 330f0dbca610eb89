import { useRef, type PointerEvent } from 'react';
import { useFormats, useTexts } from '../../design/language/language';
import { Figure, Horizontal, Label, Vertical } from '../drawing/figure';
import { c, crisp } from '../drawing/paths';
import { linearScale } from '../drawing/scale';
import { texts } from '../texts';
import { Density } from './measured';
import type { Ruler } from './ruler';
import { AXIS_WIDTH, LABELS_WIDTH } from './ruler-pane';
import type { ShownSeries } from './shown-series';
import { LimitSteps, StageLines } from './steps';
import { TimeAxis, ticksOfSeries } from './time-axis';
import type { View } from './view-window';
import styles from '../drawing/drawing.module.css';

export interface OverviewProps {
  shown: ShownSeries;
  /** Points in view, and those of the baseline, counted as the points of `shown`. */
  view: View;
  baseline?: View;
  /** Says what the baseline is. */
  baselineText?: string;
  /** Name and number of all points. */
  total: readonly [name: string, count: string];
  ruler: (top: number, bottom: number) => Ruler;
  plot: number;
  height: number;
  onView: (view: View) => void;
}

/** Distance within which an edge is taken by the pointer, px. */
const GRIP = 8;

/** All points in small; the part in view can be moved and drawn wider, a bracket shows the baseline. */
export function Overview({ shown, view, baseline, baselineText, total, ruler: rulerOf, plot, height, onView }: OverviewProps) {
  const t = useTexts(texts);
  const formats = useFormats();
  const [top, bottom] = [4, height - 44];
  const right = AXIS_WIDTH + plot;
  const ruler = rulerOf(top, bottom);
  const x = linearScale([0, shown.count], [AXIS_WIDTH, right]);
  const grip = useRef<{ part: 'from' | 'to' | 'all'; start: number; view: View } | undefined>(undefined);
  const [from, to] = [x(view.start), x(view.end)];
  const at = (event: PointerEvent<SVGSVGElement>) => event.clientX - event.currentTarget.getBoundingClientRect().left;
  const take = (event: PointerEvent<SVGSVGElement>) => {
    const pointer = at(event);
    if (pointer < AXIS_WIDTH - GRIP || pointer > right + GRIP) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const part = Math.abs(pointer - from) <= GRIP ? 'from' : Math.abs(pointer - to) <= GRIP ? 'to' : 'all';
    const width = view.end - view.start;
    const isOutside = part === 'all' && (pointer < from || pointer > to);
    // A press beside the part in view brings it there.
    const begun = isOutside ? clamped(x.invert(pointer) - width / 2, width, shown.count) : view;
    if (isOutside) onView(begun);
    grip.current = { part, start: pointer, view: begun };
  };
  const move = (event: PointerEvent<SVGSVGElement>) => {
    const held = grip.current;
    if (!held) return;
    const by = ((at(event) - held.start) / plot) * shown.count;
    const width = held.view.end - held.view.start;
    if (held.part === 'all') onView(clamped(held.view.start + by, width, shown.count));
    else if (held.part === 'from') onView({ start: Math.max(0, Math.min(held.view.start + by, held.view.end - 5)), end: held.view.end });
    else onView({ start: held.view.start, end: Math.min(shown.count, Math.max(held.view.end + by, held.view.start + 5)) });
  };
  const middle = (top + bottom) / 2;
  return (
    <Figure
      width={right + LABELS_WIDTH}
      height={height}
      label={t.overviewLabel}
      onPointerDown={take}
      onPointerMove={move}
      onPointerUp={() => (grip.current = undefined)}
      style={{ touchAction: 'pan-y' }}
    >
      <path className={styles.window} d={`M${c(from)} ${top}H${c(to)}V${bottom}H${c(from)}z`} />
      <TimeAxis ticks={ticksOfSeries(shown, plot, formats)} x={x} top={top} bottom={bottom} isWritten />
      <Density entries={shown.entries} left={AXIS_WIDTH} width={plot} y={ruler.clipped} />
      {shown.stages.length > 0 || shown.decimals !== undefined ? (
        <LimitSteps shown={shown} points={shown.entries} x={x} y={ruler.clipped} isDense />
      ) : (
        ruler.lines
          .filter(({ kind }) => kind === 'control' || kind === 'mean')
          .map(({ value, kind }, i) => <Horizontal key={i} x1={AXIS_WIDTH} x2={right} y={ruler.y(value)} kind={kind} />)
      )}
      <StageLines stages={shown.stages} x={x} top={top} bottom={bottom} />
      <Horizontal x1={AXIS_WIDTH} x2={right} y={bottom} kind="tick" />
      {[from, to].map((edge, i) => (
        <g key={i}>
          <Vertical x={edge} y1={top - 4} y2={bottom + 4} kind="edge" />
          <path className={styles.handle} d={`M${crisp(edge) - 3} ${middle - 8}h6v16h-6z`} />
        </g>
      ))}
      <Label x={Math.max(AXIS_WIDTH + 20, Math.min((from + to) / 2, right - 20))} y={bottom + 30} kind="label" anchor="middle" isOnLines>
        {t.inView}
      </Label>
      {baseline && (
        <>
          <path
            className={styles.bracket}
            d={`M${crisp(x(baseline.start))} ${bottom + 21}v5H${crisp(x(baseline.end))}v-5M${c((x(baseline.start) + x(baseline.end)) / 2)} ${bottom + 26}v5`}
          />
          <Label x={Math.min(x(baseline.start), right - 260)} y={bottom + 43} kind="control">
            {baselineText}
          </Label>
        </>
      )}
      <Label x={right + 23} y={top + 12} kind="label">
        {total[0]}
      </Label>
      <Label x={right + LABELS_WIDTH} y={top + 12} kind="label" anchor="end">
        {total[1]}
      </Label>
    </Figure>
  );
}

function clamped(start: number, width: number, count: number): View {
  const from = Math.max(0, Math.min(start, count - width));
  return { start: from, end: from + width };
}
