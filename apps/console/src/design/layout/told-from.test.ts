import { describe, expect, it } from '@jest/globals';
import { lastWordsFrom, toldFrom } from './told-from';

describe('the words that tell a name from others', () => {
  it.each([
    ['Federbeinaufnahmen hinten links 003', ['Federbeinaufnahmen hinten rechts 004'], 'links 003'],
    ['Federbeinaufnahmen hinten links 003', ['Längsträger', 'Federbeinaufnahmen vorn 001'], 'hinten links 003'],
    ['Gap left', ['Gap right'], 'Gap left'],
    ['Federbeinaufnahmen 003', ['Federbeinaufnahmen 004'], '003'],
    ['Federbeinaufnahmen', ['Federbeinaufnahmen'], 'Federbeinaufnahmen'],
    ['Alone', [undefined], 'Alone'],
  ])('%s beside %j: %s', (name, others, told) => expect(name.slice(toldFrom(name, others))).toBe(told));

  it.each([
    ['Federbeinaufnahmen hinten links 003, Limousine', '003, Limousine'],
    ['Car door', 'Car door'],
    ['Federbeinaufnahmenverstärkung', 'Federbeinaufnahmenverstärkung'],
  ])('at its end: %s', (name, told) => expect(name.slice(lastWordsFrom(name, 16))).toBe(told));
});
