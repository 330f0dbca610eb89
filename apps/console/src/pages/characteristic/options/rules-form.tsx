import { useTexts } from '../../../design/language/language';
import { RUN_RULES, useRuleMeaning } from '../../../quality/values/run-rules';
import { texts } from './texts';
import styles from '../characteristic.module.css';

/** Check boxes for the run rules, each with a line that says what it means; the length of a chosen rule stays as it is. */
export function RulesForm({ chosen, onChoose }: { chosen: readonly string[]; onChoose: (rules: string[]) => void }) {
  const t = useTexts(texts);
  const meaningOf = useRuleMeaning();
  const names = { nelson: t.nelsonRules, westernElectric: t.westernRules };
  const rows = (Object.keys(RUN_RULES) as (keyof typeof RUN_RULES)[]).flatMap((group) =>
    RUN_RULES[group].map(([, usual], i) => {
      const rule = `${group}${i + 1}`;
      const known = chosen.find((other) => other.split(':')[0] === rule);
      const length = Number(known?.split(':')[1] ?? usual);
      return { rule, known, name: names[group](String(i + 1)), meaning: meaningOf({ group, number: i + 1, length }) };
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
