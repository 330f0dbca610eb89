import { useMemo, type MouseEvent } from 'react';
import { useFormats, useTexts } from '../../design/language/language';
import type { Status } from '../../design/status/glyph';
import { Figure, Horizontal, Label } from '../drawing/figure';
import { shortened } from '../drawing/label-placement';
import { Mark } from '../drawing/marks';
import { c } from '../drawing/paths';
import { countStatuses, statusColumns, type StatusColumn } from './status-columns';
import { texts } from './small-texts';
import drawing from '../drawing/drawing.module.css';
import styles from './small.module.css';

/** Characteristics that stand together in the plan. */
export interface SpectrumGroup {
  readonly name: string;
  readonly statuses: readonly Status[];
}

export interface SpectrumProps {
  /** Groups in plan order. */
  groups: readonly SpectrumGroup[];
  width: number;
  height?: number;
  /** Called with the index of a characteristic in plan order when its tick is pressed. */
  onPick?: (index: number) => void;
}

/** Space between two groups, px. */
const GAP = 12;
/** Height of a tick, in heights of the chart: the worse, the taller. */
const TALL: Record<Status, number> = { inLimits: 0.3, inWarning: 0.65, outOfTolerance: 1, noLimits: 0.2, noData: 0.12 };
const CELLS: readonly [Status, string | undefined, number][] = [
  ['noData', styles.noDataCell, 2.25],
  ['noLimits', styles.noDataCell, 2.25],
  ['inLimits', styles.inCell, 2.25],
  ['inWarning', styles.warningCell, 3],
  ['outOfTolerance', styles.outCell, 3],
];
/** Width of a character of a name, px. */
const CHARACTER = 6.4;

/** Statuses of all characteristics in plan order, a tick for each; a triangle stands on those out of tolerance. */
export function Spectrum({ groups, width, height = 44, onPick }: SpectrumProps) {
  const formats = useFormats();
  const label = useSpectrumLabel(groups.flatMap(({ statuses }) => statuses));
  const placed = useMemo(() => placeGroups(groups, width), [groups, width]);
  const columns = placed.flatMap((group) => group.columns);
  const pitch = columns.length > 1 ? Math.max(1, columns[1]!.x - columns[0]!.x) : width;
  const pick = (event: MouseEvent<SVGSVGElement>) => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left;
    const group = placed.find(({ start, end }) => x >= start && x <= end);
    if (group === undefined || group.statuses.length === 0) return;
    const index = Math.floor(((x - group.start) / (group.end - group.start)) * group.statuses.length);
    onPick?.(group.first + Math.min(index, group.statuses.length - 1));
  };
  return (
    <Figure width={width} height={height + 20} label={label} {...(onPick && { onClick: pick, className: styles.clickable })}>
      <Cells columns={columns} height={height} pitch={pitch} />
      {placed.map(({ name, start, end, statuses }, i) => {
        const room = end - start;
        const shown = shortened(name, Math.floor(room / CHARACTER));
        return (
          <g key={i}>
            <Horizontal x1={start} x2={end} y={height} kind="tick" />
            <Label x={start} y={height + 15} kind="label">
              {room >= 2 * CHARACTER ? shown : ''}
            </Label>
            {shown.length * CHARACTER + 32 < room && (
              <Label x={end} y={height + 15} kind="soft" anchor="end">
                {formats.count(statuses.length)}
              </Label>
            )}
          </g>
        );
      })}
    </Figure>
  );
}

function Cells({ columns, height, pitch }: { columns: readonly StatusColumn[]; height: number; pitch: number }) {
  return (
    <>
      {CELLS.map(([status, className, thickness]) => {
        const path = columns.filter((column) => column.status === status).map(({ x }) => `M${c(x)} ${height}v${c(-height * TALL[status])}`);
        if (path.length === 0) return null;
        return <path key={status} className={className} strokeWidth={Math.min(thickness, pitch)} d={path.join('')} />;
      })}
      {columns
        .filter(({ status }) => status === 'outOfTolerance')
        .map(({ x }) => (
          <Mark key={x} name="above" x={x} y={5} size={9} />
        ))}
    </>
  );
}

function placeGroups(groups: readonly SpectrumGroup[], width: number) {
  const count = groups.reduce((sum, { statuses }) => sum + statuses.length, 0);
  const gap = groups.length * GAP < width / 2 ? GAP : 0;
  const pitch = (width - gap * Math.max(0, groups.length - 1)) / Math.max(count, 1);
  let [start, first] = [0, 0];
  return groups.map(({ name, statuses }) => {
    const group = {
      name,
      statuses,
      first,
      start,
      end: start + pitch * statuses.length,
      columns: statusColumns(statuses, start, pitch * statuses.length),
    };
    start = group.end + gap;
    first += statuses.length;
    return group;
  });
}

export interface StripProps {
  /** Statuses in plan order. */
  statuses: readonly Status[];
  width: number;
  height?: number;
}

/** Statuses on one line: what is in limits is a quiet band, thin without limits; only the exceptions stand up from it. */
export function Strip({ statuses, width, height = 18 }: StripProps) {
  const label = useSpectrumLabel(statuses);
  const columns = useMemo(() => statusColumns(statuses, 0, width), [statuses, width]);
  const pitch = width / Math.max(columns.length, 1);
  const thick = Math.max(Math.min(pitch, 2), 1.5);
  const foot = height - 4.5;
  const band = columns
    .filter(({ status }) => status !== 'noData')
    .map(({ x, status }) => {
      const thickness = status === 'noLimits' ? 1 : 3;
      return `M${c(x - pitch / 2)} ${foot + 3 - thickness}h${c(pitch + 0.05)}v${thickness}h${c(-pitch - 0.05)}z`;
    });
  const spikes = (wanted: Status, top: number) =>
    columns.filter(({ status }) => status === wanted).map(({ x }) => `M${c(x - thick / 2)} ${foot + 3}V${c(top)}h${c(thick)}V${foot + 3}z`);
  return (
    <Figure width={width} height={height} label={label}>
      <path className={drawing.bar} d={band.join('')} />
      <path className={drawing.warningBar} d={spikes('inWarning', foot - 6).join('')} />
      <path className={drawing.outBar} d={spikes('outOfTolerance', 3).join('')} />
      {columns
        .filter(({ status }) => status === 'outOfTolerance')
        .map(({ x }) => (
          <Mark key={x} name="above" x={x} y={3.5} size={7} />
        ))}
    </Figure>
  );
}

function useSpectrumLabel(statuses: readonly Status[]): string {
  const formats = useFormats();
  const t = useTexts(texts);
  const counts = useMemo(() => countStatuses(statuses), [statuses]);
  const { outOfTolerance, inWarning, inLimits, noLimits, noData } = counts;
  const text = t.spectrum(formats.count(outOfTolerance), formats.count(inWarning), formats.count(inLimits), formats.count(noData));
  return noLimits > 0 ? `${text}, ${t.noLimits(formats.count(noLimits))}` : text;
}
