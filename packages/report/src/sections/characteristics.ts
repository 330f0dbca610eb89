import { drawHeading, drawTable, drawText } from '../pdf/table.ts';
import type { ReportCharacteristic } from '../report-content.ts';
import { characteristicColumns } from './columns.ts';
import { csvHead, csvLine } from './attached-values.ts';
import { localText, type Writing } from './written.ts';

interface Options {
  title?: string | { en: string; de: string } | undefined;
  columns: readonly string[];
}

/** Draws the table of all characteristics. */
export async function drawCharacteristics(writing: Writing, { title, columns }: Options): Promise<void> {
  const { paper, content, locale, t, signal } = writing;
  drawHeading(paper, title === undefined ? t.characteristics : localText(title, locale));
  if (content.total === 0) drawText(paper, t.nothing);
  else
    await drawTable(paper, characteristicColumns(paper, columns, locale, content.attributeNames), attachedRows(writing), {
      count: content.total,
      signal,
      size: 7.5,
    });
  paper.gap();
}

/** Reads the characteristics; the first section that shows them also fills the attached file. */
export async function* attachedRows({ content, attached }: Writing): AsyncGenerator<ReportCharacteristic> {
  const isFirst = attached.begin();
  if (isFirst) attached.write(csvHead());
  for await (const row of content.characteristics) {
    if (isFirst) attached.write(csvLine(row));
    yield row;
  }
  if (isFirst) attached.complete();
}
