import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, type BrotliDecompress, type Gunzip, type Inflate } from 'node:zlib';
import { ServiceError } from '@sinebar/contracts';
import { DEFAULT_MAX_EXPANSION, expansionProblem } from '../expansion-limit.js';
import { parseJson } from './json-text.js';

export interface BodyLimits {
  /** Maximum bytes of one body after decompression. */
  bodyBytes: number;
  /** Maximum bytes of all bodies in memory. */
  inFlightBytes: number;
  /** Maximum ratio of decompressed to compressed bytes. */
  maxExpansion?: number;
}

/** Limits the bytes of all bodies in memory; above the limit requests answer 503. */
export class BodyBudget {
  private usedBytes = 0;
  private readonly limitBytes: number;

  constructor(limitBytes: number) {
    this.limitBytes = limitBytes;
  }

  get used(): number {
    return this.usedBytes;
  }

  take(bytes: number): void {
    if (this.usedBytes + bytes > this.limitBytes) {
      throw new ServiceError('Overloaded', 'too many large requests are being read at once; send the request again in a few seconds', {
        retryAfterSeconds: 2,
      });
    }
    this.usedBytes += bytes;
  }

  give(bytes: number): void {
    this.usedBytes -= bytes;
  }
}

/**
 * Reads a JSON body: `application/json` (or no content type), UTF-8, plain or compressed with gzip, deflate or br.
 * @param release receives a function that returns the body's bytes to the budget; call it when the body is no longer needed
 * @throws ServiceError 400, 413, 415 or 503
 * spec: decisions.md 2.4, 10.2
 */
export async function readJsonBody(
  request: IncomingMessage,
  limits: BodyLimits,
  budget: BodyBudget,
  signal: AbortSignal,
  release: (give: () => void) => void,
): Promise<unknown> {
  return parseJson(await readJsonBytes(request, limits, budget, signal, release));
}

/** Reads the bytes of a JSON body like {@link readJsonBody} but does not parse them. */
export async function readJsonBytes(
  request: IncomingMessage,
  limits: BodyLimits,
  budget: BodyBudget,
  signal: AbortSignal,
  release: (give: () => void) => void,
): Promise<Buffer> {
  checkContentType(request.headers['content-type']);
  const bytes = await readBytes(request, limits, budget, signal, release);
  if (bytes.length === 0) throw new ServiceError('InvalidRequest', 'the request needs a JSON body');
  return bytes;
}

function checkContentType(contentType: string | undefined): void {
  if (contentType === undefined) return;
  const [type = '', ...parameters] = contentType.toLowerCase().split(';');
  if (!/^\s*(application\/([\w.-]+\+)?json|text\/json)\s*$/.test(type)) {
    throw new ServiceError('UnsupportedMediaType', 'send the body as JSON with the header "Content-Type: application/json"');
  }
  for (const parameter of parameters) {
    const charset = /^\s*charset\s*=\s*"?([\w-]+)"?\s*$/.exec(parameter)?.[1];
    if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8' && charset !== 'us-ascii') {
      throw new ServiceError('UnsupportedMediaType', 'send the body in UTF-8');
    }
  }
}

async function readBytes(
  request: IncomingMessage,
  limits: BodyLimits,
  budget: BodyBudget,
  signal: AbortSignal,
  release: (give: () => void) => void,
): Promise<Buffer> {
  const tooLarge = () => new ServiceError('BodyTooLarge', `the body is larger than ${limits.bodyBytes} bytes; send it in several requests`);
  if (Number(request.headers['content-length'] ?? 0) > limits.bodyBytes) throw tooLarge();
  let taken = 0;
  release(() => {
    budget.give(taken);
    taken = 0;
  });
  const decoder = decoderOf(request);
  const source: Readable = decoder ?? request;
  const { maxExpansion = DEFAULT_MAX_EXPANSION } = limits;
  const onAbort = () => source.destroy(signal.reason as Error);
  signal.addEventListener('abort', onAbort, { once: true });
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // A refused request stays open so that its client can still read the answer.
    for await (const chunk of source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limits.bodyBytes) throw tooLarge();
      const problem = decoder && expansionProblem(decoder, size, maxExpansion);
      if (problem) throw problem;
      budget.take(chunk.length);
      taken += chunk.length;
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof ServiceError || signal.aborted) throw error;
    const compression =
      (error as NodeJS.ErrnoException).code?.startsWith('Z_') || (error as NodeJS.ErrnoException).code?.startsWith('ERR__ERROR_FORMAT');
    throw compression
      ? new ServiceError('InvalidRequest', `the body does not agree with its Content-Encoding "${request.headers['content-encoding']}"`, {
          cause: error,
        })
      : new ServiceError('IncompleteBody', 'the body ended before it was complete', { cause: error });
  } finally {
    signal.removeEventListener('abort', onAbort);
    if (decoder) {
      request.unpipe();
      decoder.destroy();
    }
  }
  return Buffer.concat(chunks);
}

/** Returns the decompressor of the body; `undefined` when it is not compressed. */
function decoderOf(request: IncomingMessage): Gunzip | Inflate | BrotliDecompress | undefined {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding === 'identity') return undefined;
  const decoders = { gzip: createGunzip, 'x-gzip': createGunzip, deflate: createInflate, br: createBrotliDecompress };
  const create = Object.hasOwn(decoders, encoding) ? decoders[encoding as keyof typeof decoders] : undefined;
  if (!create) {
    throw new ServiceError('UnsupportedMediaType', `Content-Encoding "${encoding}" is not supported; use gzip, deflate or br`);
  }
  const decoder = create();
  request.on('error', (error) => decoder.destroy(error));
  request.on('aborted', () => decoder.destroy(new Error('aborted')));
  return request.pipe(decoder);
}
