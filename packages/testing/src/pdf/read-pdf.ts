import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** Content of a PDF. */
export interface ReadPdf {
  /** Texts of each page in their order, joined by blanks. */
  readonly pages: readonly string[];
  readonly title: string;
  readonly language: string;
  readonly isTagged: boolean;
  /** Texts of attached files by their names. */
  readonly attachments: Readonly<Record<string, string>>;
}

export async function readPdf(bytes: Uint8Array): Promise<ReadPdf> {
  const task = getDocument({ data: Uint8Array.from(bytes), verbosity: 0 });
  const document = await task.promise;
  const pages: string[] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const content = await (await document.getPage(number)).getTextContent();
    pages.push(
      content.items
        .map((item) => ('str' in item ? item.str : ''))
        .join(' ')
        .replaceAll(/\s+/g, ' '),
    );
  }
  const { info } = await document.getMetadata();
  const tree = (await (await document.getPage(1)).getStructTree()) as { children: readonly unknown[] } | null;
  const attachments: Record<string, string> = {};
  for (const name of (await document.getAttachments())?.keys() ?? []) {
    attachments[name] = Buffer.from((await document.getAttachmentContent(name)) ?? []).toString();
  }
  const read = {
    pages,
    title: (info as { Title?: string }).Title ?? '',
    language: (info as { Language?: string }).Language ?? '',
    isTagged: (tree?.children.length ?? 0) > 0,
    attachments,
  };
  await task.destroy();
  return read;
}
