/** A font as the library has embedded it. */
interface EmbeddedFont {
  readonly id: string;
  readonly font: { hasGlyphForCodePoint: (codePoint: number) => boolean };
  encode: (text: string) => [readonly string[], readonly { advanceWidth: number }[]];
  ref: () => unknown;
}

/** Stands for a character that the font lacks. */
const REPLACEMENT = '?';
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
    for (const character of text) codes += this.glyphOf(character).code;
    return codes;
  }

  /** @returns the width in parts of the size */
  widthOf(text: string): number {
    let width = 0;
    for (const character of text) width += this.glyphOf(character).width;
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

  private glyphOf(character: string) {
    const known = this.glyphs.get(character);
    if (known) return known;
    const isKnown = this.font.font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0);
    if (!isKnown) this.onMissing(character);
    const [codes, positions] = this.font.encode(isKnown ? character : REPLACEMENT);
    const glyph = {
      code: codes.join(''),
      width: positions.reduce((sum, { advanceWidth }) => sum + advanceWidth, 0) / UNITS,
    };
    this.glyphs.set(character, glyph);
    return glyph;
  }
}
