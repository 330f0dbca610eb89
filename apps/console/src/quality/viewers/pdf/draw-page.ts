import type { PDFDocumentProxy } from 'pdfjs-dist';
import { PIXELS_PER_POINT } from './pdf-document';

/** Most pixels of a drawn page: browsers refuse larger ones. */
const MAX_PIXELS = 16_000_000;

interface DrawOptions {
  scale: number;
  signal: AbortSignal;
  /** Called with the size of the page at scale 1, px. */
  onSize: (size: { width: number; height: number }) => void;
  /** Called with the words of the page. */
  onText: (text: string) => void;
}

/** Draws a page on a canvas as sharp as the screen is, and reads its words. */
export async function drawPage(
  document: PDFDocumentProxy,
  number: number,
  canvas: HTMLCanvasElement,
  { scale, signal, onSize, onText }: DrawOptions,
) {
  const page = await document.getPage(number);
  if (signal.aborted) return;
  const { width, height } = page.getViewport({ scale: PIXELS_PER_POINT });
  onSize({ width, height });
  const wanted = scale * devicePixelRatio;
  const drawn = Math.min(wanted, Math.sqrt(MAX_PIXELS / Math.max(width * height, 1)));
  const viewport = page.getViewport({ scale: PIXELS_PER_POINT * drawn });
  canvas.width = Math.floor(viewport.width);
  canvas.height = Math.floor(viewport.height);
  const drawing = page.render({ canvas, viewport });
  signal.addEventListener('abort', () => drawing.cancel());
  await drawing.promise;
  const { items } = await page.getTextContent();
  if (signal.aborted) return;
  onText(items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join(''));
}
