/**
 * Reads ahead `bytes` bytes or to the end of the source, so that a damaged small answer can still be refused.
 * @returns all bytes of the source in order; the caller reads it to the end or calls `return`
 */
export async function prefetched(source: AsyncGenerator<Buffer>, bytes: number): Promise<AsyncGenerator<Buffer>> {
  const ahead: Buffer[] = [];
  for (let read = 0; read < bytes;) {
    const next = await source.next();
    if (next.done) break;
    ahead.push(next.value);
    read += next.value.length;
  }
  return continued(ahead, source);
}

async function* continued(ahead: Buffer[], source: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  try {
    for (let chunk = ahead.shift(); chunk; chunk = ahead.shift()) yield chunk;
    yield* source;
  } finally {
    await source.return(undefined);
  }
}
