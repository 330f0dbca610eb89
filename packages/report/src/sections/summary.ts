import { NOW_STATUSES, PROCESS_STATUSES } from '@sinebar/contracts';
import { drawHeading, drawTable, drawText, type Column } from '../pdf/table.ts';
import { fillOperator } from '../pdf/colors.ts';
import { FAINT, OUT, SOFT, type Paper } from '../pdf/paper.ts';
import { characteristicColumns } from './columns.ts';
import type { UrgentCharacteristic } from '../report-content.ts';
import type { Writing } from './written.ts';

const STATUS_WIDTH = 120;
const BAR_HEIGHT = 5;
const COUNT_WIDTH = 54;
const PARETO_WIDTH = 110;
const URGENT: ReadonlySet<string> = new Set(['notCapable', 'notStable', 'belowTolerance', 'aboveTolerance']);

interface StatusRow {
  readonly status: (typeof PROCESS_STATUSES)[number] | (typeof NOW_STATUSES)[number];
  readonly count: number;
}

/** Draws how many characteristics have each status, and the most urgent ones. */
export async function drawSummary(writing: Writing, { pareto }: { pareto: boolean }): Promise<void> {
  const { paper, content, t, signal } = writing;
  const { totals, total, worst } = content;
  drawHeading(paper, t.summary);
  if (total === 0) return drawText(paper, t.nothing);
  const process = PROCESS_STATUSES.map((status) => ({ status, count: totals.process[status] }));
  const now = NOW_STATUSES.map((status) => ({ status, count: totals.now[status] }));
  for (const [head, rows] of [
    [t.process, process],
    [t.now, now],
  ] as const) {
    const shown = rows.filter(({ count }) => count > 0);
    await drawTable(paper, statusColumns(writing, head, total), shown, { count: shown.length, signal });
    paper.gap(8);
  }
  if (pareto && worst.length > 0) {
    drawHeading(paper, t.pareto, 3);
    // The sort is stable: of equal counts the more urgent one comes first.
    const byCount = worst.toSorted((a, b) => b.outOfTolerance - a.outOfTolerance);
    await drawTable(paper, paretoColumns(writing, byCount[0]?.outOfTolerance ?? 0), byCount, { count: byCount.length, signal });
  }
  paper.gap();
}

/** Columns of the Pareto chart: a bar for the values out of tolerance of each characteristic, the longest for the most of them. */
function paretoColumns({ paper, content, locale, t }: Writing, most: number): Column<UrgentCharacteristic>[] {
  const columns = (names: readonly string[]) => characteristicColumns(paper, names, locale, content.attributeNames);
  return [
    ...columns(['number', 'name', 'count']),
    {
      head: t.outOfTolerance,
      width: COUNT_WIDTH,
      align: 'end',
      cell: ({ outOfTolerance }) => ({ text: locale.formats.count(outOfTolerance) }),
    },
    {
      head: '',
      width: PARETO_WIDTH,
      cell: ({ outOfTolerance }) => ({
        text: '',
        ...(outOfTolerance > 0 && {
          draw: ({ x, y, width }) => drawBar(paper, { x: x + 4, y, width: (width - 4) * (outOfTolerance / most) }, OUT),
        }),
      }),
    },
    ...columns(['ppk', 'process', 'now']),
  ];
}

function statusColumns({ paper, locale, t }: Writing, head: string, total: number): Column<StatusRow>[] {
  const { formats } = locale;
  return [
    { head, width: STATUS_WIDTH, cell: ({ status }) => ({ text: t[status], ...(URGENT.has(status) && { color: OUT }) }) },
    { head: t.count, width: 44, align: 'end', cell: ({ count }) => ({ text: formats.count(count) }) },
    { head: t.share, width: 48, align: 'end', cell: ({ count }) => ({ text: formats.percent(count / total, 1), color: SOFT }) },
    {
      head: '',
      share: 1,
      cell: ({ status, count }) => ({
        text: '',
        draw: ({ x, y, width }) => drawBar(paper, { x: x + 8, y, width: (width - 8) * (count / total) }, URGENT.has(status) ? OUT : FAINT),
      }),
    },
  ];
}

function drawBar({ doc }: Paper, { x, y, width }: { x: number; y: number; width: number }, color: string): void {
  doc.addContent(fillOperator(color));
  doc.rect(x, y - BAR_HEIGHT, Math.max(width, 0.5), BAR_HEIGHT).fill();
}
