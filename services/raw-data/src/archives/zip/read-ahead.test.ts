import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { readAhead, type AheadSource } from './read-ahead.ts';

const SMALL = 10;
const LARGE = 1000;

interface Watched {
  sources: AheadSource[];
  /** Numbers of the sources in the order of opening and of ending. */
  opened: number[];
  ended: number[];
  mostOpen: () => number;
}

/** Sources of three chunks each, `0a`, `0b`, `0c`, `1a`, …; one fails where its second chunk would be. */
function watched(count: number, { failing, large = [] }: { failing?: number; large?: number[] } = {}): Watched {
  const opened: number[] = [];
  const ended: number[] = [];
  let most = 0;
  async function* chunks(i: number): AsyncGenerator<Buffer> {
    opened.push(i);
    most = Math.max(most, opened.length - ended.length);
    try {
      for (const letter of 'abc') {
        await turns(Math.random() * 4);
        if (i === failing && letter === 'b') throw new Error(`source ${i} is damaged`);
        yield Buffer.from(`${i}${letter}`);
      }
    } finally {
      ended.push(i);
    }
  }
  const sources = Array.from({ length: count }, (_, i) => ({ sizeBytes: large.includes(i) ? LARGE : SMALL, open: () => chunks(i) }));
  return { sources, opened, ended, mostOpen: () => most };
}

async function taken({ sources }: Watched, atOnce: number, stopAfter = Infinity, texts: string[] = []): Promise<string[]> {
  let read = 0;
  for await (const [source, content] of readAhead(sources, { atOnce, wholeBytes: SMALL })) {
    expect(sources.indexOf(source)).toBe(read);
    if (read++ === stopAfter) break;
    for await (const chunk of content) texts.push(chunk.toString());
  }
  return texts;
}

/** Waits some turns of the event loop. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await setImmediate();
}

/** More turns than all chunks of the sources that are read at once need. */
const settled = () => turns(200);
const textsOf = (...numbers: number[]) => numbers.flatMap((i) => [`${i}a`, `${i}b`, `${i}c`]);
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i);

describe('sources read ahead', () => {
  it.each([1, 3, 50])('arrive in order, with at most %i read at the same time', async (atOnce) => {
    const all = watched(20);
    expect(await taken(all, atOnce)).toEqual(textsOf(...upTo(20)));
    expect(all.mostOpen()).toBe(Math.min(atOnce, 20));
    expect(all.ended).toHaveLength(20);
  });

  it('are read completely in advance when they are small, and not at all when they are large', async () => {
    const all = watched(8, { large: [0, 2] });
    const iterator = readAhead(all.sources, { atOnce: 4, wholeBytes: SMALL });
    await settled();
    expect(all.opened).toEqual([]);
    const [, content] = (await iterator.next()).value as readonly [AheadSource, AsyncGenerator<Buffer>];
    expect(await content.next()).toEqual({ done: false, value: Buffer.from('0a') });
    await settled();
    expect(all.opened.sort()).toEqual([0, 1, 3]);
    expect(all.ended.sort()).toEqual([1, 3]);
    await content.return(undefined);
    await iterator.return(undefined);
    const mixed = watched(20, { large: [0, 3, 4, 19] });
    expect(await taken(mixed, 4)).toEqual(textsOf(...upTo(20)));
  });

  it('stop when the reader stops', async () => {
    const all = watched(20);
    expect(await taken(all, 4, 2)).toEqual(textsOf(0, 1));
    await settled();
    expect(all.opened.length).toBeLessThanOrEqual(6);
    expect(all.ended.sort()).toEqual(all.opened.sort());
  });

  it('fail in order, after all data before them', async () => {
    const all = watched(20, { failing: 2 });
    const texts: string[] = [];
    await expect(taken(all, 4, Infinity, texts)).rejects.toThrow('source 2 is damaged');
    expect(texts).toEqual(textsOf(0, 1));
    await settled();
    expect(all.ended.sort()).toEqual(all.opened.sort());
  });
});
