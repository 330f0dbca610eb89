import { useState } from 'react';
import { Button } from '../../../design/controls/button';
import { useTexts } from '../../../design/language/language';
import type { CharacteristicSearch } from '../search';
import { texts } from '../texts';
import styles from '../characteristic.module.css';

const MAX_SUBGROUP = 500;
/** Largest subgroup whose range is worth as much as its standard deviation. */
const MAX_RANGE_SUBGROUP = 10;
const NELSON = [1, 2, 3, 4, 5, 6, 7, 8];
const WESTERN = [1, 2, 3, 4];

interface ChartFormProps {
  search: CharacteristicSearch;
  onChoose: (next: CharacteristicSearch) => void;
}

/** Type of the chart, size of subgroups, sigma, convention and confidence. */
export function ChartForm({ search, onChoose }: ChartFormProps) {
  const t = useTexts(texts);
  const {
    subgroup: _size,
    chart: _chart,
    sigma: _sigma,
    convention: _convention,
    confidence: _confidence,
    viewFrom,
    viewTo,
    ...others
  } = search;
  const [size, setSize] = useState(search.subgroup ?? 1);
  const [type, setType] = useState(search.chart ?? 'xbarR');
  const [sigma, setSigma] = useState<string>(search.sigma ?? '');
  const [convention, setConvention] = useState(search.convention ?? 'aiagVda');
  const [confidence, setConfidence] = useState(search.confidence ?? '0.95');
  const methods = size === 1 ? (['movingRange', 'medianMovingRange'] as const) : (['rbar', 'sbar', 'pooled'] as const);
  const apply = () => {
    const method = methods.find((name) => name === sigma);
    onChoose({
      ...others,
      ...(size === (search.subgroup ?? 1) && { ...(viewFrom !== undefined && { viewFrom }), ...(viewTo !== undefined && { viewTo }) }),
      ...(size > 1 && { subgroup: size, chart: type === 'individuals' ? 'xbarR' : type }),
      ...(method !== undefined && { sigma: method }),
      ...(convention !== 'aiagVda' && { convention }),
      ...(confidence !== '0.95' && { confidence }),
    });
  };
  return (
    <>
      <label className={styles.formField}>
        {t.subgroupSize}
        <input
          type="number"
          min={1}
          max={MAX_SUBGROUP}
          value={size}
          onChange={(event) => {
            const next = Math.min(MAX_SUBGROUP, Math.max(1, Math.round(Number(event.target.value)) || 1));
            setSize(next);
            setType(next > MAX_RANGE_SUBGROUP ? 'xbarS' : type);
          }}
        />
      </label>
      {size > 1 && (
        <label className={styles.formField}>
          {t.chart}
          <select value={type} onChange={(event) => setType(event.target.value === 'xbarS' ? 'xbarS' : 'xbarR')}>
            <option value="xbarR">{t.xbarR}</option>
            <option value="xbarS">{t.xbarS}</option>
          </select>
        </label>
      )}
      <label className={styles.formField}>
        {t.sigma}
        <select value={sigma} onChange={(event) => setSigma(event.target.value)}>
          <option value="">{t.sigmaDefault}</option>
          {methods.map((method) => (
            <option key={method} value={method}>
              {t[`from_${method}`]}
            </option>
          ))}
        </select>
      </label>
      <label className={styles.formField}>
        {t.convention}
        <select value={convention} onChange={(event) => setConvention(event.target.value === 'minitab' ? 'minitab' : 'aiagVda')}>
          <option value="aiagVda">{t.aiagVda}</option>
          <option value="minitab">{t.minitab}</option>
        </select>
      </label>
      <label className={styles.formField}>
        {t.confidence}
        <select
          value={confidence}
          onChange={(event) => setConfidence(event.target.value as NonNullable<CharacteristicSearch['confidence']>)}
        >
          {(['0.9', '0.95', '0.99'] as const).map((level) => (
            <option key={level} value={level}>
              {Math.round(Number(level) * 100)} %
            </option>
          ))}
        </select>
      </label>
      <div className={styles.formRow}>
        <Button kind="primary" onPress={apply}>
          {t.apply}
        </Button>
      </div>
    </>
  );
}

/** Check boxes for the run rules. */
export function RulesForm({ chosen, onChoose }: { chosen: readonly string[]; onChoose: (rules: string[]) => void }) {
  const t = useTexts(texts);
  const group = (prefix: string, numbers: readonly number[], name: (number: string) => string) =>
    numbers.map((number) => {
      const rule = `${prefix}${number}`;
      const isChosen = chosen.includes(rule);
      return (
        <label key={rule}>
          <input
            type="checkbox"
            checked={isChosen}
            onChange={() => onChoose(isChosen ? chosen.filter((other) => other !== rule) : [...chosen, rule].sort())}
          />
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
