import { describe, expect, it } from '@jest/globals';
import { contentOf, draftOf, draftProblem, isSameDraft, MAX_TEXT, newDraft, type NoteSubject } from './note-subject';

const SUBJECT: NoteSubject = { partUuid: 'p', partName: 'Car door', partPath: '/Car door', characteristic: { uuid: 'c', name: 'Gap' } };
const TIME = { from: '2026-03-02T08:00:00Z', to: '2026-03-02T09:00:00Z' };

describe('the draft of a note', () => {
  it('is about the measurement that was chosen, else the time in view, else the whole item', () => {
    const measurement = { uuid: 'm', text: '20.01 mm' };
    expect(newDraft({ ...SUBJECT, measurement, time: TIME }).extent).toBe('measurement');
    expect(newDraft({ ...SUBJECT, time: TIME }).extent).toBe('time');
    expect(newDraft(SUBJECT).extent).toBe('whole');
  });

  it('is stored with what it is about, and nothing else', () => {
    const draft = { ...newDraft({ ...SUBJECT, measurement: { uuid: 'm', text: '' }, time: TIME }), text: ' Dropped. ', cause: 3 };
    expect(contentOf(draft)).toEqual({ text: 'Dropped.', cause: 3, measurementUuid: 'm' });
    expect(contentOf({ ...draft, extent: 'time' })).toEqual({ text: 'Dropped.', cause: 3, ...TIME });
    expect(contentOf({ ...draft, extent: 'whole', cause: undefined })).toEqual({ text: 'Dropped.' });
  });

  it('is that of a note which is read', () => {
    const note = { uuid: 'n', partUuid: 'p', characteristicUuid: 'c', from: TIME.from, text: 'Cold.', time: TIME.to };
    expect(contentOf(draftOf(note))).toEqual({ text: 'Cold.', from: TIME.from });
    expect(isSameDraft(draftOf(note), draftOf({ ...note, modified: TIME.to }))).toBe(true);
    expect(isSameDraft(draftOf(note), draftOf({ ...note, text: 'Warm.' }))).toBe(false);
  });

  it.each([
    ['needsText', { text: '  ' }],
    ['tooLong', { text: 'x'.repeat(MAX_TEXT + 1) }],
    ['needsFrom', { extent: 'time' as const, from: undefined }],
    ['wrongOrder', { extent: 'time' as const, from: TIME.to, to: TIME.from }],
    [undefined, { text: 'x'.repeat(MAX_TEXT) }],
  ])('has the problem %s', (problem, change) => {
    expect(draftProblem({ ...newDraft(SUBJECT), text: 'Dropped.', ...change })).toBe(problem);
  });
});
