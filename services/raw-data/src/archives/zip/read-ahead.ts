/** A source whose bytes are read in its turn, or a little earlier. */
export interface AheadSource {
  sizeBytes: number;
  open: () => AsyncIterable<Buffer>;
}

export interface AheadLimits {
  /** Sources that are read at the same time, the one whose turn it is included. */
  atOnce: number;
  /**
   * Up to this size a source is read as a whole before its turn. A larger one waits: half-read, it would hold a connection to the store for
   * a slow client.
   */
  wholeBytes: number;
}

/**
 * Reads small sources before their turn, so that many of them do not wait for the store one after the other.
 * @returns the bytes of each source, in order. A source that cannot be read fails in its turn; when the loop over them ends early, nothing
 * more is read.
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
        // Avoids an unhandled rejection: the error is thrown when its turn comes.
        chunks?.catch(() => undefined);
        begun.push(chunks);
      }
      yield [source, (await begun.shift()) ?? source.open()];
    }
  } finally {
    isOver = true;
  }
}
