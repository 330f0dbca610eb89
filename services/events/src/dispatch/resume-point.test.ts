import { describe, expect, it } from '@jest/globals';
import { behindMessage, firstIndexBehind, MAX_BACKLOG_MESSAGES, metaOf, parseResumePoint, readFrom } from './resume-point.ts';
import { measurementsCreated } from '../test-changes.fixture.ts';

const state = { epoch: 'e', firstSequence: 5, lastSequence: 9 };

describe('the resume point of a client', () => {
  it('reads a message again when the client was cut off inside it, and leaves out what it had', () => {
    const point = { epoch: 'e', sequence: 7, index: 2 };
    expect(readFrom(point, state)).toEqual({ epoch: 'e', sequence: 6 });
    expect(firstIndexBehind(point, { epoch: 'e', sequence: 7 })).toBe(3);
    expect(firstIndexBehind(point, { epoch: 'e', sequence: 8 })).toBe(0);
  });

  it('resumes after a message that the client has completely', () => {
    expect(readFrom(behindMessage({ epoch: 'e', sequence: 7 }), state)).toEqual({ epoch: 'e', sequence: 7 });
    expect(readFrom(behindMessage({ epoch: 'e', sequence: 4 }), state)).toEqual({ epoch: 'e', sequence: 4 });
    expect(readFrom(behindMessage({ epoch: 'e', sequence: 0 }), { epoch: 'e', firstSequence: 1, lastSequence: 0 })).toEqual({
      epoch: 'e',
      sequence: 0,
    });
  });

  it.each([
    ['another stream', { epoch: 'other', sequence: 7, index: 0 }],
    ['a message that is no longer kept', { epoch: 'e', sequence: 4, index: 0 }],
    ['a place behind which messages are missing', behindMessage({ epoch: 'e', sequence: 3 })],
    ['a message that was never there', { epoch: 'e', sequence: 10, index: 0 }],
    ['message zero', { epoch: 'e', sequence: 0, index: 0 }],
  ])('finds no start for %s', (_, point) => {
    expect(readFrom(point, state)).toBeUndefined();
  });

  it('replays a limited number of messages', () => {
    const long = { epoch: 'e', firstSequence: 1, lastSequence: MAX_BACKLOG_MESSAGES + 1 };
    expect(readFrom(behindMessage({ epoch: 'e', sequence: 1 }), long)).toBeDefined();
    expect(readFrom(behindMessage({ epoch: 'e', sequence: 0 }), long)).toBeUndefined();
  });

  it('parses the sequences that it formats, and nothing else', () => {
    const { sequence } = metaOf(measurementsCreated(['1', '2']), { epoch: 'e', sequence: 7 }, 1);
    expect(parseResumePoint(sequence)).toEqual({ epoch: 'e', sequence: 7, index: 1 });
    for (const bad of [7, {}, [], true, '', 'e', 'e.7', 'e.7.x', 'e.-7.0', `e.7.${'1'.repeat(99)}`, '../e.1.1', 'e.7.0\n']) {
      expect([bad, parseResumePoint(bad)]).toEqual([bad, undefined]);
    }
  });
});
