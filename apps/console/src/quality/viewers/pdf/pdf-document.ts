import {
  getDocument,
  GlobalWorkerOptions,
  InvalidPDFException,
  PasswordException,
  PasswordResponses,
  type PDFDocumentProxy,
} from 'pdfjs-dist';
import { PdfFiles, WORKER } from './pdf-files';

GlobalWorkerOptions.workerSrc = WORKER;

/** What became of a document. */
export type PdfOpening =
  | { state: 'open'; document: PDFDocumentProxy; width: number; height: number }
  | { state: 'locked'; isWrong: boolean }
  | { state: 'broken' };

/** Pixels of a screen for a point of a document. */
export const PIXELS_PER_POINT = 96 / 72;

/**
 * Opens a document in a worker.
 * @param password of a protected document
 * @returns with the size of the first page in px
 */
export async function openPdf(bytes: Uint8Array, password?: string): Promise<PdfOpening> {
  const task = getDocument({
    // The worker takes the bytes away.
    data: bytes.slice(),
    ...(password !== undefined && { password }),
    BinaryDataFactory: PdfFiles,
    useWorkerFetch: false,
    disableWorkerRendering: true,
    cMapUrl: 'cmaps/',
    standardFontDataUrl: 'standard_fonts/',
    wasmUrl: 'wasm/',
    // What is wrong with a document is no error of the page.
    verbosity: 0,
  });
  try {
    const document = await task.promise;
    const { width, height } = (await document.getPage(1)).getViewport({ scale: PIXELS_PER_POINT });
    return { state: 'open', document, width, height };
  } catch (error) {
    await task.destroy();
    if (error instanceof PasswordException) return { state: 'locked', isWrong: error.code === PasswordResponses.INCORRECT_PASSWORD };
    if (error instanceof InvalidPDFException) return { state: 'broken' };
    throw error;
  }
}
