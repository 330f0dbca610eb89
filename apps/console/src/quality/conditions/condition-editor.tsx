import type { ConditionOperator, ItemField } from '@sinebar/query-language';
import { useId, useState } from 'react';
import { Button } from '../../design/controls/button';
import { useTexts } from '../../design/language/language';
import { instantOf } from '../../design/language/local-time';
import type { Configuration } from '../attributes/configuration';
import { takesList, whyUnwritable, type ConditionFields } from './condition-text';
import { fieldOf, operatorsOf, OPERATORS } from './condition-words';
import { DATE_CHOICES, rangeFrom, type DateChoice, type DateRange } from './date-ranges';
import { RangeFields, readRange, writtenRange } from './range-fields';
import styles from './conditions.module.css';
import { texts } from './texts';
import { useConditionFields, useOperatorName } from './use-condition-text';
import { ValueFields } from './value-fields';

export interface ConditionEditorProps {
  /** Condition to change, or the two of a range of time; a new one without any. */
  conditions?: readonly ConditionFields[];
  configuration: Configuration;
  /** The part whose measurements offer values to choose from. */
  partPath?: string | undefined;
  onApply: (conditions: readonly ConditionFields[]) => void;
  onCancel: () => void;
}

/** An operator of the interface, or a range of time, which two of them make. */
type Comparison = ConditionOperator | DateChoice;

/** Fields of one condition: what is compared, how, and with what. */
export function ConditionEditor({ conditions = [], configuration, partPath, onApply, onCancel }: ConditionEditorProps) {
  const t = useTexts(texts);
  const id = useId();
  const operatorName = useOperatorName();
  const known = useConditionFields(configuration);
  const [condition] = conditions;
  const range = rangeFrom(conditions);
  const given = condition && fieldOf(condition, known);
  // A field without a definition, which an address may name, stays until the reader chooses another one.
  const fields = given && !known.some((each) => each.id === given.id) ? [...known, given] : known;
  const [fieldId, setFieldId] = useState(given?.id ?? fields[0]?.id ?? 'Created');
  const [operator, setOperator] = useState<Comparison | undefined>(range?.choice ?? condition?.operator);
  const [values, setValues] = useState<readonly string[]>(range ? writtenRange(range) : (condition?.values ?? []));
  const [problem, setProblem] = useState<string>();
  const field = fields.find((each) => each.id === fieldId) ?? known[0];
  if (field === undefined) return null;
  const offered: readonly Comparison[] = [
    ...(field.type === 'time' ? DATE_CHOICES : []),
    ...operatorsOf(field.type, operator === undefined || isDateChoice(operator) ? OPERATORS[field.type][0]! : operator),
  ];
  const used = operator ?? offered[0]!;

  const apply = () => {
    if (isDateChoice(used)) {
      const found = readRange(used, values);
      if (found === undefined) setProblem(t.noTime);
      else if (found.from >= found.to) setProblem(t.upsideDown);
      else onApply(conditionsOf(field.field, found));
      return;
    }
    const made = {
      field: field.field,
      operator: used,
      values: takesList(used) ? values.filter((value) => value !== '') : values.slice(0, 1),
    };
    const why = whyUnwritable(made);
    if (why === undefined && (field.type !== 'time' || made.values.every((value) => instantOf(value) !== undefined))) onApply([made]);
    else if (why === 'ambiguousBracket') setProblem(t.ambiguousBracket);
    else setProblem(field.type === 'time' ? t.noTime : field.type === 'catalog' ? t.noEntry : t.noValue);
  };

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <label className={styles.label} htmlFor={`${id}field`}>
        {t.field}
      </label>
      <select
        id={`${id}field`}
        className={styles.input}
        value={field.id}
        onChange={(event) => {
          setFieldId(event.target.value);
          setOperator(undefined);
          setValues([]);
          setProblem(undefined);
        }}
      >
        {fields.map((each) => (
          <option key={each.id} value={each.id}>
            {each.name}
          </option>
        ))}
      </select>
      <label className={styles.label} htmlFor={`${id}operator`}>
        {t.comparison}
      </label>
      <select
        id={`${id}operator`}
        className={styles.input}
        value={used}
        onChange={(event) => {
          const next = event.target.value as Comparison;
          // A day is written in another way than a time.
          if (isDateChoice(next) || isDateChoice(used)) setValues([]);
          setOperator(next);
          setProblem(undefined);
        }}
      >
        {offered.map((each) => (
          <option key={each} value={each}>
            {isDateChoice(each) ? t[each] : operatorName(each, field.type)}
          </option>
        ))}
      </select>
      {isDateChoice(used) ? (
        <RangeFields choice={used} values={values} describedBy={`${id}problem`} onChange={setValues} />
      ) : (
        <ValueFields
          field={field}
          operator={used}
          values={values}
          configuration={configuration}
          partPath={partPath}
          describedBy={`${id}problem`}
          onChange={setValues}
        />
      )}
      <p id={`${id}problem`} role="alert" className={styles.problem}>
        {problem}
      </p>
      <div className={styles.buttons}>
        <Button onPress={onCancel}>{t.cancel}</Button>
        <Button kind="primary" type="submit">
          {t.apply}
        </Button>
      </div>
    </form>
  );
}

function isDateChoice(comparison: Comparison): comparison is DateChoice {
  return DATE_CHOICES.some((choice) => choice === comparison);
}

function conditionsOf(field: ItemField, { from, to }: DateRange): ConditionFields[] {
  const written = (time: Date) => time.toISOString().replace('.000Z', 'Z');
  return [
    { field, operator: '>=', values: [written(from)] },
    { field, operator: '<', values: [written(to)] },
  ];
}
