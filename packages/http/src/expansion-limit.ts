import { ServiceError } from '@sinebar/contracts';

/** Default of `SINEBAR_MAX_DECOMPRESSION_RATIO`: repetitive measurements reach 100, a file of zeros reaches 1,000. */
export const DEFAULT_MAX_EXPANSION = 200;
/** Size up to which the ratio is not checked. */
const UNCHECKED_BYTES = 8 * 2 ** 20;

/**
 * Guards against a small body that decompresses to a huge one.
 * @param decoder counts the compressed bytes
 * @param sizeBytes decompressed bytes so far
 * @returns a 413 error when the decompressed bytes are more than `maxExpansion` times the compressed ones
 */
export function expansionProblem(decoder: { bytesWritten: number }, sizeBytes: number, maxExpansion: number): ServiceError | undefined {
  if (sizeBytes <= UNCHECKED_BYTES || sizeBytes <= maxExpansion * decoder.bytesWritten) return undefined;
  return new ServiceError(
    'BodyTooLarge',
    `The body decompresses to more than ${maxExpansion} times its size, the limit of this server (SINEBAR_MAX_DECOMPRESSION_RATIO). ` +
      'Send it without Content-Encoding.',
  );
}
