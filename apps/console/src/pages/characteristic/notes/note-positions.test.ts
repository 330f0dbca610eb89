import type { ShownEntry } from '@sinebar/charts';
import { describe, expect, it } from '@jest/globals';
import type { Note } from '@sinebar/client';
import { notesAt, positionNotes, positionOf } from './note-positions';

const time = (minute: number) => new Date(Date.UTC(2026, 2, 2, 8, minute)).toISOString();
const entry = (position: number, count = 1): ShownEntry => ({
  position,
  count,
  from: time(position),
  to: time(position + count - 1),
  minimum: 1,
  mean: 1,
  maximum: 1,
  measurementUuids: count === 1 ? [`m${position}`] : [],
});
const SHOWN = { entries: [entry(0), entry(1), entry(2, 10), entry(12)], count: 13 };
const NONE: ReadonlyMap<string, string> = new Map();
const note = (about: Partial<Note>, text = 'x'): Note => ({ uuid: text, partUuid: 'p', text, time: time(0), ...about });

describe('the place of a note', () => {
  it('is the point of its measurement', () => {
    expect(positionOf(note({ measurementUuid: 'm1' }), SHOWN, NONE)).toEqual({ position: 1.5 });
  });

  it('is the group of points that its measurement is in', () => {
    expect(positionOf(note({ measurementUuid: 'm5' }), SHOWN, new Map([['m5', time(5)]]))).toEqual({ position: 7 });
  });

  it('is the stretch of its time, up to the newest where the time is open', () => {
    expect(positionOf(note({ from: time(1), to: time(5) }), SHOWN, NONE)).toEqual({ position: 1, end: 12 });
    expect(positionOf(note({ from: time(12) }), SHOWN, NONE)).toEqual({ position: 12, end: 13 });
  });

  it('is nowhere for a note about the whole, or about what is not in view', () => {
    expect(positionOf(note({}), SHOWN, NONE)).toBeUndefined();
    expect(positionOf(note({ measurementUuid: 'm99' }), SHOWN, NONE)).toBeUndefined();
    expect(positionOf(note({ from: time(30), to: time(40) }), SHOWN, NONE)).toBeUndefined();
  });
});

describe('placed notes', () => {
  it('share one mark where they are about the same point', () => {
    const notes = [note({ measurementUuid: 'm1' }, 'a'), note({ measurementUuid: 'm0' }, 'b'), note({ measurementUuid: 'm1' }, 'c')];
    expect(positionNotes(notes, SHOWN, NONE, ({ text }) => text)).toEqual([
      { position: 0.5, label: 'b' },
      { position: 1.5, label: 'a\n\nc' },
    ]);
  });

  it('are found at each point of their stretch', () => {
    const [span] = positionNotes([note({ from: time(1), to: time(5) })], SHOWN, NONE, ({ text }) => text);
    expect(SHOWN.entries.map((each) => notesAt([span!], each).length)).toEqual([0, 1, 1, 0]);
  });
});
