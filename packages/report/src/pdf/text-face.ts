/** A font as the library has embedded it. */
interface EmbeddedFont {
  readonly id: string;
  readonly font: { hasGlyphForCodePoint: (codePoint: number) => boolean };
  encode: (text: string) => [readonly string[], readonly { advanceWidth: number }[]];
  ref: () => unknown;
}

/** Stands for a character that the font lacks. */
const REPLACEMENT = '?';
/** A letter of a script that is written from right to left. */
const RIGHT_TO_LEFT = '[\\p{Script=Arabic}\\p{Script=Hebrew}]';
/** Such letters, and what stands between two of them and is no letter of another script. */
const RUN = new RegExp(`${RIGHT_TO_LEFT}(?:(?:${RIGHT_TO_LEFT}|\\P{L})*${RIGHT_TO_LEFT})?`, 'gu');
/** Words and numbers of a run; numbers are written from left to right. */
const PIECES = /\s+|\d+(?:[.,]\d+)*|[^\s\d]+/gu;
/** Advance widths are given in thousandths of the size. */
const UNITS = 1000;

/**
 * One font of a document. The library lays out each text with features of the font and keeps every word;
 * figures of tables need neither, so glyphs are looked up once for each character.
 */
export class TextFace {
  readonly id: string;
  readonly ref: unknown;
  private readonly font: EmbeddedFont;
  private readonly glyphs = new Map<string, { readonly code: string; readonly width: number }>();
  private readonly onMissing: (character: string) => void;

  /** @param onMissing gets each character that the font lacks */
  constructor(doc: PDFKit.PDFDocument, onMissing: (character: string) => void) {
    this.font = (doc as unknown as { _font: EmbeddedFont })._font;
    this.id = this.font.id;
    this.ref = this.font.ref();
    this.onMissing = onMissing;
  }

  /** Names the font to the page. */
  use(doc: PDFKit.PDFDocument): void {
    const { fonts } = doc.page as unknown as { fonts: Record<string, unknown> };
    fonts[this.id] ??= this.ref;
  }

  /** Codes of the glyphs in hexadecimal digits. */
  encode(text: string): string {
    let codes = '';
    for (const piece of piecesOf(text)) codes += this.glyphOf(piece).code;
    return codes;
  }

  /** @returns the width in parts of the size */
  widthOf(text: string): number {
    let width = 0;
    for (const piece of piecesOf(text)) width += this.glyphOf(piece).width;
    return width;
  }

  /** @param width in parts of the size */
  linesOf(text: string, width: number): string[] {
    const lines: string[] = [];
    for (const paragraph of text.split('\n')) {
      let line = '';
      let used = 0;
      for (const word of paragraph.split(/(?<=[ \u00AD/_-])/u)) {
        const needed = this.widthOf(word.trimEnd());
        if (used + needed > width && line !== '') {
          lines.push(line.trimEnd());
          line = '';
          used = 0;
        }
        if (needed <= width) {
          line += word;
          used += this.widthOf(word);
          continue;
        }
        for (const character of word) {
          const one = this.glyphOf(character).width;
          if (used + one > width && line !== '') {
            lines.push(line);
            line = '';
            used = 0;
          }
          line += character;
          used += one;
        }
      }
      lines.push(line.trimEnd());
    }
    return lines;
  }

  /** @param piece a character, or a word whose letters the library joins and reverses */
  private glyphOf(piece: string) {
    const known = this.glyphs.get(piece);
    if (known) return known;
    let shown = '';
    for (const character of piece) {
      const isKnown = this.font.font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0);
      if (!isKnown) this.onMissing(character);
      shown += isKnown ? character : REPLACEMENT;
    }
    const [codes, positions] = this.font.encode(shown);
    const glyph = {
      code: codes.join(''),
      width: positions.reduce((sum, { advanceWidth }) => sum + advanceWidth, 0) / UNITS,
    };
    this.glyphs.set(piece, glyph);
    return glyph;
  }
}

/** Divides a text into what is drawn from left to right: characters, and words of scripts that are written from right to left. */
function* piecesOf(text: string): Generator<string> {
  let end = 0;
  for (const { 0: run, index } of text.matchAll(RUN)) {
    yield* text.slice(end, index);
    for (const piece of (run.match(PIECES) ?? []).reverse()) {
      if (/^[\s\d]/u.test(piece)) yield* piece;
      else yield piece;
    }
    end = index + run.length;
  }
  yield* text.slice(end);
}
