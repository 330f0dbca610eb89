import { beforeEach, describe, expect, it } from '@jest/globals';
import { WriterPause } from './writer-pause.ts';

const MANY = 10_000;

describe('the pause after a step over many values', () => {
  let nowMs: number;
  let pause: WriterPause;
  beforeEach(() => {
    nowMs = 0;
    pause = new WriterPause(() => nowMs);
  });

  it.each([
    [30, 120],
    [100, 400],
    [3000, 500],
  ])('is, after a step of %s ms, %s ms while others write', (stepMs, pauseMs) => {
    pause.noteCommit();
    nowMs += stepMs;
    expect(pause.after({ stepMs, values: MANY })).toBe(pauseMs);
  });

  it('is none after few values', () => {
    pause.noteCommit();
    expect(pause.after({ stepMs: 30, values: 200 })).toBe(0);
  });

  it('is none when nobody has written during the step', () => {
    expect(pause.after({ stepMs: 200, values: MANY })).toBe(0);
    pause.noteCommit();
    nowMs += 201;
    expect(pause.after({ stepMs: 200, values: MANY })).toBe(0);
  });

  it('is none when only the job itself has written, step after step', () => {
    for (let step = 0; step < 3; step += 1) {
      nowMs += 60;
      pause.noteCommit();
      pause.forgetCommit();
      expect(pause.after({ stepMs: 60, values: MANY })).toBe(0);
    }
  });

  it('is kept when the job itself has written after others', () => {
    pause.noteCommit();
    nowMs += 60;
    pause.noteCommit();
    pause.forgetCommit();
    expect(pause.after({ stepMs: 60, values: MANY })).toBe(240);
  });
});
