import type { Writable } from 'node:stream';
import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { ReportDocument } from './report-document.ts';
import { fillOperator, strokeOperator } from './colors.ts';
import { REGULAR, STRONG, type Face, type FontFiles } from './fonts.ts';
import { TextFace } from './text-face.ts';

export const INK = '#14171a';
export const SOFT = '#454b51';
export const FAINT = '#62686f';
export const LINE = '#c9cbc9';
export const COMPUTED = '#0b4f8f';
export const OUT = '#c1241a';
export const WARNING = '#925a00';
export const IN = '#187244';

/** Lengths of a page in points. */
const MARGIN = 42;
const FOOT = 30;
const HEAD_GAP = 18;
export const BODY_SIZE = 8.5;
/** Bytes that may wait before the writer waits for the reader. */
const MAX_WAITING_BYTES = 1_048_576;
const FOOT_SIZE = 7;
const TOTAL = 'PageCount';
const TOTAL_WIDTH = 40;
/** Room for the count of pages at the end of the foot, points. */
const TOTAL_ROOM = 16;

export interface PaperOptions {
  title: string;
  author: string;
  /** Language tag of the texts. */
  language: string;
  /** Date of creation of the file: the same report has the same bytes. */
  created: Date;
  isLandscape: boolean;
  fonts: FontFiles;
  /** Words around the number of a page and their count, such as `page` and `of`. */
  pageWords: readonly [page: string, of: string];
  /** Texts at the left of each foot; the first is cut where both do not fit. */
  foot: readonly [subject: string, period: string];
}

export interface TextOptions {
  size?: number;
  face?: Face;
  color?: string;
  align?: 'start' | 'middle' | 'end';
}

/** Pages of a report. Texts are placed by their base line; lengths are points from the left upper corner. */
export class Paper {
  readonly doc: ReportDocument;
  readonly left = MARGIN;
  readonly right: number;
  readonly bottom: number;
  /** Top of what comes next. */
  y = MARGIN;
  pages = 0;
  /** Characters that the font lacks. */
  readonly missing = new Set<string>();
  private readonly faces: Readonly<Record<Face, TextFace>>;
  private readonly options: PaperOptions;
  private readonly total: PdfReference;
  private readonly root: PDFKit.PDFStructureElement;
  private readonly output: Writable;

  constructor(options: PaperOptions, output: Writable) {
    this.options = options;
    this.output = output;
    const { title, author, language, created, isLandscape, fonts } = options;
    this.doc = new ReportDocument({
      size: 'A4',
      layout: isLandscape ? 'landscape' : 'portrait',
      margin: 0,
      pdfVersion: '1.7',
      tagged: true,
      displayTitle: true,
      lang: language,
      // The default font is read from a file of the library.
      font: fonts.regular as unknown as string,
      info: { Title: title, Author: author, Producer: 'Sinebar', Creator: 'Sinebar', CreationDate: created, ModDate: created },
    });
    this.doc.registerFont(REGULAR, Buffer.from(fonts.regular));
    this.doc.registerFont(STRONG, Buffer.from(fonts.strong));
    this.doc.pipe(output);
    this.faces = { regular: this.faceOf(REGULAR), strong: this.faceOf(STRONG) };
    this.total = this.documentRef({ Type: 'XObject', Subtype: 'Form', BBox: [0, -FOOT_SIZE, TOTAL_WIDTH, FOOT_SIZE] });
    this.root = this.doc.struct('Document');
    this.doc.addStructure(this.root);
    this.addPage();
    const { page } = this.doc;
    this.right = page.width - MARGIN;
    this.bottom = page.height - MARGIN - FOOT;
  }

  get width(): number {
    return this.right - this.left;
  }

  /** Whether nothing stands on the page yet. */
  get isFresh(): boolean {
    return this.y === MARGIN;
  }

  /** Room that is left on the page. */
  get room(): number {
    return this.bottom - this.y;
  }

  addPage(): void {
    this.doc.addPage();
    this.pages += 1;
    this.y = MARGIN;
    this.artifact(() => this.drawFoot());
  }

  /** Begins a new page when what comes next does not fit. @returns whether it did */
  ensure(height: number): boolean {
    if (height <= this.room) return false;
    this.addPage();
    return true;
  }

  gap(height = HEAD_GAP): void {
    this.y += height;
  }

  /** Waits until the reader has taken what was written. */
  async drained(signal: AbortSignal): Promise<void> {
    // The streams move on between two turns of the event loop only.
    do await setImmediate(undefined, { signal });
    while (this.output.writableLength + this.doc.readableLength > MAX_WAITING_BYTES);
  }

