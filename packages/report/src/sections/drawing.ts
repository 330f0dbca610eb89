import { GLYPHS, layBalloon } from '@sinebar/charts';
import type { NowStatus } from '@sinebar/contracts';
import type { CopiedPage } from '../pdf/copied-page.ts';
import { drawGlyph } from '../pdf/figure.ts';
import { STRONG } from '../pdf/fonts.ts';
import { drawForm } from '../pdf/form.ts';
import { FAINT, IN, OUT, WARNING } from '../pdf/paper.ts';
import type { ReportDocument } from '../pdf/report-document.ts';
import { drawHeading, drawText } from '../pdf/table.ts';
import type { ReportBalloon } from '../report-content.ts';
import type { Writing } from './written.ts';

/** Smallest and largest radius of a balloon, points. */
const RADII = { min: 6, max: 14 };
const LINE_WIDTH = 1;
const HALO_WIDTH = 2.5;
const DOT = 1.2;
const GLYPH = 5;
/** Height of figures by the size of their letters. */
const FIGURE_HEIGHT = 0.72;
const LOOKS: Readonly<Record<NowStatus, { color: string; glyph: keyof typeof GLYPHS }>> = {
  inLimits: { color: IN, glyph: 'disc' },
  inWarning: { color: WARNING, glyph: 'halfDisc' },
  belowTolerance: { color: OUT, glyph: 'down' },
  aboveTolerance: { color: OUT, glyph: 'up' },
  noLimits: { color: FAINT, glyph: 'dash' },
  noData: { color: FAINT, glyph: 'square' },
};

/** Draws the drawing of the part on a page of its own, with the balloons of its characteristics; nothing where the part has none. */
export async function drawDrawing(writing: Writing): Promise<void> {
  const { paper, content, t } = writing;
  const { drawing } = content;
  if (!drawing) return;
  const { name, image, page, problem, balloons } = drawing;
  const opened = image ? openImage(paper.doc, image) : page && (await openPage(paper.doc, page));
  if (opened === undefined) {
    drawHeading(paper, name === '' ? t.drawing : `${t.drawing}: ${name}`);
    drawText(paper, t[`drawing_${problem ?? 'unreadable'}`], { color: FAINT });
    paper.gap();
    return;
  }
  if (!paper.isFresh) paper.addPage();
  drawHeading(paper, `${t.drawing}: ${name}`);
  const scale = Math.min(paper.width / opened.width, paper.room / opened.height);
  const size = { width: opened.width * scale, height: opened.height * scale };
  const [left, top] = [paper.left + (paper.width - size.width) / 2, paper.y];
  const draw = () => {
    if ('form' in opened) drawForm(paper.doc, opened.form, { left, bottom: top + size.height, scale });
    else paper.doc.image(opened, left, top, size);
  };
  paper.tag('Figure', draw, { alt: name });
  const laid = balloons.map((balloon) => ({ balloon, at: layBalloon(balloon.stamp, balloon.number, size, RADII) }));
  const { doc } = paper;
  paper.artifact(() => {
    for (const { balloon, at } of laid) {
      if (!at.line) continue;
      const { x1, y1, x2, y2 } = at.line;
      const { color } = LOOKS[balloon.now];
      const draw = (width: number, stroke: string) =>
        doc
          .moveTo(left + x1, top + y1)
          .lineTo(left + x2, top + y2)
          .lineWidth(width)
          .stroke(stroke);
      draw(HALO_WIDTH, '#ffffff');
      draw(LINE_WIDTH, color);
      doc.circle(left + x2, top + y2, DOT).fill(color);
    }
  });
  for (const { balloon, at } of laid) drawBalloon(writing, balloon, { ...at, x: left + at.x, y: top + at.y });
  paper.y = top + size.height;
  paper.gap();
}

function drawBalloon(
  { paper, t }: Writing,
  { number, now }: ReportBalloon,
  at: { x: number; y: number; radius: number; letterHeight: number },
) {
  const { x, y, radius, letterHeight } = at;
  const { color, glyph } = LOOKS[now];
  paper.artifact(() => {
    paper.doc.circle(x, y, radius).lineWidth(LINE_WIDTH).fillAndStroke('#ffffff', color);
    const corner = radius * Math.SQRT1_2;
    paper.doc.circle(x + corner, y - corner, GLYPH / 2 + 0.5).fill('#ffffff');
    drawGlyph(paper, GLYPHS[glyph], { x: x + corner - GLYPH / 2, y: y - corner - GLYPH / 2, size: GLYPH, color });
  });
  if (number === '') return;
  const options = { size: letterHeight, face: STRONG, align: 'middle', color } as const;
  paper.tag('Span', () => paper.text(number, x, y + (letterHeight * FIGURE_HEIGHT) / 2, options), { alt: `${number}: ${t[now]}` });
}

/** Copies a page; the large library that reads PDF is loaded only for that. */
async function openPage(doc: ReportDocument, bytes: Uint8Array): Promise<CopiedPage> {
  const { copyPage } = await import('../pdf/copied-page.ts');
  return copyPage(doc, bytes);
}

/** Reads the size of an image, which is then embedded once. */
function openImage(doc: PDFKit.PDFDocument, bytes: Uint8Array): PDFKit.Mixins.ImageSrc & { width: number; height: number } {
  const { openImage: open } = doc as unknown as {
    openImage: (source: Buffer) => PDFKit.Mixins.ImageSrc & { width: number; height: number };
  };
  return open.call(doc, Buffer.from(bytes));
}
