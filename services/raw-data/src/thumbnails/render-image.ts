import { buffer } from 'node:stream/consumers';
import { ServiceError } from '@sinebar/contracts';
import type { Spool } from '@sinebar/runtime';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { RawDataObject } from '../objects/raw-data-object.ts';
import { HEAD_BYTES, imageKind, type ImageKind } from './image-kind.ts';
import { NoThumbnailError, type ThumbnailMaker } from './thumbnail-maker.ts';

export interface RenderDependencies {
  blobs: BlobStore;
  spool: Spool;
  maker: Pick<ThumbnailMaker, 'make'>;
}

type Content = Pick<RawDataObject, 'objectName' | 'sizeBytes'>;

/** Size limit in bytes of files that are rendered. SVG is read as a whole. */
const MAX_SOURCE_BYTES = 256 * 2 ** 20;
const MAX_SVG_BYTES = 8 * 2 ** 20;

/**
 * Renders the image of a file as a thumbnail, or with `maxBytes` as a drawing for paper.
 * @throws NoThumbnailError; BlobMissingError; ServiceError 503; the signal's reason
 */
export async function renderImage(
  { blobs, spool, maker }: RenderDependencies,
  content: Content,
  { maxBytes, signal }: { maxBytes?: number; signal: AbortSignal },
): Promise<{ bytes: Uint8Array; mimeType: string }> {
  const kind = await detectKind(blobs, content, signal);
  const { objectName, sizeBytes } = content;
  try {
    const source = await spool.receive(await blobs.get(objectName, undefined, signal), {
      limitBytes: sizeBytes,
      announcedBytes: sizeBytes,
      signal,
    });
    try {
      return await maker.make({ path: source.path, kind, ...(maxBytes !== undefined && { maxBytes }) }, signal);
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
async function detectKind(blobs: BlobStore, { objectName, sizeBytes }: Content, signal: AbortSignal): Promise<ImageKind> {
  const range = { first: 0, last: Math.min(sizeBytes, HEAD_BYTES) - 1 };
  const kind = sizeBytes === 0 ? undefined : imageKind(await buffer(await blobs.get(objectName, range, signal)));
  if (kind === undefined) throw new NoThumbnailError('it is no JPEG, PNG, WebP, GIF, AVIF, TIFF or SVG image');
  const limit = kind === 'svg' ? MAX_SVG_BYTES : MAX_SOURCE_BYTES;
  if (sizeBytes > limit) throw new NoThumbnailError(`it is larger than ${limit} bytes`);
  return kind;
}
