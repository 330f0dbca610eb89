import { EVALUATION_MODELS } from '@sinebar/client';
import { useState } from 'react';
import { Button } from '../../../design/controls/button';
import { useTexts } from '../../../design/language/language';
import { useConfiguration } from '../../../quality/attributes/configuration';
import { fitsSubgroups, type Evaluated } from '../evaluated';
import { CHARTS, type CharacteristicSearch } from '../search';
import { texts as pageTexts } from '../texts';
import { texts } from './texts';
import styles from '../characteristic.module.css';

const MAX_SUBGROUP = 500;
/** Size that is offered first. */
const USUAL_SUBGROUP = 5;
/** Key of the time of a measurement, by which nothing is grouped. */
const TIME = 4;
const METHODS = { single: ['movingRange', 'medianMovingRange'], groups: ['rbar', 'sbar', 'pooled'] } as const;

interface ChartFormProps {
  search: CharacteristicSearch;
  evaluated: Evaluated;
  onChoose: (next: CharacteristicSearch) => void;
}

/** Type of the chart, subgroups, model, sigma, convention and confidence, at first as the evaluation says. */
export function ChartForm({ search, evaluated, onChoose }: ChartFormProps) {
  const t = useTexts(texts);
  const words = useTexts(pageTexts);
  const { configuration } = useConfiguration();
  const { by, size = 1 } = evaluated.subgroups;
  const begun = by === undefined ? (size === 1 ? 'single' : 'size') : String(by);
  const [groups, setGroups] = useState(begun);
  const [written, setWritten] = useState(String(size === 1 ? USUAL_SUBGROUP : size));
  const wanted = Math.min(MAX_SUBGROUP, Math.max(2, Math.round(Number(written)) || 2));
  const [chosenChart, setChart] = useState(evaluated.chart);
  const [model, setModel] = useState(evaluated.model);
  const [sigma, setSigma] = useState<string>(search.sigma ?? '');
  const [convention, setConvention] = useState(search.convention ?? 'aiagVda');
  const [confidence, setConfidence] = useState(search.confidence ?? '0.95');
  const isSingle = groups === 'single';
  const chosenGroups = groups === 'single' ? { size: 1 } : groups === 'size' ? { size: wanted } : { by: Number(groups) };
  const isOfCounts = CHARTS.every((name) => name !== evaluated.chart) && groups === begun;
  const charts = [...(isOfCounts ? [evaluated.chart] : []), ...CHARTS.filter((name) => fitsSubgroups(name, chosenGroups))];
  const chart = charts.find((name) => name === chosenChart) ?? charts[0]!;
  const named = CHARTS.find((name) => name === chart);
  const methods: readonly string[] = isSingle ? METHODS.single : METHODS.groups;
  const apply = () => {
    const { subgroup: _1, by: _2, chart: _3, model: _4, sigma: _5, convention: _6, confidence: _7, viewFrom, viewTo, ...others } = search;
    const isSame = groups === begun && (groups !== 'size' || wanted === size);
    const grouping = isSingle ? { subgroup: 1 } : groups === 'size' ? { subgroup: wanted } : { by: Number(groups) };
    const kept = { ...(search.subgroup !== undefined && { subgroup: search.subgroup }), ...(search.by !== undefined && { by: search.by }) };
    const method = [...METHODS.single, ...METHODS.groups].find((name) => name === sigma && methods.includes(name));
    onChoose({
      ...others,
      ...(isSame && { ...kept, ...(viewFrom !== undefined && { viewFrom }), ...(viewTo !== undefined && { viewTo }) }),
      ...(!isSame && grouping),
      ...(named !== undefined && (named !== evaluated.chart || search.chart !== undefined) && { chart: named }),
      ...((model !== evaluated.model || search.model !== undefined) && { model }),
      ...(method !== undefined && { sigma: method }),
      ...(convention !== 'aiagVda' && { convention }),
      ...(confidence !== '0.95' && { confidence }),
    });
  };
  return (
    <>
      <label className={styles.formField}>
        {words.subgroups}
        <select value={groups} onChange={(event) => setGroups(event.target.value)}>
          <option value="single">{t.singleValues}</option>
          <option value="size">{t.consecutive}</option>
          {configuration
            .of('measurement')
            .filter(({ key }) => key !== TIME)
            .map(({ key, description }) => (
              <option key={key} value={String(key)}>
                {t.sameValueOf(description)}
              </option>
            ))}
        </select>
      </label>
      {groups === 'size' && (
        <label className={styles.formField}>
          {t.subgroupSize}
          <input type="number" min={2} max={MAX_SUBGROUP} value={written} onChange={(event) => setWritten(event.target.value)} />
        </label>
      )}
      <label className={styles.formField}>
        {t.chart}
        <select value={chart} onChange={(event) => setChart(charts.find((name) => name === event.target.value) ?? chart)}>
          {charts.map((name) => (
            <option key={name} value={name}>
              {words[`chart_${name}`]}
            </option>
          ))}
        </select>
      </label>
      <label className={styles.formField}>
        {t.model}
        <select value={model} onChange={(event) => setModel(EVALUATION_MODELS.find((name) => name === event.target.value) ?? model)}>
          {EVALUATION_MODELS.map((name) => (
            <option key={name} value={name}>
              {words[`model_${name}`]}
            </option>
          ))}
        </select>
      </label>
      <label className={styles.formField}>
        {t.sigma}
        <select value={sigma} onChange={(event) => setSigma(event.target.value)}>
          <option value="">{t.sigmaDefault}</option>
          {(isSingle ? METHODS.single : METHODS.groups).map((method) => (
            <option key={method} value={method}>
              {words[`from_${method}`]}
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
