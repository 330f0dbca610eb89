import { describe, expect, it } from '@jest/globals';
import { JsonBuffer } from './json-buffer.ts';

describe('JSON written as bytes', () => {
  it('separates items but not brackets, also across flushes', () => {
    const out = new JsonBuffer();
    const pieces: Buffer[] = [];
    out.text('[');
    for (const item of ['1', '"ü€😀"', '{}']) {
      out.separate();
      out.text(item);
      pieces.push(out.take());
    }
    out.text(']');
    pieces.push(out.take());
    expect(Buffer.concat(pieces).toString()).toBe('[1,"ü€😀",{}]');
  });

  it('writes no separator for a single item', () => {
    const out = new JsonBuffer();
    out.separate();
    out.text('{}');
    expect(out.take().toString()).toBe('{}');
  });

  it('grows with what is written, and does not change flushed bytes', () => {
    const out = new JsonBuffer();
    const texts = ['a', 'ß'.repeat(10_000), 'b'.repeat(100_000), '中'.repeat(70_000)];
    for (const text of texts) out.text(text);
    expect(out.length).toBe(Buffer.byteLength(texts.join('')));
    const taken = out.take();
    expect(out.length).toBe(0);
    out.text('x'.repeat(taken.length));
    expect(taken.toString()).toBe(texts.join(''));
  });

  it('reuses returned buffers completely', () => {
    const out = new JsonBuffer();
    out.text('a'.repeat(100_000));
    const first = out.take();
    out.text('b'.repeat(50_000));
    const second = out.take();
    out.giveBack(first);
    out.text('c'.repeat(100_000));
    const third = out.take();
    expect(third.buffer).toBe(first.buffer);
    expect(second.toString()).toBe('b'.repeat(50_000));
    expect(third.toString()).toBe('c'.repeat(100_000));
    out.giveBack(second);
    out.text('d'.repeat(500_000));
    expect(out.take().toString()).toBe('d'.repeat(500_000));
  });
});
