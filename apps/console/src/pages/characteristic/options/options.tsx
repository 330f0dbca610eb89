import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { Button } from '../../../design/controls/button';
import { ChoiceForm } from '../../../design/controls/choice-form';
import { useFormats, useTexts } from '../../../design/language/language';
import { instantOf, localOf } from '../../../design/language/local-time';
import type { CharacteristicSearch } from '../search';
import { texts } from '../texts';
import { exclusionsOf, rulesOf, writtenExclusions } from '../view';
import { ChartForm, RulesForm } from './chart-forms';
import styles from '../characteristic.module.css';
import textStyles from '../../../design/styles/text.module.css';

export interface OptionsProps {
  search: CharacteristicSearch;
  /** Values in the range. */
  count: number;
  /** Actions at the right. */
  children?: ReactNode;
}

/** The line of choices: each opens a small form; the address keeps what is chosen. */
export function Options({ search, count, children }: OptionsProps) {
  const navigate = useNavigate();
  const formats = useFormats();
  const t = useTexts(texts);
  const rules = useRulesText();
  const choose = (next: CharacteristicSearch) => void navigate({ to: '.', search: next, resetScroll: false });
  const excluded = exclusionsOf(search);
  const { baselineFrom, baselineTo } = search;
  const size = formats.count(search.subgroup ?? 1);
  const chart = (search.subgroup ?? 1) === 1 ? t.chartIndividuals : search.chart === 'xbarS' ? t.chartXbarS(size) : t.chartXbarR(size);
  return (
    <div className={styles.options}>
      <div className={styles.choices}>
        <ChoiceForm label={t.range} value={useRangeText()(search, count)}>
          {(close) => <RangeForm search={search} onChoose={(next) => (choose(next), close())} />}
        </ChoiceForm>
        <ChoiceForm label={t.chart} value={chart}>
          {(close) => <ChartForm search={search} onChoose={(next) => (choose(next), close())} />}
        </ChoiceForm>
        <ChoiceForm label={t.rules} value={rules(rulesOf(search))}>
          {() => (
            <RulesForm
              chosen={rulesOf(search)}
              onChoose={(list) => choose({ ...search, rules: list.length === 0 ? 'none' : list.join(',') })}
            />
          )}
        </ChoiceForm>
        <ChoiceForm
          label={t.limitsFrom}
          value={(baselineFrom ?? baselineTo) ? spanText(t, formats, baselineFrom, baselineTo) : t.limitsAll}
        >
          {(close) => <BaselineForm search={search} onChoose={(next) => (choose(next), close())} />}
        </ChoiceForm>
        <ChoiceForm label={t.excludedChoice} value={excluded.length === 0 ? t.none : formats.count(excluded.length)}>
          {() => (
            <>
              <p className={textStyles.explanation}>{t.excludedHint}</p>
              {excluded.map(({ measurementUuid, reason }) => (
                <div key={measurementUuid} className={styles.formRow}>
                  <span style={{ flex: 1 }}>{reason === '' ? measurementUuid.slice(0, 8) : reason}</span>
                  <Button
                    kind="quiet"
                    onPress={() => {
                      const rest = excluded.filter((other) => other.measurementUuid !== measurementUuid);
                      const { exclude: _, ...others } = search;
                      const written = writtenExclusions(rest);
                      choose({ ...others, ...(written !== undefined && { exclude: written }) });
                    }}
                  >
                    {t.include}
                  </Button>
                </div>
              ))}
            </>
          )}
        </ChoiceForm>
        <ChoiceForm label={t.condition} value={search.condition ?? t.none}>
          {(close) => <ConditionForm search={search} onChoose={(next) => (choose(next), close())} />}
        </ChoiceForm>
      </div>
      <div className={styles.actions}>{children}</div>
    </div>
  );
}

type Texts = ReturnType<typeof useTexts<(typeof texts)['en']>>;
type Formats = ReturnType<typeof useFormats>;

function spanText(t: Texts, formats: Formats, from: string | undefined, to: string | undefined): string {
  if (from !== undefined && to !== undefined) return t.fromTo(formats.day(from), formats.day(to));
  return from === undefined ? t.until(formats.day(to!)) : t.since(formats.day(from));
}

/** Says which values are shown: all, the newest, or those of a time. */
export function useRangeText(): (search: CharacteristicSearch, count: number) => string {
  const formats = useFormats();
  const t = useTexts(texts);
  return ({ from, to, newest }, count) => {
    const span = from === undefined && to === undefined ? undefined : spanText(t, formats, from, to);
    if (newest !== undefined) return [t.newestValues(formats.count(newest)), span].filter((part) => part !== undefined).join(', ');
    return span ?? t.allValues(formats.count(count));
  };
}

/** Names rules in short: `Nelson 1, 2, 3`. */
export function useRulesText(): (rules: readonly string[]) => string {
  const t = useTexts(texts);
  return (rules) => {
    const numbers = (prefix: string) =>
      rules
        .filter((rule) => rule.startsWith(prefix))
        .map((rule) => rule.slice(prefix.length))
        .join(', ');
    const [nelson, western] = [numbers('nelson'), numbers('westernElectric')];
    const named = [nelson && t.nelsonRules(nelson), western && t.westernRules(western)].filter((part) => part !== '');
    return named.length === 0 ? t.noRules : named.join('; ');
  };
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
          {t.release}
        </Button>
        <Button
          isDisabled={search.viewFrom === undefined && search.viewTo === undefined}
          onPress={() => frozen(search.viewFrom, search.viewTo)}
        >
          {t.freezeView}
        </Button>
        <Button kind="primary" onPress={() => frozen(from, to)}>
          {t.apply}
        </Button>
      </div>
    </>
  );
}

function ConditionForm({ search, onChoose }: FormProps) {
  const t = useTexts(texts);
  const { condition, viewFrom: _from, viewTo: _to, ...others } = search;
  const [text, setText] = useState(condition ?? '');
  return (
    <form
      className={styles.formField}
      onSubmit={(event) => {
        event.preventDefault();
        onChoose(text.trim() === '' ? others : { ...others, condition: text.trim() });
      }}
    >
      <label className={styles.formField}>
        {t.condition}
        <input value={text} onChange={(event) => setText(event.target.value)} />
      </label>
      <p className={textStyles.explanation}>{t.conditionHint}</p>
      <div className={styles.formRow}>
        <Button kind="quiet" onPress={() => onChoose(others)}>
          {t.release}
        </Button>
        <Button kind="primary" type="submit">
          {t.apply}
        </Button>
      </div>
    </form>
  );
}

interface TimeInputProps {
  label: string;
  /** An instant, which stays exact until the reader changes it. */
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

function TimeInput({ label, value = '', onChange }: TimeInputProps) {
  return (
    <label className={styles.formField}>
      {label}
      <input type="datetime-local" value={localOf(value)} onChange={(event) => onChange(instantOf(event.target.value))} />
    </label>
  );
}
