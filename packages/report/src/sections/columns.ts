import { GLYPHS, deviationBar, sparkline, statusOf, type Locale } from '@sinebar/charts';
import type { NowStatus, ProcessStatus } from '@sinebar/contracts';
import { drawFigure, drawGlyph, POINTS } from '../pdf/figure.ts';
import { COMPUTED, FAINT, INK, OUT, WARNING, type Paper } from '../pdf/paper.ts';
import type { Cell, Column } from '../pdf/table.ts';
import type { ReportCharacteristic } from '../report-content.ts';
import { figureText, type FigureName } from './figures.ts';
import { wordsOf } from './written.ts';

/** Widths of charts in cells, pixels of a drawing. */
const SPARKLINE_WIDTH = 96;
const BAR_WIDTH = 72;
const GLYPH_SIZE = 6.5;

const NOW_LOOKS: Readonly<Record<NowStatus, readonly [glyph: keyof typeof GLYPHS, color: string]>> = {
  inLimits: ['disc', FAINT],
  inWarning: ['halfDisc', WARNING],
  belowTolerance: ['down', OUT],
  aboveTolerance: ['up', OUT],
  noLimits: ['dash', FAINT],
  noData: ['square', FAINT],
};
const PROCESS_LOOKS: Readonly<Record<ProcessStatus, readonly [glyph: keyof typeof GLYPHS, color: string]>> = {
  capable: ['disc', FAINT],
  uncertain: ['halfDisc', WARNING],
  notCapable: ['up', OUT],
  notStable: ['cross', OUT],
  unknown: ['dash', FAINT],
};

/** Makes the columns of a table of characteristics. @param names of columns of a template, or keys of attributes such as `K2005` */
export function characteristicColumns(
  paper: Paper,
  names: readonly string[],
  locale: Locale,
  attributeNames: Readonly<Record<number, string>>,
): Column<ReportCharacteristic>[] {
  const t = wordsOf(locale);
  return names.map((name) => {
    const key = /^K(\d+)$/.exec(name)?.[1];
    if (key !== undefined) {
      return { head: attributeNames[Number(key)] ?? name, share: 1, cell: ({ attributes }) => ({ text: attributes[Number(key)] ?? '' }) };
    }
    const known = name as keyof typeof SIZES;
    const head = t[`column_${known}`];
    return { head, ...SIZES[known], cell: (row) => cellOf(known, row, { paper, locale }) };
  });
}

const FIGURE = { width: 44, align: 'end' } as const;
const INDEX = { width: 32, align: 'end' } as const;
const SIZES = {
  number: { width: 30 },
  name: { share: 3 },
  nominal: FIGURE,
  lower: FIGURE,
  upper: FIGURE,
  tolerance: FIGURE,
  unit: { width: 26 },
  count: { width: 34, align: 'end' },
  last: FIGURE,
  mean: FIGURE,
  deviation: FIGURE,
  model: { width: 48 },
  pp: INDEX,
  ppk: INDEX,
  cp: INDEX,
  cpk: INDEX,
  now: { width: 84 },
  process: { width: 64 },
  sparkline: { width: SPARKLINE_WIDTH * POINTS + 8 },
  value: FIGURE,
  difference: { width: 50, align: 'end' },
  bar: { width: BAR_WIDTH * POINTS + 8 },
} as const satisfies Record<FigureName, Pick<Column<unknown>, 'width' | 'share' | 'align'>>;

function cellOf(name: FigureName, row: ReportCharacteristic, { paper, locale }: { paper: Paper; locale: Locale }): Cell {
  const text = figureText(name, row, locale);
  const { limits } = row;
  const look = (value: string | number | undefined) => (value === undefined ? {} : outLook(statusOf(Number(value), limits)));
  const cells: Partial<Record<FigureName, () => Cell>> = {
    now: () => statusCell(paper, text, NOW_LOOKS[row.now]),
    process: () => statusCell(paper, text, PROCESS_LOOKS[row.process]),
    last: () => ({ text, ...look(row.last?.value) }),
    value: () => ({ text, ...look(row.value) }),
    mean: () => ({ text, color: COMPUTED }),
    deviation: () => ({ text, color: COMPUTED }),
    ppk: () => ({ text, isStrong: true, color: row.process === 'notCapable' ? OUT : INK }),
    sparkline: () => figureCell(paper, sparkline({ values: row.sparkline, limits, width: SPARKLINE_WIDTH, height: 14 }, locale)),
    bar: () => {
      const value = Number(row.value ?? NaN);
      if (!Number.isFinite(value)) return { text };
      return figureCell(paper, deviationBar({ value, limits, status: statusOf(value, limits), width: BAR_WIDTH, height: 18 }, locale));
    },
  };
  return cells[name]?.() ?? { text };
}

function figureCell(paper: Paper, drawing: ReturnType<typeof sparkline>): Cell {
  return {
    text: '',
    ...(drawing && { draw: ({ x, y }) => drawFigure(paper, drawing, x + 3, y - drawing.height * POINTS + 2, POINTS, false) }),
  };
}

function outLook(status: string): Pick<Cell, 'color' | 'isStrong'> {
  return status === 'belowTolerance' || status === 'aboveTolerance' ? { color: OUT, isStrong: true } : {};
}

function statusCell(paper: Paper, text: string, [glyph, color]: readonly [keyof typeof GLYPHS, string]): Cell {
  return {
    text,
    indent: GLYPH_SIZE + 3,
    ...(color === OUT && { color }),
    draw: ({ x, y }) => drawGlyph(paper, GLYPHS[glyph], { x, y: y - GLYPH_SIZE + 0.3, size: GLYPH_SIZE, color }),
  };
}
