import type { ImageKind } from './image-kind.js';

/** What the image process is asked for. */
export interface ImageJob {
  path: string;
  kind: ImageKind;
}

/** `pixels`: more than it may have; `damaged`: not what its first bytes promise; `unsupported`: this platform has no image library. */
export type Refusal = 'pixels' | 'damaged' | 'unsupported';

export type ImageOutcome = { bytes: Uint8Array; mimeType: 'image/jpeg' | 'image/png' } | { refused: Refusal };

/** What one image may cost. */
export interface ImageLimits {
  /** Of the image as it is stored. */
  pixels: number;
  /** Resident memory of the image process, bytes. */
  memoryBytes: number;
  /** From the request to the answer, milliseconds. */
  timeMs: number;
}
