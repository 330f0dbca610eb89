import { describe, expect, it } from '@jest/globals';
import type { ContentSource } from './content-source';
import { readContent, TooLargeError } from './read-content';

const never = new AbortController().signal;
/** A content of chunks; its size is known from the list of files, from the answer, or not at all. */
function sourceOf(chunks: readonly string[], known: 'list' | 'answer' | 'nowhere' = 'list') {
  const size = chunks.join('').length;
  const asked: (number | undefined)[] = [];
  let isCancelled = false;
  const source: ContentSource = {
    id: 'a',
    fileName: 'a.txt',
    mimeType: 'text/plain',
    sizeBytes: known === 'list' ? size : undefined,
    open: ({ first }) => {
      asked.push(first);
      const left = [...chunks];
      const stream = new ReadableStream<Uint8Array>(
        {
          pull: (controller) => {
            const chunk = left.shift();
            if (chunk === undefined) controller.close();
            else controller.enqueue(new TextEncoder().encode(chunk));
          },
          cancel: () => {
            isCancelled = true;
          },
        },
        { highWaterMark: 0 },
      );
      return Promise.resolve(new Response(stream, { headers: known === 'answer' ? { 'Content-Length': String(size) } : {} }));
    },
  };
  return { source, asked, isCancelled: () => isCancelled };
}
const textOf = ({ bytes }: { bytes: Uint8Array }) => new TextDecoder().decode(bytes);

describe('reading a content', () => {
  it('reads the whole and tells how far it is', async () => {
    const steps: unknown[] = [];
    const content = await readContent(sourceOf(['ab', 'cde']).source, { signal: never, onProgress: (...step) => steps.push(step) });
    expect(textOf(content)).toBe('abcde');
    expect(content).toMatchObject({ sizeBytes: 5, isWhole: true });
    expect(steps).toEqual([
      [2, 5],
      [5, 5],
    ]);
  });

  it('asks for the beginning only, and ends the request where the answer goes on', async () => {
    const { source, asked, isCancelled } = sourceOf(['ab', 'cde', 'f'], 'answer');
    const content = await readContent(source, { first: 4, signal: never });
    expect(textOf(content)).toBe('abcd');
    expect(content).toMatchObject({ sizeBytes: 6, isWhole: false });
    expect(asked).toEqual([4]);
    expect(isCancelled()).toBe(true);
  });

  it('knows a content that is shorter than its wanted beginning to be whole', async () => {
    expect(await readContent(sourceOf(['ab'], 'nowhere').source, { first: 4, signal: never })).toMatchObject({ isWhole: true });
  });

  it.each(['list', 'answer', 'nowhere'] as const)('refuses a content above the limit, whose size is known from: %s', async (known) => {
    const { source, isCancelled } = sourceOf(['ab', 'cde'], known);
    await expect(readContent(source, { maxBytes: 4, signal: never })).rejects.toThrow(TooLargeError);
    expect(isCancelled()).toBe(true);
  });

  it('does not ask for a file without bytes', async () => {
    const { source, asked } = sourceOf([]);
    expect(await readContent(source, { signal: never })).toMatchObject({ isWhole: true, sizeBytes: 0 });
    expect(asked).toEqual([]);
  });
});
