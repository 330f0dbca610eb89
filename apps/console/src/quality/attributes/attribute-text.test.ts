import { formatsOf } from '@sinebar/charts';
import { describe, expect, it } from '@jest/globals';
import type { AnyAttributeDefinition, Catalog } from '@sinebar/client';
import { attributeText, numberText } from './attribute-text';

const MACHINES: Catalog = {
  uuid: 'machines',
  name: 'Machines',
  validAttributes: [4062, 4063],
  catalogEntries: [
    { key: 1, attributes: { 4062: 'M-101', 4063: 'CMM 2' } },
    { key: 2, attributes: { 4062: 'M-102' } },
    { key: 3, attributes: {} },
  ],
};
const DEFINITIONS: AnyAttributeDefinition[] = [
  { definitionType: 'AttributeDefinition', key: 4062, description: 'Machine number', type: 'AlphaNumeric' },
  { definitionType: 'AttributeDefinition', key: 4063, description: 'Machine', type: 'AlphaNumeric' },
];
const byKey = new Map(DEFINITIONS.map((definition) => [definition.key, definition]));
const catalogs = new Map([[MACHINES.uuid, MACHINES]]);
const machine: AnyAttributeDefinition = {
  definitionType: 'CatalogAttributeDefinition',
  key: 10,
  description: 'Machine',
  catalog: 'machines',
};
const simple = (type: 'Float' | 'Integer' | 'AlphaNumeric' | 'DateTime'): AnyAttributeDefinition => ({
  definitionType: 'AttributeDefinition',
  key: 1,
  description: 'x',
  type,
});

describe('text of an attribute', () => {
  it.each([
    ['20.0500', 'en', '20.0500'],
    ['20.0500', 'de', '20,0500'],
    ['-1234.5', 'de', '\u22121.234,5'],
    ['5000', 'en', '5,000'],
    ['1e-7', 'en', '1e-7'],
    ['1234567890.1234567', 'en', '1234567890.1234567'],
    ['', 'en', ''],
  ] as const)('shows the number %p in %s as %p', (text, language, shown) => {
    expect(numberText(text, formatsOf(language))).toBe(shown);
  });

  it.each([
    [simple('AlphaNumeric'), '0012.50', '0012.50'],
    [simple('Float'), '12.50', '12,50'],
    [simple('DateTime'), 'yesterday', 'yesterday'],
    [undefined, '7', '7'],
  ])('formats by the type of the definition', (definition, text, shown) => {
    expect(attributeText(definition, text, catalogs, byKey, formatsOf('de')).text).toBe(shown);
  });

  it('names the entry of a catalog by the attribute with the same name', () => {
    expect(attributeText(machine, '1', catalogs, byKey, formatsOf('en'))).toEqual({ text: 'CMM 2', note: '1' });
  });

  it('names an entry without that attribute by another one', () => {
    expect(attributeText(machine, '2', catalogs, byKey, formatsOf('en'))).toEqual({ text: 'M-102', note: '2' });
  });

  it.each(['3', '9'])('shows the key of entry %s, which has no text or does not exist', (key) => {
    expect(attributeText(machine, key, catalogs, byKey, formatsOf('en'))).toEqual({ text: key });
  });
});
