import { once } from 'node:events';
import { createHash } from 'node:crypto';
import { createDeflate } from 'node:zlib';
import type { ReportDocument } from './report-document.ts';

/** Characters that are compressed at once. */
const BATCH = 65_536;

/**
 * A file within a document that is compressed while it is written. `file` of the library takes a file as a whole, and copies it four
 * times for its hash and its compression.
 */
export class AttachedFile {
  private readonly deflate = createDeflate();
  // The format of documents asks for MD5, which protects nothing here.
  private readonly hash = createHash('md5');
  private readonly compressed: Buffer[] = [];
  private waiting = '';
  private sizeBytes = 0;
  private state: 'empty' | 'begun' | 'whole' = 'empty';

  constructor() {
    this.deflate.on('data', (piece: Buffer) => this.compressed.push(piece));
  }

  /** Begins the file. @returns false when it has been begun before */
  begin(): boolean {
    if (this.state !== 'empty') return false;
    this.state = 'begun';
    return true;
  }

  /** Says that nothing more is written. */
  complete(): void {
    this.state = 'whole';
  }

  get isWhole(): boolean {
    return this.state === 'whole';
  }

  write(text: string): void {
    this.waiting += text;
    if (this.waiting.length > BATCH) this.compress();
  }

  /** Ends the file and puts it into the document. @param created its date */
  async attach(doc: ReportDocument, name: string, type: string, created: Date): Promise<void> {
    this.compress();
    const ended = once(this.deflate, 'end');
    this.deflate.end();
    await ended;
    const content = doc.ref({
      Type: 'EmbeddedFile',
      Subtype: type.replace('/', '#2F'),
      Filter: 'FlateDecode',
      Params: { CreationDate: created, ModDate: created, CheckSum: new Uint8Array(this.hash.digest()), Size: this.sizeBytes },
    });
    content.end(Buffer.concat(this.compressed));
    const text = (value: string) => new String(value);
    const specification = doc.ref({ Type: 'Filespec', F: text(name), UF: text(name), EF: { F: content } });
    specification.end(undefined);
    doc.addNamedEmbeddedFile(name, specification);
  }

  private compress(): void {
    const bytes = Buffer.from(this.waiting);
    this.waiting = '';
    this.sizeBytes += bytes.length;
    this.hash.update(bytes);
    this.deflate.write(bytes);
  }
}
