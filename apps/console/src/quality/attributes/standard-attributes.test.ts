import { describe, expect, it } from '@jest/globals';
import { inLanguage } from './standard-attributes';

const nominal = (description: string) => ({ definitionType: 'AttributeDefinition', key: 2101, description, type: 'Float' }) as const;

describe('names of standard attributes', () => {
  it('are shown in the language of the reader', () => {
    expect(inLanguage('characteristic', nominal('Nominal value'), 'de').description).toBe('Nennmaß');
    expect(inLanguage('characteristic', nominal('Nennmaß'), 'en').description).toBe('Nominal value');
  });

  it('stay as a plant has written them', () => {
    expect(inLanguage('characteristic', nominal('Set point'), 'de').description).toBe('Set point');
    expect(inLanguage('part', nominal('Nominal value'), 'de').description).toBe('Nominal value');
  });
});
