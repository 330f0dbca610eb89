import type { ContentSource } from './content-source';

/** Bytes of a content, as far as they were read. */
export interface Content {
  bytes: Uint8Array<ArrayBuffer>;
  /** Whole size in bytes, where it is known. */
  sizeBytes: number | undefined;
  /** Whether nothing is missing. */
  isWhole: boolean;
}

/** How much of a content is read. */
export interface ReadOptions {
  /** Only the beginning is wanted: its size in bytes. */
  first?: number | undefined;
  /** A larger content is not read. */
  maxBytes?: number | undefined;
  signal: AbortSignal;
  /** Called with the bytes read so far and the whole size, where it is known. */
  onProgress?: (readBytes: number, sizeBytes: number | undefined) => void;
}

/** A content is larger than wanted; nothing of it was kept. */
export class TooLargeError extends Error {
  readonly sizeBytes: number | undefined;

  constructor(sizeBytes: number | undefined) {
    super('The file is too large.');
    this.name = 'TooLargeError';
    this.sizeBytes = sizeBytes;
  }
}

/** Reads a content or its beginning. @throws TooLargeError above `maxBytes`; what the server or the connection says */
export async function readContent(source: ContentSource, { first, maxBytes, signal, onProgress }: ReadOptions): Promise<Content> {
  if (source.sizeBytes === 0) return { bytes: new Uint8Array(0), sizeBytes: 0, isWhole: true };
  const answer = await source.open({ first, signal });
  const sizeBytes = source.sizeBytes ?? sizeOf(answer);
  const reader = answer.body?.getReader();
  if (!reader) return { bytes: new Uint8Array(0), sizeBytes, isWhole: true };
  const refuse = async () => {
    await reader.cancel();
    throw new TooLargeError(sizeBytes);
  };
  if (maxBytes !== undefined && (sizeBytes ?? 0) > maxBytes) await refuse();
  const chunks: Uint8Array[] = [];
  let read = 0;
  let isEnded = false;
  while (!isEnded && read < (first ?? Number.POSITIVE_INFINITY)) {
    const { done, value } = await reader.read();
    isEnded = done;
    if (value === undefined) continue;
    chunks.push(value);
    read += value.length;
    if (maxBytes !== undefined && read > maxBytes) await refuse();
    onProgress?.(read, sizeBytes);
  }
  if (!isEnded) await reader.cancel();
  const bytes = new Uint8Array(Math.min(read, first ?? read));
  let at = 0;
  for (const chunk of chunks) {
    const part = chunk.subarray(0, bytes.length - at);
    bytes.set(part, at);
    at += part.length;
  }
  return { bytes, sizeBytes, isWhole: isEnded && (sizeBytes === undefined || read >= sizeBytes) };
}

/** Size of an answer that is not compressed on its way, bytes. */
function sizeOf({ headers }: Response): number | undefined {
  const length = headers.get('Content-Length');
  return length === null || headers.has('Content-Encoding') ? undefined : Number(length);
}
