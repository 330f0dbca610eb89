import type { ReactNode } from 'react';
import { useFormats } from '../../design/language/language';
import { Figure, Horizontal, Label, Vertical, Wall } from '../drawing/figure';
import { placeLabels } from '../drawing/label-placement';
import { c, crisp } from '../drawing/paths';
import type { Ruler } from './ruler';
import styles from '../drawing/drawing.module.css';

/** Width of the figures on an axis, and of the names and values of lines, px. */
export const AXIS_WIDTH = 48;
export const LABELS_WIDTH = 128;
/** Width of the values alone, where a narrow screen has no room for the names. */
const SHORT_LABELS_WIDTH = 54;

export type Labels = 'full' | 'short' | 'none';

export interface RulerPaneProps {
  ruler: Ruler;
  /** Width of the plot without axis and labels. */
  plot: number;
  height: number;
  label: string;
  hasAxis?: boolean;
  labels?: Labels;
  /** Drawings below and above the lines of the limits; `x` is the left edge of the plot. */
  under?: (x: number) => ReactNode;
  over?: (x: number) => ReactNode;
}

export function widthOf(plot: number, hasAxis: boolean, labels: Labels): number {
  const right = { full: LABELS_WIDTH, short: SHORT_LABELS_WIDTH, none: 0 }[labels];
  return (hasAxis ? AXIS_WIDTH : 0) + plot + right;
}

/** One pane on the axis of values: the lines run through all panes that share the ruler. */
export function RulerPane({ ruler, plot, height, label, hasAxis = false, labels = 'none', under, over }: RulerPaneProps) {
  const formats = useFormats();
  const left = hasAxis ? AXIS_WIDTH : 0;
  const right = left + plot;
  const { y, ticks, top, bottom } = ruler;
  return (
    <Figure width={widthOf(plot, hasAxis, labels)} height={height} label={label}>
      {ticks.values.map((tick) => (
        <Horizontal key={tick} x1={left} x2={right} y={y(tick)} kind="grid" />
      ))}
      {hasAxis && <Axis ruler={ruler} write={(tick) => formats.number(tick, ruler.decimals)} />}
      {under?.(left)}
      {ruler.lines.map(({ value, kind, side, isStepped }, i) =>
        isStepped ? null : side ? (
          <Wall key={i} x={left} y={y(value)} width={plot} side={side} />
        ) : (
          <Horizontal key={i} x1={left} x2={right} y={y(value)} kind={kind} />
        ),
      )}
      {over?.(left)}
      {labels !== 'none' && (
        <LineLabels
          ruler={ruler}
          right={right}
          edge={widthOf(plot, hasAxis, labels)}
          hasNames={labels === 'full'}
          low={top + 6}
          high={bottom - 6}
        />
      )}
    </Figure>
  );
}

/** The axis of values at the left; nominal is bold. */
function Axis({ ruler, write }: { ruler: Ruler; write: (tick: number) => string }) {
  const { y, ticks, top, bottom, nominal } = ruler;
  return (
    <>
      {ticks.values.map((tick) => (
        <g key={tick}>
          <Horizontal x1={AXIS_WIDTH - 4} x2={AXIS_WIDTH} y={y(tick)} kind="tick" />
          <Label x={AXIS_WIDTH - 8} y={y(tick) + 4} anchor="end" kind={tick === nominal ? 'strong' : 'axis'}>
            {write(tick)}
          </Label>
        </g>
      ))}
      <Vertical x={AXIS_WIDTH - 1} y1={top} y2={bottom} kind="tick" />
    </>
  );
}

interface LineLabelsProps {
  ruler: Ruler;
  /** Right edge of the plot, and of the values. */
  right: number;
  edge: number;
  hasNames: boolean;
  low: number;
  high: number;
}

/** Mean width of a letter of a name and of a figure, and distance of both, px. */
const LETTER = 7;
const DIGIT = 6.7;
const GAP = 4;

/** Cuts a name so that it does not run into the figure behind it. */
function shortened(name: string, width: number): string {
  const letters = Math.floor(width / LETTER);
  return name.length <= letters ? name : `${name.slice(0, Math.max(1, letters - 1))}…`;
}

/** Names and values of the lines at the right edge, each tied to its line by a leader. */
export function LineLabels({ ruler, right, edge, hasNames, low, high }: LineLabelsProps) {
  const formats = useFormats();
  const placed = placeLabels(
    ruler.lines.map((line) => ({ ...line, y: ruler.y(line.value) })),
    low,
    high,
  );
  return (
    <>
      {placed.map(({ value, kind, name, decimals, y, at }, i) => (
        <g key={i}>
          <path className={styles.leader} d={`M${c(right + 4)} ${crisp(y)}h4L${c(right + 16)} ${c(at)}h3`} />
          {hasNames && (
            <Label x={right + 23} y={at + 4} kind={kind}>
              {shortened(name, edge - right - 23 - GAP - formats.number(value, decimals).length * DIGIT)}
            </Label>
          )}
          <Label x={edge} y={at + 4} kind={kind} anchor="end" isStrong={kind === 'tolerance'}>
            {formats.number(value, decimals)}
          </Label>
        </g>
      ))}
    </>
  );
}
