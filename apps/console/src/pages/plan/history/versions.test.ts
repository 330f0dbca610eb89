import { describe, expect, it } from '@jest/globals';
import { commentFrom, readComment } from '../../../quality/editing/version-comment';
import { versionsOf } from './versions';

describe('the comment of a version', () => {
  it.each([
    [{ user: 'ada', reason: ' drawing C ' }, '[ada]: drawing C'],
    [{ user: 'ada', reason: '' }, '[ada]:'],
    [{ user: '', reason: 'drawing C' }, 'drawing C'],
    [{ user: '', reason: ' ' }, undefined],
  ])('%j is written as %j', (comment, text) => {
    expect(commentFrom(comment)).toBe(text);
  });

  it.each([
    ['[ada]: drawing C', { user: 'ada', reason: 'drawing C' }],
    ['[ada]:', { user: 'ada', reason: '' }],
    ['Attributes of an imported file', { user: '', reason: 'Attributes of an imported file' }],
    [undefined, { user: '', reason: '' }],
  ])('%j is read', (text, comment) => {
    expect(readComment(text)).toEqual(comment);
  });
});

describe('the versions of an item', () => {
  const state = (version: number, path: string, attributes: Record<string, string>, comment?: string) => ({
    uuid: 'a',
    path,
    attributes,
    version,
    timestamp: `2026-05-0${version}T08:00:00Z`,
    ...(comment !== undefined && { comment }),
  });
  const [now, middle, first] = versionsOf({
    ...state(5, 'PP:/New/Door/', { 1001: 'B', 1003: 'x' }, '[ada]: drawing C'),
    history: [state(3, 'P:/Door/', { 1001: 'B' }), state(1, 'P:/Old door/', { 1001: 'A', 1002: 'gone' })],
  });

  it('say who has changed what, when and why', () => {
    expect(now).toMatchObject({ user: 'ada', reason: 'drawing C', time: '2026-05-05T08:00:00Z', isCurrent: true, movedFrom: '/' });
    expect(now?.changes).toEqual([{ field: '1003', was: '', text: 'x' }]);
    expect(middle?.changes).toEqual(
      expect.arrayContaining([
        { field: 'name', was: 'Old door', text: 'Door' },
        { field: '1001', was: 'A', text: 'B' },
        { field: '1002', was: 'gone', text: '' },
      ]),
    );
  });

  it('begin with one without changes', () => {
    expect(first).toMatchObject({ version: 1, changes: [], isCurrent: false });
  });
});
