import { expect, it } from '@jest/globals';
import type { AttributeDefinition, Configuration } from '../../../configuration/configuration.ts';
import { ImportedAttributes } from './imported-attributes.ts';
import { CatalogKeys } from './imported-catalogs.ts';

const definition = (key: number, type: AttributeDefinition['type']): [number, AttributeDefinition] => [
  key,
  { key, entity: 'part', description: '', type, length: null, catalog: null },
];
const configuration: Configuration = {
  version: 1,
  catalogVersion: 1,
  definitions: new Map([definition(1002, 'Integer'), definition(1004, 'DateTime')]),
  entryKeys: new Map(),
  purging: new Set(),
};

it('leaves out what may not be written as a new value, with a warning [D2.2, D10.4]', () => {
  const attributes = new ImportedAttributes(configuration, new CatalogKeys());
  expect(attributes.of('part', { 1002: '2147483647', 1004: '2024-01-31T10:00+14:00' })).toEqual({
    1002: '2147483647',
    1004: '2024-01-31T10:00+14:00',
  });
  expect(attributes.warnings()).toEqual([]);
  expect(attributes.of('part', { 1002: '2147483648', 1004: '2024-01-31T10:00+14:30' })).toEqual({});
  expect(attributes.warnings()).toMatchObject([
    { key: 'K1002', message: expect.stringContaining('whole number from -2147483648 to 2147483647') },
    { key: 'K1004', message: expect.stringContaining('offset must be from -14:00 to +14:00') },
  ]);
});
