/** A source of bytes, opened shortly before it is read. */
export interface AheadSource {
  sizeBytes: number;
  open: () => AsyncIterable<Buffer>;
}

export interface AheadLimits {
  /** Number of sources that are read at the same time, including the current one. */
  atOnce: number;
  /**
   * Up to this size a source is read as a whole before its turn. A larger one waits: half-read, it would hold a connection to the store for
   * a slow client.
   */
  wholeBytes: number;
}

/**
 * Reads small sources in parallel, so that many of them do not wait for the store one after the other.
 * @returns the bytes of each source, in order. The error of a source is thrown at its position; ending the loop early stops all reads.
 */
export async function* readAhead<T extends AheadSource>(
  sources: readonly T[],
  { atOnce, wholeBytes }: AheadLimits,
): AsyncGenerator<readonly [T, AsyncIterable<Buffer> | Iterable<Buffer>]> {
  const begun: (Promise<Buffer[]> | undefined)[] = [];
  let next = 0;
  let isOver = false;
  const whole = async (source: T): Promise<Buffer[]> => {
    const chunks: Buffer[] = [];
    for await (const chunk of source.open()) {
      if (isOver) break;
      chunks.push(chunk);
    }
    return chunks;
  };
  try {
    for (const source of sources) {
      while (next < sources.length && begun.length < atOnce) {
        const ahead = sources[next++] as T;
        const chunks = ahead.sizeBytes <= wholeBytes ? whole(ahead) : undefined;
        // Avoids an unhandled rejection: the error is thrown at the position of this source.
        chunks?.catch(() => undefined);
        begun.push(chunks);
      }
      yield [source, (await begun.shift()) ?? source.open()];
    }
  } finally {
    isOver = true;
  }
}
