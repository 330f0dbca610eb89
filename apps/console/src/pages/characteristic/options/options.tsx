import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { Button } from '../../../design/controls/button';
import { ChoiceForm } from '../../../design/controls/choice-form';
import { useFormats, useTexts } from '../../../design/language/language';
import { OptionsLine, Rare } from '../../../design/layout/lines';
import { asEvaluated, type Evaluated } from '../evaluated';
import type { CharacteristicSearch } from '../search';
import { texts as pageTexts } from '../texts';
import { exclusionsOf, writtenExclusions } from '../view';
import { ChartForm } from './chart-form';
import { useChartText, useLimitsText, useRulesText } from './evaluated-texts';
import { useRangeText } from './range-text';
import { RulesForm } from './rules-form';
import { texts } from './texts';
import { TimeInput } from './time-input';
import styles from '../characteristic.module.css';
import textStyles from '../../../design/styles/text.module.css';

export interface OptionsProps {
  search: CharacteristicSearch;
  evaluated: Evaluated;
  /** Values in the range. */
  count: number;
  /** Further choices, below the others. */
  more: ReactNode;
  /** Opens the evaluation that holds for everybody. */
  evaluation?: ReactNode;
  /** Actions at the right. */
  children?: ReactNode;
}

/** The line of choices: each opens a small form; the address keeps what is chosen. */
export function Options({ search, evaluated, count, more, evaluation, children }: OptionsProps) {
  const navigate = useNavigate();
  const formats = useFormats();
  const t = useTexts(texts);
  const words = useTexts(pageTexts);
  const [chartText, rulesText, limitsText] = [useChartText(), useRulesText(), useLimitsText()];
  const choose = (next: CharacteristicSearch) => void navigate({ to: '.', search: next, resetScroll: false });
  const { leftOut } = evaluated;
  return (
    <OptionsLine actions={children}>
      <ChoiceForm label={t.range} value={useRangeText()(search, count)}>
        {(close) => <RangeForm search={search} onChoose={(next) => (choose(next), close())} />}
      </ChoiceForm>
      <Rare>
        <ChoiceForm label={t.chart} value={chartText(evaluated)}>
          {(close) => <ChartForm search={search} evaluated={evaluated} onChoose={(next) => (choose(next), close())} />}
        </ChoiceForm>
        <ChoiceForm label={words.rules} value={rulesText(evaluated.rules)}>
          {() => (
            <RulesForm
              chosen={evaluated.rules}
              onChoose={(list) => choose({ ...search, rules: list.length === 0 ? 'none' : list.join(',') })}
            />
          )}
        </ChoiceForm>
        <ChoiceForm label={words.limitsFrom} value={limitsText(evaluated)}>
          {(close) => <BaselineForm search={search} onChoose={(next) => (choose(next), close())} />}
        </ChoiceForm>
        <ChoiceForm label={t.excludedChoice} value={leftOut.length === 0 ? t.none : formats.count(leftOut.length)}>
          {() => (
            <>
              <p className={textStyles.explanation}>{t.excludedHint}</p>
              {leftOut.map(({ measurementUuid, reason, isKept }) => (
                <div key={measurementUuid} className={styles.formRow}>
                  <span className={styles.reason}>{reason === '' ? measurementUuid.slice(0, 8) : reason}</span>
                  {isKept ? (
                    <span className={textStyles.note}>{t.forEverybody}</span>
                  ) : (
                    <Button kind="quiet" onPress={() => choose(withoutExclusion(search, measurementUuid))}>
                      {t.include}
                    </Button>
                  )}
                </div>
              ))}
            </>
          )}
        </ChoiceForm>
        {evaluation}
        {evaluated.isChosen && (
          <Button kind="quiet" onPress={() => choose(asEvaluated(search))}>
            {t.asEvaluated}
          </Button>
        )}
      </Rare>
      {search.split === undefined && search.condition === undefined ? <Rare>{more}</Rare> : more}
    </OptionsLine>
  );
}

function withoutExclusion(search: CharacteristicSearch, measurementUuid: string): CharacteristicSearch {
  const { exclude: _, ...others } = search;
  const written = writtenExclusions(exclusionsOf(search).filter((other) => other.measurementUuid !== measurementUuid));
  return { ...others, ...(written !== undefined && { exclude: written }) };
}

interface FormProps {
  search: CharacteristicSearch;
  onChoose: (next: CharacteristicSearch) => void;
}

function RangeForm({ search, onChoose }: FormProps) {
  const t = useTexts(texts);
  const { from: _from, to: _to, newest: _newest, viewFrom: _viewFrom, viewTo: _viewTo, ...others } = search;
  const [from, setFrom] = useState(search.from);
  const [to, setTo] = useState(search.to);
  const [newest, setNewest] = useState(search.newest === undefined ? '' : String(search.newest));
  const [follow, setFollow] = useState(search.follow ?? false);
  const apply = () => {
    const { follow: _follow, ...rest } = others;
    onChoose({
      ...rest,
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
      ...(Number(newest) > 0 && { newest: Math.round(Number(newest)) }),
      ...(follow && { follow: true as const }),
    });
  };
  return (
    <>
      <TimeInput label={t.fromDate} value={from} onChange={setFrom} />
      <TimeInput label={t.toDate} value={to} onChange={setTo} />
      <label className={styles.formField}>
        {t.onlyNewest}
        <input type="number" min={1} max={5_000_000} value={newest} onChange={(event) => setNewest(event.target.value)} />
      </label>
      <label>
        <input type="checkbox" checked={follow} onChange={(event) => setFollow(event.target.checked)} />
        {t.follow}
      </label>
      <div className={styles.formRow}>
        <Button kind="quiet" onPress={() => onChoose(others)}>
          {t.everything}
        </Button>
        <Button kind="primary" onPress={apply}>
          {t.apply}
        </Button>
      </div>
    </>
  );
}

function BaselineForm({ search, onChoose }: FormProps) {
  const t = useTexts(texts);
  const words = useTexts(pageTexts);
  const { baselineFrom, baselineTo, ...others } = search;
  const [from, setFrom] = useState(baselineFrom);
  const [to, setTo] = useState(baselineTo);
  const frozen = (start: string | undefined, end: string | undefined) =>
    onChoose({ ...others, ...(start !== undefined && { baselineFrom: start }), ...(end !== undefined && { baselineTo: end }) });
  return (
    <>
      <p className={textStyles.explanation}>{t.frozenHint}</p>
      <TimeInput label={t.fromDate} value={from} onChange={setFrom} />
      <TimeInput label={t.toDate} value={to} onChange={setTo} />
      <div className={styles.formRow}>
        <Button kind="quiet" onPress={() => onChoose(others)}>
          {words.release}
        </Button>
        <Button
          isDisabled={search.viewFrom === undefined && search.viewTo === undefined}
          onPress={() => frozen(search.viewFrom, search.viewTo)}
        >
          {words.freezeView}
        </Button>
        <Button kind="primary" onPress={() => frozen(from, to)}>
          {t.apply}
        </Button>
      </div>
    </>
  );
}
