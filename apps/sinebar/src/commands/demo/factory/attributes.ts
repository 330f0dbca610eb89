import type { AnyAttributeDefinition, AttributeOwner } from '@sinebar/client';
import { definitionsOfKeys, KEY } from '../attributes.ts';

/** Keys of standard attributes that the factory has besides those of the car door. */
export const FACTORY_KEY = {
  material: 1032,
  decimals: 2022,
  characteristicType: 12_004,
  batch: 6,
  cavity: 7,
  text: 9,
  sampleSize: 20,
} as const;

/** Result in words, which is no standard attribute. */
export const RESULT_IN_WORDS: AnyAttributeDefinition & { key: number } = {
  definitionType: 'AttributeDefinition',
  key: 9001,
  description: 'Befund',
  type: 'AlphaNumeric',
  length: 80,
};

const standard = definitionsOfKeys([...Object.values(KEY), ...Object.values(FACTORY_KEY)]);

export const FACTORY_DEFINITIONS: Readonly<Record<AttributeOwner, readonly AnyAttributeDefinition[]>> = {
  ...standard,
  value: [...standard.value, RESULT_IN_WORDS],
};
