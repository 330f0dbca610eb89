import type { IncomingMessage } from 'node:http';
import { ServiceError } from '@sinebar/contracts';
import { decompressedBody } from '../decompressed-body.ts';
import { parseJson } from './json-text.ts';

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
      throw new ServiceError('Overloaded', 'Too many large requests are being read at once. Send the request again in a few seconds.', {
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
 * Reads a JSON body of a type in {@link JSON_TYPE}, UTF-8, plain or compressed with gzip, deflate or br.
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
  if (bytes.length === 0) throw new ServiceError('InvalidRequest', 'The request needs a JSON body.');
  return bytes;
}

/** JSON, and what programs send that do not set a type: `fetch` and .NET the second, `curl -d` and PowerShell the third. */
const JSON_TYPE = /^(application\/([\w.-]+\+)?json|text\/json|text\/plain|application\/x-www-form-urlencoded|)$/;

/** Pages can send some of these types to other origins without a preflight; `BrowserGuard` refuses such requests. */
function checkContentType(contentType = ''): void {
  const [type = '', ...parameters] = contentType.toLowerCase().split(';');
  if (!JSON_TYPE.test(type.trim())) {
    throw new ServiceError('UnsupportedMediaType', 'Send the body as JSON with the header "Content-Type: application/json".');
  }
  for (const parameter of parameters) {
    const charset = /^\s*charset\s*=\s*"?([\w-]+)"?\s*$/.exec(parameter)?.[1];
    if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8' && charset !== 'us-ascii') {
      throw new ServiceError('UnsupportedMediaType', 'Send the body in UTF-8.');
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
  const tooLarge = () =>
    new ServiceError('BodyTooLarge', `The body is larger than ${limits.bodyBytes} bytes. Send it in several requests.`);
  if (Number(request.headers['content-length'] ?? 0) > limits.bodyBytes) throw tooLarge();
  let taken = 0;
  release(() => {
    budget.give(taken);
    taken = 0;
  });
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of decompressedBody(request, signal, limits.maxExpansion)) {
    size += chunk.length;
    if (size > limits.bodyBytes) throw tooLarge();
    budget.take(chunk.length);
    taken += chunk.length;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
