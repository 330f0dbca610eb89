import { useFormats, useTexts } from '../../../design/language/language';
import { texts as ruleTexts } from './rule-texts';
import { texts } from './texts';
import styles from '../characteristic.module.css';

type Pattern = keyof (typeof ruleTexts)['en'];

/** Rules in the order of their numbers: what they look for, and in how many points. */
const RULES: Readonly<Record<'nelson' | 'westernElectric', readonly (readonly [pattern: Pattern, length: number])[]>> = {
  nelson: [
    ['beyondLimits', 1],
    ['oneSide', 9],
    ['steady', 6],
    ['alternating', 14],
    ['mostBeyond2', 3],
    ['mostBeyond1', 5],
    ['within1', 15],
    ['outside1', 8],
  ],
  westernElectric: [
    ['beyondLimits', 1],
    ['mostBeyond2', 3],
    ['mostBeyond1', 5],
    ['oneSide', 8],
  ],
};

/** Check boxes for the run rules, each with a line that says what it means; the length of a chosen rule stays as it is. */
export function RulesForm({ chosen, onChoose }: { chosen: readonly string[]; onChoose: (rules: string[]) => void }) {
  const t = useTexts(texts);
  const meanings = useTexts(ruleTexts);
  const formats = useFormats();
  const names = { nelson: t.nelsonRules, westernElectric: t.westernRules };
  const rows = (Object.keys(RULES) as (keyof typeof RULES)[]).flatMap((group) =>
    RULES[group].map(([pattern, usual], i) => {
      const rule = `${group}${i + 1}`;
      const known = chosen.find((other) => other.split(':')[0] === rule);
      const length = Number(known?.split(':')[1] ?? usual);
      return {
        rule,
        known,
        name: names[group](String(i + 1)),
        meaning: meanings[pattern](formats.count(length), formats.count(length - 1)),
      };
    }),
  );
  return (
    <>
      {rows.map(({ rule, known, name, meaning }) => (
        <label key={rule}>
          <input
            type="checkbox"
            checked={known !== undefined}
            onChange={() => onChoose(known === undefined ? [...chosen, rule].sort() : chosen.filter((other) => other !== known))}
          />
          <span className={styles.ruleName}>{name}</span>
          <span className={styles.meaning}>{meaning}</span>
        </label>
      ))}
    </>
  );
}
