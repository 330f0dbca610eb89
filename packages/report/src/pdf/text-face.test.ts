import { describe, expect, it } from '@jest/globals';
import { readFonts } from './fonts.ts';
import { ReportDocument } from './report-document.ts';
import { TextFace } from './text-face.ts';

const doc = new ReportDocument({ font: readFonts().regular as unknown as string });
const missing: string[] = [];
const face = new TextFace(doc, (character) => missing.push(character));
/** Codes of the characters of a text, each by itself, as they are written from left to right. */
const singly = (text: string) => [...text].map((character) => face.encode(character)).join('');

describe('a text', () => {
  it('is written by its characters', () => {
    expect(face.encode('⌀12.5 ±0.01')).toBe(singly('⌀12.5 ±0.01'));
  });

  it.each([
    ['a word of Hebrew', 'קוטר', 'רטוק'],
    ['two words', 'קוטר פנימי', 'ימינפ רטוק'],
    ['a number between them', 'קוטר 12.5 פנימי', 'ימינפ 12.5 רטוק'],
    ['words among those of another script', 'Bore קוטר פנימי: 20.5 mm', 'Bore ימינפ רטוק: 20.5 mm'],
  ])('from right to left is turned: %s', (_, text, drawn) => {
    expect(face.encode(text)).toBe(singly(drawn));
    expect(face.widthOf(text)).toBeCloseTo(face.widthOf(drawn), 10);
  });

  it('of Arabic has joined letters, in the order in which they are drawn', () => {
    // The forms of the letters at the beginning, in the middle and at the end of a word.
    expect(face.encode('قطر')).toBe(singly('\uFEAE\uFEC4\uFED7'));
  });

  it('names characters that the font lacks, also within a word from right to left', () => {
    face.encode('直א\u07CAא');
    expect(missing).toContain('直');
  });
});
