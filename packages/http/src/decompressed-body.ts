import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, type BrotliDecompress, type Gunzip, type Inflate } from 'node:zlib';
import { errorCode } from '@sinebar/concurrency';
import { ServiceError } from '@sinebar/contracts';
import { DEFAULT_MAX_EXPANSION, expansionProblem } from './expansion-limit.ts';
import { sendContinue } from './http-server.ts';

/**
 * Reads a body that is plain or compressed with gzip, deflate or br.
 * @param maxExpansion maximum ratio of decompressed to compressed bytes
 * @throws ServiceError 400 the bytes do not agree with the coding or end early, 413 they expand too much, 415 another coding
 * @throws the signal's reason
 */
export async function* decompressedBody(
  request: IncomingMessage,
  signal: AbortSignal,
  maxExpansion = DEFAULT_MAX_EXPANSION,
): AsyncGenerator<Buffer, void, undefined> {
  const decoder = decoderOf(request);
  sendContinue(request);
  const source: Readable = decoder ?? request;
  const onAbort = () => source.destroy(signal.reason as Error);
  signal.addEventListener('abort', onAbort, { once: true });
  let size = 0;
  let chunks: AsyncIterator<Buffer> | undefined;
  try {
    // A refused request stays open so that its client can still read the answer.
    chunks = source.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
    for (;;) {
      const next = await chunks.next().catch((error: unknown) => {
        throw signal.aborted ? error : bodyProblem(error, request);
      });
      if (next.done === true) return;
      size += next.value.length;
      const problem = decoder && expansionProblem(decoder, size, maxExpansion);
      if (problem) throw problem;
      yield next.value;
    }
  } finally {
    await chunks?.return?.();
    signal.removeEventListener('abort', onAbort);
    if (decoder) {
      request.unpipe();
      decoder.destroy();
    }
  }
}

function bodyProblem(error: unknown, request: IncomingMessage): ServiceError {
  const code = errorCode(error);
  return code?.startsWith('Z_') === true || code?.startsWith('ERR__ERROR_FORMAT') === true
    ? new ServiceError('InvalidRequest', `The body does not agree with its Content-Encoding "${request.headers['content-encoding']}".`, {
        cause: error,
      })
    : new ServiceError('IncompleteBody', 'The body ended before it was complete. Send it again.', { cause: error });
}

/** Returns the decompressor of the body; `undefined` when it is not compressed. */
function decoderOf(request: IncomingMessage): Gunzip | Inflate | BrotliDecompress | undefined {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding === 'identity') return undefined;
  const decoders = { gzip: createGunzip, 'x-gzip': createGunzip, deflate: createInflate, br: createBrotliDecompress };
  const create = Object.hasOwn(decoders, encoding) ? decoders[encoding as keyof typeof decoders] : undefined;
  if (!create) {
    throw new ServiceError('UnsupportedMediaType', `Content-Encoding "${encoding}" is not supported. Use gzip, deflate or br.`);
  }
  const decoder = create();
  request.on('error', (error) => decoder.destroy(error));
  request.on('aborted', () => decoder.destroy(new Error('aborted')));
  return request.pipe(decoder);
}
