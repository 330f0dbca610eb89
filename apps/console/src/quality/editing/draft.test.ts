import { describe, expect, it } from '@jest/globals';
import { conflictsOf, draftedFields, keptField, reverseDraft, withText, withoutField } from './draft';

const STORED = { name: 'Gap', 2101: '20' };

describe('a draft of changes', () => {
  it('remembers the text that the server had', () => {
    expect(withText({}, '2101', '21', STORED)).toEqual({ 2101: { was: '20', text: '21' } });
  });

  it('keeps that text while the reader continues to type', () => {
    expect(withText({ 2101: { was: '19', text: '2' } }, '2101', '21', STORED)).toEqual({ 2101: { was: '19', text: '21' } });
  });

  it('is empty again when the text is that of the server', () => {
    expect(withText({ 2101: { was: '20', text: '21' } }, '2101', '20', STORED)).toEqual({});
  });

  it('changes nothing but the fields of the reader', () => {
    expect(draftedFields({ 2101: { was: '20', text: '21' } }, { ...STORED, 2142: 'mm' })).toEqual({ name: 'Gap', 2101: '21', 2142: 'mm' });
  });

  it('has no conflict while the server keeps its text', () => {
    expect(conflictsOf({ 2101: { was: '20', text: '21' } }, STORED)).toEqual([]);
  });

  it('has no conflict when somebody else wrote the same text', () => {
    expect(conflictsOf({ 2101: { was: '20', text: '21' } }, { 2101: '21' })).toEqual([]);
  });

  it('shows both texts when somebody else wrote another one', () => {
    expect(conflictsOf({ 2101: { was: '20', text: '21' } }, { 2101: '22' })).toEqual([
      { field: '2101', was: '20', mine: '21', theirs: '22' },
    ]);
  });

  it('sees a removed text as another one', () => {
    expect(conflictsOf({ 2101: { was: '20', text: '21' } }, {})).toEqual([{ field: '2101', was: '20', mine: '21', theirs: '' }]);
  });

  it('has no conflict any more once the reader keeps the own text', () => {
    const kept = keptField({ 2101: { was: '20', text: '21' } }, '2101', { 2101: '22' });
    expect(conflictsOf(kept, { 2101: '22' })).toEqual([]);
  });

  it('loses a field that the reader takes from the server', () => {
    expect(withoutField({ 2101: { was: '20', text: '21' } }, '2101')).toEqual({});
  });

  it('can be reversed after it was saved', () => {
    expect(reverseDraft({ 2101: '20', 2142: 'mm' }, { 2101: '21', 2110: '19', 2142: 'mm' })).toEqual({
      2101: { was: '21', text: '20' },
      2110: { was: '19', text: '' },
    });
  });
});
