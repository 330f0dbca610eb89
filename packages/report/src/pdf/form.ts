import { rounded } from './paper.ts';
import type { ReportDocument } from './report-document.ts';

/** An object of the document that is written; the library has no type for it. */
export interface Written {
  data: unknown;
  end: (content?: Uint8Array) => void;
}

/** Draws a copied page with its left lower corner at a point. */
export function drawForm(
  doc: ReportDocument,
  form: Written,
  { left, bottom, scale }: { left: number; bottom: number; scale: number },
): void {
  const { page } = doc as unknown as { page: { xobjects: Record<string, unknown> } };
  page.xobjects['Drawing'] = form;
  // The page counts from above, the form from below.
  doc.addContent(`q ${scale} 0 0 ${-scale} ${rounded(left)} ${rounded(bottom)} cm /Drawing Do Q`);
}
