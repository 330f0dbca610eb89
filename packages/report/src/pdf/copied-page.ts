import {
  PDFArray,
  PDFBool,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
  PDFNumber,
  PDFRawStream,
  PDFRef,
  PDFString,
  type PDFContext,
  type PDFObject,
} from '@cantoo/pdf-lib';
import type { Written } from './form.ts';
import type { ReportDocument } from './report-document.ts';

/** A page that is part of the document. */
export interface CopiedPage {
  readonly form: Written;
  readonly width: number;
  readonly height: number;
}

/**
 * Copies a page into a document, with its fonts and images as they are. The writer of PDF reads none, so another library does.
 * @param bytes PDF of one page, whose only content is one form
 */
export async function copyPage(doc: ReportDocument, bytes: Uint8Array): Promise<CopiedPage> {
  const source = await PDFDocument.load(bytes, { updateMetadata: false });
  const page = source.getPage(0);
  const [form] = page.node.Resources()!.lookup(PDFName.of('XObject'), PDFDict).values();
  return { form: new ObjectCopier(doc, source.context).copy(form as PDFRef)!, ...page.getSize() };
}

/** Copies objects and those that they refer to, each once. */
class ObjectCopier {
  private readonly doc: ReportDocument;
  private readonly source: PDFContext;
  private readonly copies = new Map<string, Written>();

  constructor(doc: ReportDocument, source: PDFContext) {
    this.doc = doc;
    this.source = source;
  }

  /** @returns `undefined` for a reference to nothing */
  copy(first: PDFRef): Written | undefined {
    const waiting: [Written, PDFObject][] = [];
    const refer = (ref: PDFRef): Written | undefined => {
      const known = this.copies.get(ref.tag);
      const object = this.source.lookup(ref);
      if (known || object === undefined) return known;
      const copy = (this.doc as unknown as { ref: (data: unknown) => Written }).ref({});
      this.copies.set(ref.tag, copy);
      waiting.push([copy, object]);
      return copy;
    };
    const copied = refer(first);
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const [copy, object] = next;
      if (object instanceof PDFRawStream) {
        copy.data = convert(object.dict, refer);
        Object.assign(copy, { compress: false });
        // The library writes an object without bytes as one that is no stream.
        copy.end(object.contents.length > 0 ? object.contents : Buffer.from('\n'));
      } else {
        copy.data = convert(object, refer);
        copy.end();
      }
    }
    return copied;
  }
}

/** Converts an object to what the library writes as the same. */
function convert(object: PDFObject, refer: (ref: PDFRef) => Written | undefined): unknown {
  if (object instanceof PDFRef) return refer(object) ?? null;
  if (object instanceof PDFName) return object.asString().slice(1);
  if (object instanceof PDFNumber) return object.asNumber();
  if (object instanceof PDFBool) return object.asBoolean();
  if (object instanceof PDFString || object instanceof PDFHexString) return object.asBytes();
  if (object instanceof PDFArray) return object.asArray().map((item) => convert(item, refer));
  if (!(object instanceof PDFDict)) return null;
  const entries = object.entries().filter(([name]) => name !== PDFName.of('Length'));
  return Object.fromEntries(entries.map(([name, value]) => [name.asString().slice(1), convert(value, refer)]));
}
