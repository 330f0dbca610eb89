import { describe, expect, it } from '@jest/globals';
import { instantOf, localOf } from '../../design/language/local-time';
import { conditionFields, fieldOf, operatorsOf } from './condition-words';

const FIELDS = conditionFields(
  [
    { definitionType: 'AttributeDefinition', key: 4, description: 'Time', type: 'DateTime' },
    { definitionType: 'AttributeDefinition', key: 14, description: 'Serial number', type: 'AlphaNumeric' },
    { definitionType: 'AttributeDefinition', key: 55, description: 'Temperature', type: 'Float' },
    { definitionType: 'CatalogAttributeDefinition', key: 10, description: 'Machine', catalog: 'machines' },
  ],
  { lastModified: 'Changed', created: 'Written' },
);

describe('fields of search conditions', () => {
  it('have a type by their definition', () => {
    expect(FIELDS.map(({ id, type }) => `${id} ${type}`)).toEqual([
      '4 time',
      '14 text',
      '55 number',
      '10 catalog',
      'LastModified time',
      'Created time',
    ]);
  });

  it('without a definition are texts', () => {
    expect(fieldOf({ field: { kind: 'attribute', key: 99 }, operator: '=', values: ['x'] }, FIELDS)).toMatchObject({
      name: '99',
      type: 'text',
    });
  });

  it('offer an unusual operator that is in use', () => {
    expect(operatorsOf('catalog', '=')).toEqual(['In', 'NotIn', '=']);
  });

  it.each(['2026-05-04T06:30', '2026-05-04T06:30:15', '2026-05-04T06:30:15.125', '2026-05-04T06:30:00.001'])(
    'read back the time %s',
    (local) => {
      expect(localOf(instantOf(local) ?? '')).toBe(local);
    },
  );

  it('write times in UTC', () => {
    expect(instantOf('2026-05-04T06:30')).toMatch(/^2026-05-0[345]T\d\d:\d\d:00Z$/);
  });

  it('refuse what is no time', () => {
    expect(instantOf('')).toBeUndefined();
    expect(localOf('soon')).toBe('');
  });
});
