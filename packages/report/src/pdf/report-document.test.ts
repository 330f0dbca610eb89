import { describe, expect, it } from '@jest/globals';
import PDFDocument from 'pdfkit';
import { fillOperator, strokeOperator } from './colors.ts';
import { readFonts } from './fonts.ts';
import { ReportDocument } from './report-document.ts';

const OPTIONS = { autoFirstPage: false, font: readFonts().regular as unknown as string };
const LINES = 50;

/** Draws lines on a page. @returns the pieces of its content */
function piecesOf(doc: PDFKit.PDFDocument): Uint8Array[] {
  doc.addPage();
  const { content } = doc.page as unknown as { content: { buffer: Uint8Array[]; end: () => void } };
  // Keeps the pieces, which the end of a page joins.
  content.end = () => undefined;
  for (let y = 0; y < LINES; y += 1) doc.moveTo(0, y).lineTo(10, y).stroke();
  doc.flushPages();
  return content.buffer;
}

describe('a document', () => {
  it('draws what the library draws, in one piece instead of one for each operator', () => {
    const ofLibrary = piecesOf(new PDFDocument(OPTIONS));
    const ours = piecesOf(new ReportDocument(OPTIONS));
    expect(Buffer.concat(ours).toString()).toBe(Buffer.concat(ofLibrary).toString());
    expect(ours).toHaveLength(1);
    expect(ofLibrary.length).toBeGreaterThan(LINES);
  });

  it('gives what is drawn without drawing it', () => {
    const doc = new ReportDocument(OPTIONS);
    doc.addPage();
    expect(doc.record(() => doc.moveTo(1, 2).lineTo(3, 4))).toBe('1 2 m\n3 4 l\n');
  });
});

it('colours are three numbers', () => {
  expect(fillOperator('#14171a')).toBe('0.078 0.09 0.102 rg');
  expect(strokeOperator('#FF0000')).toBe('1 0 0 RG');
  expect(() => fillOperator('red')).toThrow('not a colour of six hexadecimal digits: red');
});
