import { useTexts } from '../../../design/language/language';
import { texts } from './texts';
import styles from '../characteristic.module.css';

const NELSON = [1, 2, 3, 4, 5, 6, 7, 8];
const WESTERN = [1, 2, 3, 4];

/** Check boxes for the run rules; the length of a chosen rule stays as it is. */
export function RulesForm({ chosen, onChoose }: { chosen: readonly string[]; onChoose: (rules: string[]) => void }) {
  const t = useTexts(texts);
  const group = (prefix: string, numbers: readonly number[], name: (number: string) => string) =>
    numbers.map((number) => {
      const rule = `${prefix}${number}`;
      const known = chosen.find((other) => nameOf(other) === rule);
      const toggled = known === undefined ? [...chosen, rule].sort() : chosen.filter((other) => other !== known);
      return (
        <label key={rule}>
          <input type="checkbox" checked={known !== undefined} onChange={() => onChoose(toggled)} />
          {name(String(number))}
        </label>
      );
    });
  return (
    <>
      <div className={styles.ruleGrid}>{group('nelson', NELSON, t.nelsonRules)}</div>
      <div className={styles.ruleGrid}>{group('westernElectric', WESTERN, t.westernRules)}</div>
    </>
  );
}

function nameOf(rule: string): string {
  return rule.split(':')[0]!;
}
