import { beforeEach, describe, expect, it } from '@jest/globals';
import { WriterPause } from './writer-pause.ts';

const MANY = 10_000;

describe('the pause after a step over many values', () => {
  let nowMs: number;
  let writers: WriterPause;
  beforeEach(() => {
    nowMs = 0;
    writers = new WriterPause(() => nowMs);
  });

  it.each([
    [30, 120],
    [100, 400],
    [3000, 500],
  ])('is, after a step of %s ms, %s ms while others write', (stepMs, pauseMs) => {
    writers.noteCommit();
    nowMs += stepMs;
    expect(writers.pauseAfter({ stepMs, values: MANY })).toBe(pauseMs);
  });

  it('is none after few values', () => {
    writers.noteCommit();
    expect(writers.pauseAfter({ stepMs: 30, values: 200 })).toBe(0);
  });

  it('is none when nobody has written during the step', () => {
    expect(writers.pauseAfter({ stepMs: 200, values: MANY })).toBe(0);
    writers.noteCommit();
    nowMs += 201;
    expect(writers.pauseAfter({ stepMs: 200, values: MANY })).toBe(0);
  });

  it('is none when only the job itself has written, step after step', () => {
    for (let step = 0; step < 3; step += 1) {
      nowMs += 60;
      writers.noteCommit();
      writers.forgetCommit();
      expect(writers.pauseAfter({ stepMs: 60, values: MANY })).toBe(0);
    }
  });

  it('is kept when the job itself has written after others', () => {
    writers.noteCommit();
    nowMs += 60;
    writers.noteCommit();
    writers.forgetCommit();
    expect(writers.pauseAfter({ stepMs: 60, values: MANY })).toBe(240);
  });
});
