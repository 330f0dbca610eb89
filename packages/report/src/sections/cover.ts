import { drawFacts, drawHeading, drawText } from '../pdf/table.ts';
import { FAINT, OUT } from '../pdf/paper.ts';
import { localText, type Writing } from './written.ts';

const LOGO_HEIGHT = 28;
const LOGO_WIDTH = 120;
const FIELD_HEIGHT = 30;

/** Text of the period that a report covers. */
export function periodText({ request: { from, to }, locale: { formats }, t }: Pick<Writing, 'request' | 'locale' | 't'>): string {
  return from === undefined ? t.until(formats.dateTime(to)) : t.range(formats.dateTime(from), formats.dateTime(to));
}

/** Draws the title, with the logo beside it. */
export function drawTitle(writing: Writing, title: string): void {
  const { paper, request, template, content, t } = writing;
  const { logo } = request;
  if (logo && template.logo) {
    paper.tag(
      'Figure',
      () => paper.doc.image(Buffer.from(logo), paper.right - LOGO_WIDTH, paper.y, { fit: [LOGO_WIDTH, LOGO_HEIGHT], align: 'right' }),
      { alt: '' },
    );
  }
  const names = content.part.names;
  drawHeading(paper, title, 1);
  drawText(paper, names.join(' / '), { color: FAINT });
  if (!content.isWhole) drawText(paper, t.notWhole, { color: OUT });
  paper.gap(4);
}

/** Draws what the report is about: attributes of the part, the period, who made it; and fields for names. */
export function drawCover(writing: Writing, { attributes, approval }: { attributes: readonly string[]; approval: boolean }): void {
  const { paper, content, request, locale, t } = writing;
  const { part, attributeNames, measurement, total } = content;
  const ofPart = attributes.map((name) => {
    const key = Number(name.slice(1));
    return { name: attributeNames[key] ?? name, text: part.attributes[key] ?? '' };
  });
  const ofMeasurement = Object.entries(measurement?.attributes ?? {}).map(([key, text]) => ({
    name: attributeNames[Number(key)] ?? `K${key}`,
    text,
  }));
  drawFacts(paper, [
    ...ofPart,
    measurement
      ? { name: t.measured, text: measurement.time === undefined ? '' : locale.formats.dateTimeSeconds(measurement.time) }
      : { name: t.period, text: periodText(writing) },
    ...ofMeasurement,
    { name: t.characteristics, text: locale.formats.count(total) },
    { name: t.made, text: locale.formats.dateTime(request.to) },
    { name: t.author, text: request.author },
  ]);
  if (approval) drawApproval(writing);
  paper.gap();
}

/** Draws fields for two names with date and signature. */
function drawApproval({ paper, t }: Writing): void {
  paper.ensure(FIELD_HEIGHT * 2);
  const heads = [t.prepared, t.date, t.signature, t.approved, t.date, t.signature];
  const width = paper.width / 3;
  heads.forEach((head, i) => {
    const [x, y] = [paper.left + (i % 3) * width, paper.y + Math.floor(i / 3) * FIELD_HEIGHT + FIELD_HEIGHT - 10];
    paper.artifact(() => paper.rule(y, { x1: x, x2: x + width - 12, color: FAINT }));
    paper.tag('P', () => paper.text(head, x, y + 8, { size: 7, color: FAINT }));
  });
  paper.y += FIELD_HEIGHT * 2;
}

/** Draws text of the template. */
export function drawNote({ paper, locale }: Writing, text: string | { en: string; de: string }): void {
  drawText(paper, localText(text, locale));
  paper.gap(8);
}
