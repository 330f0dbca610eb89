import { beforeEach, describe, expect, it } from '@jest/globals';
import { Drafts } from './drafts';

describe('drafts of forms', () => {
  beforeEach(() => sessionStorage.clear());
  /** Leaves the page while two forms are open. */
  const leave = () => {
    const drafts = new Drafts(sessionStorage);
    drafts.hold('note', () => ({ user: 'anna', value: 'new tool' }));
    drafts.hold('entry', () => ({ user: 'anna', value: ['20'] }));
    drafts.keep();
    return drafts;
  };

  it('are found by the page that comes afterwards, until they are forgotten', () => {
    expect(leave().areKept()).toBe(true);
    const drafts = new Drafts(sessionStorage);
    expect([drafts.areKept(), drafts.find('note', 'anna'), drafts.find('entry', 'anna')]).toEqual([false, 'new tool', ['20']]);
    drafts.forget('note');
    expect([drafts.find('note', 'anna'), drafts.find('entry', 'anna')]).toEqual([undefined, ['20']]);
    drafts.forget('entry');
    expect(sessionStorage).toHaveLength(0);
  });

  it('are not given to another user', () => {
    leave();
    expect(new Drafts(sessionStorage).find('note', 'bob')).toBeUndefined();
  });

  it('have no form that was closed', () => {
    const drafts = new Drafts(sessionStorage);
    drafts.hold('note', () => ({ user: 'anna', value: 'new tool' }))();
    drafts.keep();
    expect(sessionStorage).toHaveLength(0);
  });

  it('are forgotten when the page stays', () => {
    const drafts = leave();
    drafts.stay();
    expect([drafts.areKept(), drafts.find('note', 'anna')]).toEqual([false, undefined]);
  });
});
