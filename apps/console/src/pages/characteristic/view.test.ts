import { describe, expect, it } from '@jest/globals';
import { search } from './search';
import { choiceOf, exclusionsOf, rulesOf, writtenExclusions } from './view';

const UUID = '91ab4d20-0000-4000-8000-000000000001';

describe('the address of a characteristic', () => {
  it('keeps reasons with any characters', () => {
    const exclude = [{ measurementUuid: UUID, reason: 'probe hit a weld spatter, twice: 3,5 mm' }];
    expect(exclusionsOf({ exclude: writtenExclusions(exclude) })).toEqual(exclude);
  });
  it('leaves out what is no uuid', () => {
    expect(exclusionsOf({ exclude: 'x:y' })).toEqual([]);
  });
  it('leaves out invalid parameters, so that an old link opens', () => {
    expect(search({ subgroup: '501', chart: 'pie', from: 'yesterday' })).toEqual({});
  });
  it('leaves what nobody chose to the evaluation', () => {
    expect(choiceOf({})).toEqual({});
  });
  it('asks for subgroups by an attribute', () => {
    expect(choiceOf(search({ by: '10', chart: 'ewma', model: 'weibull' }))).toEqual({ subgroupBy: 10, chart: 'ewma', model: 'weibull' });
  });
  it('asks for no rules where none are wanted', () => {
    expect(rulesOf({ rules: 'none' })).toEqual([]);
  });
  it('names the range as the server does', () => {
    expect(choiceOf({ newest: 500, condition: '14=[x]' })).toMatchObject({ limitResult: 500, searchCondition: '14=[x]' });
  });
});
