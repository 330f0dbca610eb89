import { describe, expect, it } from '@jest/globals';
import { PathScope, type Principal } from '@sinebar/access-control';
import { showComments } from './shown-comment.ts';
import type { ShownUsers } from './shown-users.ts';

const user = (name: string): Principal => ({ name, rightsKey: '', scopeOf: () => PathScope.EVERYTHING, holds: () => true });

describe('a comment of a version', () => {
  it.each<[ShownUsers, string, string | undefined]>([
    ['all', '[bob]: new drawing', '[bob]: new drawing'],
    ['own', '[ada]: new drawing', '[ada]: new drawing'],
    ['own', '[bob]: new drawing', 'new drawing'],
    ['own', '[Ada]: other case', 'other case'],
    ['none', '[ada]: new drawing', 'new drawing'],
    ['none', ' [bob] :\n[x]: two\nlines', '[x]: two\nlines'],
    ['none', '[bob [night]]: worn', 'worn'],
    ['none', '[bob]:', undefined],
    ['none', 'new drawing [bob]', 'new drawing [bob]'],
  ])('with the names of %s: %j is %j for ada', (shown, comment, seen) => {
    expect(showComments(shown)(comment, user('ada'))).toBe(seen);
  });
});
