import PDFDocument from 'pdfkit';

/** Bytes of content after which it is given to the page. */
const MAX_WAITING = 32_768;

/**
 * A document that gathers what is drawn on a page. The library turns each operator into an array of bytes, one character at a time, and
 * keeps all arrays of a page; a table has thousands of operators on a page. Test: report-document.test.ts
 */
export class ReportDocument extends PDFDocument {
  private waiting = '';

  constructor(options: PDFKit.PDFDocumentOptions) {
    // A first page would be begun before the fields of this class are there.
    super({ ...options, autoFirstPage: false });
  }

  override addContent(data: string): this {
    this.waiting += `${data}\n`;
    if (this.waiting.length > MAX_WAITING) this.writeWaiting();
    return this;
  }

  override flushPages(): void {
    this.writeWaiting();
    super.flushPages();
  }

  /** Returns what is drawn, for content that is drawn often. It has to be less than 32 KiB. */
  record(draw: () => void): string {
    const before = this.waiting;
    this.waiting = '';
    draw();
    const drawn = this.waiting;
    this.waiting = before;
    return drawn;
  }

  private writeWaiting(): void {
    if (this.waiting === '') return;
    const { page } = this as unknown as { page: { write: (bytes: Uint8Array) => void } };
    page.write(Buffer.from(this.waiting, 'latin1'));
    this.waiting = '';
  }
}
