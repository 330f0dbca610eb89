import { buffer } from 'node:stream/consumers';
import { ServiceError } from '@sinebar/contracts';
import type { Spool } from '@sinebar/runtime';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { RawDataObject } from '../objects/raw-data-object.ts';
import { HEAD_BYTES, imageKind, isPdfHead, type ImageKind } from './image-kind.ts';
import { NoThumbnailError, type ThumbnailMaker } from './thumbnail-maker.ts';

export interface RenderDependencies {
  blobs: BlobStore;
  spool: Spool;
  maker: Pick<ThumbnailMaker, 'make'>;
  /** Takes pages from PDFs; without it a PDF is no image. */
  pages?: Pick<ThumbnailMaker, 'make'>;
}

type Content = Pick<RawDataObject, 'objectName' | 'sizeBytes'>;

/** Size limit in bytes of files that are rendered. SVG and PDF are read as a whole. */
const MAX_SOURCE_BYTES = 256 * 2 ** 20;
const MAX_SVG_BYTES = 8 * 2 ** 20;
const MAX_PDF_BYTES = 64 * 2 ** 20;

/**
 * Renders the image of a file as a thumbnail, or with `maxBytes` as a drawing for paper.
 * @throws NoThumbnailError; BlobMissingError; ServiceError 503; the signal's reason
 */
export async function renderImage(
  { blobs, spool, maker, pages }: RenderDependencies,
  content: Content,
  { maxBytes, signal }: { maxBytes?: number; signal: AbortSignal },
): Promise<{ bytes: Uint8Array; mimeType: string }> {
  const kind = await detectKind(blobs, content, { mayBePdf: pages !== undefined, signal });
  const { objectName, sizeBytes } = content;
  try {
    const source = await spool.receive(await blobs.get(objectName, undefined, signal), {
      limitBytes: sizeBytes,
      announcedBytes: sizeBytes,
      signal,
    });
    try {
      const by = kind === 'pdf' && pages ? pages : maker;
      return await by.make({ path: source.path, kind, ...(maxBytes !== undefined && { maxBytes }) }, signal);
    } finally {
      await source.discard();
    }
  } catch (error) {
    // The error of a body limit is no answer to GET.
    if (error instanceof ServiceError && error.code === 'BodyTooLarge') throw new NoThumbnailError('this server has no room to read it');
    throw error;
  }
}

/** Reads only the first bytes of a file that is no image. */
async function detectKind(
  blobs: BlobStore,
  { objectName, sizeBytes }: Content,
  { mayBePdf, signal }: { mayBePdf: boolean; signal: AbortSignal },
): Promise<ImageKind | 'pdf'> {
  const range = { first: 0, last: Math.min(sizeBytes, HEAD_BYTES) - 1 };
  const head = sizeBytes === 0 ? Buffer.alloc(0) : await buffer(await blobs.get(objectName, range, signal));
  const kind = mayBePdf && isPdfHead(head) ? 'pdf' : imageKind(head);
  if (kind === undefined) throw new NoThumbnailError('it is no JPEG, PNG, WebP, GIF, AVIF, TIFF or SVG image');
  const limit = kind === 'svg' ? MAX_SVG_BYTES : kind === 'pdf' ? MAX_PDF_BYTES : MAX_SOURCE_BYTES;
  if (sizeBytes > limit) throw new NoThumbnailError(`it is larger than ${limit} bytes`);
  return kind;
}
