import type { Language } from '@sinebar/charts';
import type { AnyAttributeDefinition } from '@sinebar/client';

/** Mistake in a text that a reader has written for an attribute. */
export type TextProblem = 'number' | 'whole' | 'time' | 'tooLong';

/** Finds what is wrong with a text of an attribute, in the form of the interface; an empty text removes the attribute. */
export function problemOf(definition: AnyAttributeDefinition, text: string): TextProblem | undefined {
  if (text === '' || definition.definitionType === 'CatalogAttributeDefinition') return undefined;
  switch (definition.type) {
    case 'Float':
      return /^[+-]?(\d+(\.\d+)?|\.\d+)(e[+-]?\d+)?$/i.test(text) && Number.isFinite(Number(text)) ? undefined : 'number';
    case 'Integer':
      return /^[+-]?\d+$/.test(text) ? undefined : 'whole';
    case 'DateTime':
      return Number.isNaN(Date.parse(text)) ? 'time' : undefined;
    case 'AlphaNumeric':
      return definition.length !== undefined && text.length > definition.length ? 'tooLong' : undefined;
  }
}

/** Writes a number as a field shows it: with a decimal comma in German. */
export function shownNumber(text: string, language: Language): string {
  return language === 'de' ? text.replace('.', ',') : text;
}

/** Reads what was typed or pasted into a field for a number: with point or comma, without separators of thousands, with either minus. */
export function typedNumber(typed: string): string {
  const tidy = typed.replace(/[\s\u202f\u00a0]/g, '').replace('\u2212', '-');
  const decimal = Math.max(tidy.lastIndexOf('.'), tidy.lastIndexOf(','));
  const separator = tidy[decimal];
  // Where both are there, the one farther left separates thousands; a separator that comes twice does so too.
  const isOfThousands = separator !== undefined && tidy.indexOf(separator) !== decimal;
  if (decimal < 0 || isOfThousands) return tidy.replace(/[.,]/g, '');
  return `${tidy.slice(0, decimal).replace(/[.,]/g, '')}.${tidy.slice(decimal + 1)}`;
}