  /** Draws what belongs to the text of the document, with its meaning for those who do not see it. */
  tag(type: string, draw: () => void, options: { alt?: string } = {}, parent: PDFKit.PDFStructureElement = this.root): void {
    const element = this.doc.struct(type, options, [draw]);
    parent.add(element);
  }

  /** Begins an element that has others below it; the caller ends it. */
  openTag(type: string, parent: PDFKit.PDFStructureElement = this.root): PDFKit.PDFStructureElement {
    const element = this.doc.struct(type);
    parent.add(element);
    return element;
  }

  /** Begins an element of this page that holds all that is drawn until the returned function is called. */
  openContent(type: string, parent: PDFKit.PDFStructureElement): () => void {
    const content = this.doc.markStructureContent(type);
    return () => {
      this.doc.endMarkedContent();
      const element = this.doc.struct(type);
      parent.add(element);
      element.add(content);
      element.end();
    };
  }

  /** Draws what has no meaning: lines, feet, repeated heads. */
  artifact(draw: () => void): void {
    this.doc.markContent('Artifact', { type: 'Layout' });
    draw();
    this.doc.endMarkedContent();
  }

  widthOf(text: string, { size = BODY_SIZE, face = REGULAR }: TextOptions = {}): number {
    return this.faces[face].widthOf(text) * size;
  }

  /** Breaks a text at blanks, and words that are too long where they are. */
  linesOf(text: string, width: number, { size = BODY_SIZE, face = REGULAR }: TextOptions = {}): string[] {
    return this.faces[face].linesOf(text, width / size);
  }

  /** Cuts a text that is wider than its room. */
  private cut(text: string, width: number, look: TextOptions): string {
    if (this.widthOf(text, look) <= width) return text;
    const characters = [...text];
    while (characters.length > 0 && this.widthOf(`${characters.join('')}…`, look) > width) characters.pop();
    return `${characters.join('')}…`;
  }

  text(text: string, x: number, y: number, options: TextOptions = {}): void {
    const { size = BODY_SIZE, face = REGULAR, color = INK, align = 'start' } = options;
    if (text === '') return;
    const shift = align === 'start' ? 0 : this.widthOf(text, options) / (align === 'middle' ? 2 : 1);
    const font = this.faces[face];
    font.use(this.doc);
    // The page counts from above, glyphs from below.
    this.doc.addContent(
      `${fillOperator(color)} BT /${font.id} ${size} Tf 1 0 0 -1 ${rounded(x - shift)} ${rounded(y)} Tm <${font.encode(text)}> Tj ET`,
    );
  }

  rule(y: number, { x1 = this.left, x2 = this.right, color = LINE, width = 0.5 } = {}): void {
    this.doc.addContent(`${strokeOperator(color)} ${width} w ${rounded(x1)} ${rounded(y)} m ${rounded(x2)} ${rounded(y)} l S`);
  }

  /** Ends the file. @returns when the reader has all of it */
  async finish(): Promise<void> {
    const { regular } = this.faces;
    this.root.end();
    const text = String(this.pages);
    this.total.data['Resources'] = { Font: { [regular.id]: regular.ref } };
    this.total.end(Buffer.from(`${fillOperator(FAINT)} BT /${regular.id} ${FOOT_SIZE} Tf 1 0 0 1 0 0 Tm <${regular.encode(text)}> Tj ET`));
    const ended = once(this.output, 'finish');
    this.doc.end();
    await ended;
  }

  private drawFoot(): void {
    const { page } = this.doc;
    const [left, right, y] = [MARGIN, page.width - MARGIN, page.height - MARGIN + 2];
    const look = { size: FOOT_SIZE, color: FAINT };
    const [pageWord, of] = this.options.pageWords;
    const number = `${pageWord} ${this.pages} ${of} `;
    this.rule(y - 14, { x1: left, x2: right });
    const [subject, period] = this.options.foot;
    const room = right - left - 120 - this.widthOf(`, ${period}`, look);
    this.text(`${this.cut(subject, room, look)}, ${period}`, left, y - 3, look);
    const at = right - TOTAL_ROOM;
    this.text(number, at, y - 3, { ...look, align: 'end' });
    (page as unknown as { xobjects: Record<string, unknown> }).xobjects[TOTAL] = this.total;
    this.doc.addContent(`q 1 0 0 -1 ${rounded(at)} ${rounded(y - 3)} cm /${TOTAL} Do Q`);
  }

  private faceOf(face: Face): TextFace {
    this.doc.font(face);
    return new TextFace(this.doc, (character) => this.missing.add(character));
  }

  private documentRef(data: Record<string, unknown>): PdfReference {
    return (this.doc as unknown as { ref: (data: Record<string, unknown>) => PdfReference }).ref(data);
  }
}

/** An object of the file, as the library has it. */
interface PdfReference {
  data: Record<string, unknown>;
  end: (content?: Uint8Array) => void;
}

export function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
