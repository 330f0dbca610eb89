import { describe, expect, it } from '@jest/globals';
import { measurementsCreated, partCreated, partMoved } from '../test-changes.fixture.ts';
import { filterKey, isEverything, matchesFilters, parseFilter } from './event-filter.ts';

const ALL = { current: true, former: true };

describe('a subscription as clients send it', () => {
  it('selects everything when it is empty', () => {
    for (const input of [undefined, null, {}, { events: null, partPath: null }]) expect(isEverything(parseFilter(input))).toBe(true);
  });

  it('takes event names in any case, once each', () => {
    expect(parseFilter({ events: ['partcreated', 'PartCreated', 'MEASUREMENTDELETED'] }).events).toEqual([
      'MeasurementDeleted',
      'PartCreated',
    ]);
  });

  it('takes a part path with or without its slashes, and folds names as the plan does', () => {
    for (const partPath of ['/Line 1/Türe', 'line 1/türe/', '/LINE 1/TÜRE/'])
      expect(parseFilter({ partPath }).pathPrefix).toBe('pline 1/ptüre/');
    expect(parseFilter({ partPath: 'a\\/b' }).pathPrefix).toBe('pa\\/b/');
    for (const root of ['/', '']) expect(parseFilter({ partPath: root }).pathPrefix).toBe('');
  });

  it.each([
    ['an unknown event', { events: ['PartExploded'] }, '"PartExploded" is no event'],
    ['a name that every object has', { events: ['constructor'] }, '"constructor" is no event'],
    ['no event at all', { events: [] }, 'The list events is empty.'],
    ['a text for the list', { events: 'PartCreated' }, 'list of event names'],
    ['a number for a name', { events: [7] }, 'must be a text'],
    ['far too many names', { events: Array<string>(1000).fill('PartCreated') }, 'at most 100'],
    ['a number for the path', { partPath: 5 }, 'The member partPath must be a text.'],
    ['an empty name in the path', { partPath: '/a//b' }, 'partPath: A name is empty'],
    ['U+0000 in the path', { partPath: '/a\0' }, 'U+0000'],
    ['a backslash before nothing', { partPath: '/a\\' }, 'partPath:'],
    ['a path of a megabyte', { partPath: 'a'.repeat(1_000_000) }, 'at most 4000 characters'],
    ['a member with a typing error', { event: ['PartCreated'] }, 'The member "event" is unknown.'],
    ['a list', ['PartCreated'], 'an object'],
    ['a text', 'PartCreated', 'an object'],
  ])('refuses %s with a sentence', (_, input, sentence) => {
    expect(() => parseFilter(input)).toThrow(sentence);
  });
});

describe('what a subscription lets through', () => {
  it('everything without one', () => {
    expect(matchesFilters([], partCreated('1'), { current: true, former: false })).toBe(true);
    expect(matchesFilters([], partCreated('1'), { current: false, former: false })).toBe(false);
  });

  it('events that match any of several', () => {
    const filters = [parseFilter({ events: ['PartCreated'], partPath: 'a' }), parseFilter({ partPath: 'b' })];
    expect(matchesFilters(filters, partCreated('1', 'pa/px/'), ALL)).toBe(true);
    expect(matchesFilters(filters, measurementsCreated(['1'], 'pa/'), ALL)).toBe(false);
    expect(matchesFilters(filters, measurementsCreated(['1'], 'pb/'), ALL)).toBe(true);
    expect(matchesFilters(filters, partCreated('1', 'pab/'), ALL)).toBe(false);
  });

  it('a move into or out of the part, but not by a side that the client may not read', () => {
    const filters = [parseFilter({ partPath: 'secret' })];
    const moved = partMoved('psecret/', 'popen/');
    expect(matchesFilters(filters, moved, ALL)).toBe(true);
    expect(matchesFilters(filters, moved, { current: true, former: false })).toBe(false);
  });

  it('the same for the same filters in another order', () => {
    const a = parseFilter({ events: ['PartCreated', 'PartMoved'] });
    const b = parseFilter({ partPath: '/x/' });
    expect(filterKey([a, b])).toBe(filterKey([b, parseFilter({ events: ['PartMoved', 'PartCreated'] })]));
    expect(filterKey([a])).not.toBe(filterKey([b]));
  });
});
