import { useFormats, useTexts } from '../../../design/language/language';
import { useConfiguration } from '../../../quality/attributes/configuration';
import type { Evaluated } from '../evaluated';
import { texts as pageTexts } from '../texts';
import { useSpanText } from './range-text';
import { texts } from './texts';

/** Names rules in short: `Nelson 1, 2, 3`; a length of its own stands behind a rule: `2 of 7`. */
export function useRulesText(): (rules: readonly string[]) => string {
  const t = useTexts(texts);
  const words = useTexts(pageTexts);
  return (rules) => {
    const numbers = (prefix: string) =>
      rules
        .filter((rule) => rule.startsWith(prefix))
        .map((rule) => {
          const [name = '', length] = rule.slice(prefix.length).split(':');
          return length === undefined ? name : t.ruleOfLength(name, length);
        })
        .join(', ');
    const [nelson, western] = [numbers('nelson'), numbers('westernElectric')];
    const named = [nelson && t.nelsonRules(nelson), western && t.westernRules(western)].filter((part) => part !== '');
    return named.length === 0 ? words.noRules : named.join('; ');
  };
}

/** Says which values are a subgroup: `of 5`, or `by Batch`; empty for single values. */
export function useSubgroupsText(): (evaluated: Pick<Evaluated, 'subgroups'>) => string {
  const formats = useFormats();
  const t = useTexts(texts);
  const { configuration } = useConfiguration();
  return ({ subgroups: { by, size = 1 } }) => {
    if (by !== undefined) return t.groupedBy(configuration.byKey.get(by)?.description ?? String(by));
    return size === 1 ? '' : t.groupedOf(formats.count(size));
  };
}

/** Names chart and subgroups: `individuals`, `X̄ and R, of 5`. */
export function useChartText(): (evaluated: Pick<Evaluated, 'chart' | 'subgroups'>) => string {
  const words = useTexts(pageTexts);
  const subgroups = useSubgroupsText();
  return (evaluated) => [words[`chart_${evaluated.chart}`], subgroups(evaluated)].filter((part) => part !== '').join(', ');
}

/** Says what the control limits follow from. */
export function useLimitsText(): (evaluated: Pick<Evaluated, 'limits' | 'stageFrom'>) => string {
  const t = useTexts(texts);
  const span = useSpanText();
  return ({ limits, stageFrom }) => {
    if (limits.kind === 'given') return t.limitsGiven;
    if (limits.kind === 'baseline') return span(limits.from, limits.to);
    return stageFrom === undefined ? t.limitsAll : span(stageFrom, undefined);
  };
}
