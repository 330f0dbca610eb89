import { shortened } from '../drawing/label-placement.ts';
import { horizontal, label } from '../drawing/lines.ts';
import { mark } from '../drawing/marks.ts';
import { c } from '../drawing/paths.ts';
import { group, path, shapesOf, type Drawing, type Drawn, type Group } from '../drawing/shapes.ts';
import { textsIn, type Locale } from '../language/texts.ts';
import { texts } from './small-texts.ts';
import { countStatuses, statusColumns, type Status, type StatusColumn } from './status-columns.ts';

/** Characteristics that stand together in the plan. */
export interface SpectrumGroup {
  readonly name: string;
  readonly statuses: readonly Status[];
}

export interface SpectrumInput {
  /** Groups in plan order. */
  groups: readonly SpectrumGroup[];
  width: number;
  height?: number | undefined;
}

/** Space between two groups, px. */
const GAP = 12;
/** Height of a tick, in heights of the chart: the worse, the taller. */
const TALL: Record<Status, number> = { inLimits: 0.3, inWarning: 0.65, outOfTolerance: 1, noLimits: 0.2, noData: 0.12 };
const CELLS: readonly [status: Status, role: string, thickness: number][] = [
  ['noData', 'noDataCell', 2.25],
  ['noLimits', 'noDataCell', 2.25],
  ['inLimits', 'inCell', 2.25],
  ['inWarning', 'warningCell', 3],
  ['outOfTolerance', 'outCell', 3],
];
/** Width of a character of a name, px. */
const CHARACTER = 6.4;

/** Statuses of all characteristics in plan order, a tick for each; a triangle stands on those out of tolerance. */
export function spectrum({ groups, width, height = 44 }: SpectrumInput, locale: Locale): Drawing {
  const placed = placeGroups(groups, width);
  const columns = placed.flatMap((each) => each.columns);
  const pitch = columns.length > 1 ? Math.max(1, columns[1]!.x - columns[0]!.x) : width;
  const shapes = shapesOf([
    cells(columns, height, pitch),
    placed.map(({ name, start, end, statuses }) => {
      const room = end - start;
      const shown = shortened(name, Math.floor(room / CHARACTER));
      return group([
        horizontal({ x1: start, x2: end, y: height, kind: 'tick' }),
        label({ x: start, y: height + 15, kind: 'label' }, room >= 2 * CHARACTER ? shown : ''),
        shown.length * CHARACTER + 32 < room &&
          label({ x: end, y: height + 15, kind: 'soft', anchor: 'end' }, locale.formats.count(statuses.length)),
      ]);
    }),
  ]);
  return {
    width,
    height: height + 20,
    label: spectrumLabel(
      placed.flatMap(({ statuses }) => statuses),
      locale,
    ),
    shapes,
  };
}

/** Finds the characteristic at a place of the chart. @returns its index in plan order */
export function characteristicAt(x: number, { groups, width }: SpectrumInput): number | undefined {
  const found = placeGroups(groups, width).find(({ start, end }) => x >= start && x <= end);
  if (found === undefined || found.statuses.length === 0) return undefined;
  const index = Math.floor(((x - found.start) / (found.end - found.start)) * found.statuses.length);
  return found.first + Math.min(index, found.statuses.length - 1);
}

function cells(columns: readonly StatusColumn[], height: number, pitch: number): Drawn {
  return [
    CELLS.map(([status, role, thickness]) => {
      const ticks = columns.filter((column) => column.status === status).map(({ x }) => `M${c(x)} ${height}v${c(-height * TALL[status])}`);
      return ticks.length > 0 && path(role, ticks.join(''), { strokeWidth: Math.min(thickness, pitch) });
    }),
    triangles(columns, 5, 9),
  ];
}

/** Triangles on the columns out of tolerance. */
function triangles(columns: readonly StatusColumn[], y: number, size: number): Group[] {
  return columns.filter(({ status }) => status === 'outOfTolerance').map(({ x }) => mark({ name: 'above', x, y, size }));
}

function placeGroups(groups: readonly SpectrumGroup[], width: number) {
  const count = groups.reduce((sum, { statuses }) => sum + statuses.length, 0);
  const gap = groups.length * GAP < width / 2 ? GAP : 0;
  const pitch = (width - gap * Math.max(0, groups.length - 1)) / Math.max(count, 1);
  let [start, first] = [0, 0];
  return groups.map(({ name, statuses }) => {
    const placed = {
      name,
      statuses,
      first,
      start,
      end: start + pitch * statuses.length,
      columns: statusColumns(statuses, start, pitch * statuses.length),
    };
    start = placed.end + gap;
    first += statuses.length;
    return placed;
  });
}

export interface StripInput {
  /** Statuses in plan order. */
  statuses: readonly Status[];
  width: number;
  height?: number | undefined;
}

/** Statuses on one line: what is in limits is a quiet band, thin without limits; only the exceptions stand up from it. */
export function strip({ statuses, width, height = 18 }: StripInput, locale: Locale): Drawing {
  const columns = statusColumns(statuses, 0, width);
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
  const shapes = [
    path('bar', band.join('')),
    path('warningBar', spikes('inWarning', foot - 6).join('')),
    path('outBar', spikes('outOfTolerance', 3).join('')),
    ...triangles(columns, 3.5, 7),
  ];
  return { width, height, label: spectrumLabel(statuses, locale), shapes };
}

function spectrumLabel(statuses: readonly Status[], { formats, language }: Locale): string {
  const t = textsIn(texts, language);
  const { outOfTolerance, inWarning, inLimits, noLimits, noData } = countStatuses(statuses);
  const text = t.spectrum(formats.count(outOfTolerance), formats.count(inWarning), formats.count(inLimits), formats.count(noData));
  return noLimits > 0 ? `${text}, ${t.noLimits(formats.count(noLimits))}` : text;
}
