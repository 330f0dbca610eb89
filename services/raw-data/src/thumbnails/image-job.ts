import type { ImageKind } from './image-kind.ts';

export interface ImageJob {
  path: string;
  kind: ImageKind;
  /** Most bytes of a drawing for paper; a thumbnail without it. */
  maxBytes?: number;
}

/** `pixels`: too many; `damaged`: not the format of its first bytes; `unsupported`: this platform has no image library. */
export type Refusal = 'pixels' | 'damaged' | 'unsupported';

export type ImageOutcome = { bytes: Uint8Array; mimeType: 'image/jpeg' | 'image/png' } | { refused: Refusal };

export interface ImageLimits {
  /** Most pixels of the stored image. */
  pixels: number;
  /** Resident memory of the image process, bytes. */
  memoryBytes: number;
  /** Time from the request to the answer, milliseconds. */
  timeMs: number;
}
