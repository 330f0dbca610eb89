import { PassThrough } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { startProgress, type ProgressStream } from './progress.ts';

/** Makes a stream that records what is written to it. */
function recorder(isTTY: boolean): { stream: ProgressStream; text: () => string } {
  let text = '';
  const stream = new PassThrough().setEncoding('utf8').on('data', (piece: string) => (text += piece));
  // Terminal members that a progress bar uses.
  const terminal = {
    isTTY,
    columns: 120,
    cursorTo: () => true,
    clearLine: () => true,
    moveCursor: () => true,
    getWindowSize: () => [120, 40],
  };
  return { stream: Object.assign(stream, terminal), text: () => text };
}

describe('progress', () => {
  it('is a line at the start, at the end and every five seconds without a terminal', () => {
    const { stream, text } = recorder(false);
    let time = 0;
    const progress = startProgress({ title: 'Writing', total: 40, stream, now: () => time });
    for (let i = 0; i < 40; i += 1) {
      time += 200;
      progress.advance();
    }
    progress.stop();
    expect(text()).toBe('Writing: 0 of 40\nWriting: 25 of 40\nWriting: 40 of 40\n');
  });

  it('reports where work was interrupted, in its own unit', () => {
    const { stream, text } = recorder(false);
    const progress = startProgress({ title: 'Copying', total: 2048, stream, format: (bytes) => `${bytes / 1024} KiB` });
    progress.advance(1024);
    progress.stop();
    progress.stop();
    expect(text()).toBe('Copying: 0 KiB of 2 KiB\nCopying: 1 KiB of 2 KiB\n');
  });

  it('reports the amount done when the total is unknown', () => {
    const { stream, text } = recorder(false);
    const progress = startProgress({ title: 'Reading', unit: 'parts', stream });
    progress.advance(3);
    progress.stop();
    expect(text()).toBe('Reading: 0 parts\nReading: 3 parts\n');
    const terminal = recorder(true);
    const bar = startProgress({ title: 'Reading', unit: 'parts', stream: terminal.stream });
    bar.advance(3);
    bar.stop();
    expect(terminal.text()).toMatch(/Reading \| 3 parts/);
  });

  it('is a bar on a terminal, and does not handle signals', () => {
    const { stream, text } = recorder(true);
    const before = process.listenerCount('SIGINT');
    const progress = startProgress({ title: 'Writing', total: 4, stream });
    progress.advance();
    expect(process.listenerCount('SIGINT')).toBe(before);
    progress.advance(3);
    progress.stop();
    expect(text()).toMatch(/Writing .*0 %.*0 of 4/);
    expect(text()).toMatch(/█ 100 % \| 4 of 4/);
  });
});
