import type { Writable } from 'node:stream';
import { localeOf } from '@sinebar/charts';
import { AttachedFile } from './pdf/attached-file.ts';
import type { FontFiles } from './pdf/fonts.ts';
import { Paper } from './pdf/paper.ts';
import { drawText } from './pdf/table.ts';
import type { ReportContent, ReportRequest } from './report-content.ts';
import { drawAlarms } from './sections/alarms.ts';
import { drawCharacteristics } from './sections/characteristics.ts';
import { drawCover, drawNote, drawTitle, periodText } from './sections/cover.ts';
import { drawDrawing } from './sections/drawing.ts';
import { drawForm, drawForm3 } from './sections/forms.ts';
import { drawPages } from './sections/pages.ts';
import { drawSummary } from './sections/summary.ts';
import { localText, wordsOf, type Writing } from './sections/written.ts';
import { readTemplate, type Section } from './templates/template.ts';

/** A report that was written. */
export interface WrittenReport {
  readonly pages: number;
}

/** Most characters that the sentence about missing ones names. */
const MAX_NAMED = 40;

/**
 * Writes a report as PDF. The same request and content give the same bytes; times are in the zone of the process.
 * @throws Error for a template that `readTemplate` refuses
 */
export async function writeReport(
  request: ReportRequest,
  content: ReportContent,
  { output, fonts, signal }: { output: Writable; fonts: FontFiles; signal: AbortSignal },
): Promise<WrittenReport> {
  const read = readTemplate(request.template);
  if ('problems' in read) throw new Error(`The template is not valid: ${read.problems[0]?.message ?? ''}`);
  const { template } = read;
  const created = new Date(request.to);
  const locale = localeOf(request.language, () => created);
  const t = wordsOf(locale);
  const title = localText(template.title, locale);
  const name = content.part.names.at(-1) ?? '';
  const paper = new Paper(
    {
      title: `${title}: ${name}`,
      author: request.author,
      language: request.language,
      created,
      isLandscape: template.orientation === 'landscape',
      fonts,
      pageWords: [t.page, t.of],
      foot: [`${title}: ${name}`, periodText({ request, locale, t })],
    },
    output,
  );
  const attached = new AttachedFile();
  const writing: Writing = { paper, template, request, content, locale, t, signal, attached };
  const isOfPages = template.sections.length === 1 && template.sections[0]?.section === 'pages';
  if (!isOfPages) drawTitle(writing, title);
  for (const section of template.sections) {
    signal.throwIfAborted();
    await drawSection(writing, section);
  }
  if (paper.missing.size > 0) drawText(paper, t.missing([...paper.missing].slice(0, MAX_NAMED).map(codePointName).join(', ')));
  if (attached.isWhole) await attached.attach(paper.doc, 'values.csv', 'text/csv', created);
  await paper.finish();
  return { pages: paper.pages };
}

async function drawSection(writing: Writing, section: Section): Promise<void> {
  switch (section.section) {
    case 'cover':
      return drawCover(writing, section);
    case 'summary':
      return drawSummary(writing, section);
    case 'characteristics':
      return drawCharacteristics(writing, section);
    case 'pages':
      return drawPages(writing, section);
    case 'alarms':
      return drawAlarms(writing, section);
    case 'form1':
      return drawForm(writing, 1);
    case 'form2':
      return drawForm(writing, 2);
    case 'form3':
      return drawForm3(writing);
    case 'drawing':
      return drawDrawing(writing);
    case 'text':
      return drawNote(writing, section.text);
  }
}

/** Names a character by its code point, since the font cannot show it: `U+4E2D`. */
function codePointName(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
