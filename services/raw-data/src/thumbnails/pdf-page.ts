import { readFile } from 'node:fs/promises';
import { ParseSpeeds, PDFDocument, PDFName, type PDFPage, type TransformationMatrix } from '@cantoo/pdf-lib';
import type { ImageOutcome } from './image-job.ts';

interface Box {
  left: number;
  bottom: number;
  right: number;
  top: number;
}

/**
 * Writes the first page of a PDF as a PDF of its own, whose only content is one form: upright, with its left lower corner at the origin.
 * Nothing is drawn: texts and lines stay what they are.
 */
export async function extractFirstPage(path: string, maxBytes: number): Promise<ImageOutcome> {
  try {
    const options = { ignoreEncryption: true, updateMetadata: false, parseSpeed: ParseSpeeds.Fastest };
    const source = await PDFDocument.load(await readFile(path), options);
    if (source.isEncrypted) return { refused: 'encrypted' };
    const bytes = await writePage(source.getPage(0));
    return bytes.length <= maxBytes ? { bytes, mimeType: 'application/pdf' } : { refused: 'size' };
  } catch {
    return { refused: 'damaged' };
  }
}

async function writePage(page: PDFPage): Promise<Uint8Array> {
  const { left, bottom, right, top } = shownBox(page);
  const [width, height] = [right - left, top - bottom];
  const turns = (((page.getRotation().angle / 90) % 4) + 4) % 4;
  const matrices: TransformationMatrix[] = [
    [1, 0, 0, 1, -left, -bottom],
    [0, -1, 1, 0, -bottom, right],
    [-1, 0, 0, -1, right, top],
    [0, 1, -1, 0, top, -left],
  ];
  // Links, forms and all else that stands beside the content of a page is not drawn.
  page.node.delete(PDFName.of('Annots'));
  const written = await PDFDocument.create({ updateMetadata: false });
  const form = await written.embedPage(page, { left, bottom, right, top }, matrices[turns]);
  written.addPage(turns % 2 === 0 ? [width, height] : [height, width]).drawPage(form, { x: 0, y: 0, xScale: 1, yScale: 1 });
  return written.save({ addDefaultPage: false, updateFieldAppearances: false });
}

/** Finds the box that readers of PDF show: that of the crop within that of the medium. */
function shownBox(page: PDFPage): Box {
  const [media, crop] = [page.getMediaBox(), page.getCropBox()].map(({ x, y, width, height }) => ({
    left: Math.min(x, x + width),
    bottom: Math.min(y, y + height),
    right: Math.max(x, x + width),
    top: Math.max(y, y + height),
  })) as [Box, Box];
  const both = {
    left: Math.max(media.left, crop.left),
    bottom: Math.max(media.bottom, crop.bottom),
    right: Math.min(media.right, crop.right),
    top: Math.min(media.top, crop.top),
  };
  return both.left < both.right && both.bottom < both.top ? both : media;
}
