import { useCallback } from 'react';
import { ruleMeaning, type NamedRule } from '@sinebar/charts';
import { useLocale } from '../../design/language/language';

export { readRule, RUN_RULES, type NamedRule } from '@sinebar/charts';

/** Returns a function that says what a rule looks for: `9 points in a row on one side of the centre line`. */
export function useRuleMeaning(): (rule: NamedRule) => string {
  const locale = useLocale();
  return useCallback((rule) => ruleMeaning(rule, locale), [locale]);
}
