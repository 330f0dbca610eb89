import type { ImageKind } from './image-kind.ts';

export interface ImageJob {
  path: string;
  /** A PDF is drawn on paper only. */
  kind: ImageKind | 'pdf';
  /** Most bytes of a drawing for paper; a thumbnail without it. */
  maxBytes?: number;
}

/**
 * `pixels`: too many; `damaged`: not the format of its first bytes; `unsupported`: this platform has no image library;
 * `size`: the first page of the PDF does not fit; `encrypted`: the PDF has a password or restrictions.
 */
export type Refusal = 'pixels' | 'damaged' | 'unsupported' | 'size' | 'encrypted';

export type ImageOutcome = { bytes: Uint8Array; mimeType: 'image/jpeg' | 'image/png' | 'application/pdf' } | { refused: Refusal };

export interface ImageLimits {
  /** Most pixels of the stored image. */
  pixels: number;
  /** Resident memory of the image process, bytes. */
  memoryBytes: number;
  /** Time from the request to the answer, milliseconds. */
  timeMs: number;
}
