import type { ConditionOperator } from '@sinebar/query-language';
import { useId, useState } from 'react';
import { Button } from '../../../design/controls/button';
import { useTexts } from '../../../design/language/language';
import { instantOf, localOf } from '../../../design/language/local-time';
import { entryText } from '../../../quality/attributes/attribute-text';
import type { Configuration } from '../../../quality/attributes/configuration';
import { takesList, whyUnwritable, type ConditionFields } from './condition-text';
import { fieldOf, operatorsOf, OPERATORS, type ConditionField } from './condition-words';
import styles from './conditions.module.css';
import { texts } from '../texts';
import { useConditionFields, useOperatorName } from './use-condition-text';
import checkStyles from '../../../design/controls/check.module.css';

export interface ConditionEditorProps {
  /** Condition to change; a new one without it. */
  condition?: ConditionFields;
  configuration: Configuration;
  onApply: (condition: ConditionFields) => void;
  onCancel: () => void;
}

/** Fields of one condition: what is compared, how, and with what. */
export function ConditionEditor({ condition, configuration, onApply, onCancel }: ConditionEditorProps) {
  const t = useTexts(texts);
  const id = useId();
  const operatorName = useOperatorName();
  const known = useConditionFields(configuration);
  const given = condition && fieldOf(condition, known);
  // A field without a definition, which an address may name, stays until the reader chooses another one.
  const fields = given && !known.some((each) => each.id === given.id) ? [...known, given] : known;
  const [fieldId, setFieldId] = useState(given?.id ?? fields[0]?.id ?? 'Created');
  const [operator, setOperator] = useState<ConditionOperator | undefined>(condition?.operator);
  const [values, setValues] = useState<readonly string[]>(condition?.values ?? []);
  const [problem, setProblem] = useState<string>();
  const field = fields.find((each) => each.id === fieldId) ?? known[0];
  if (field === undefined) return null;
  const used = operator ?? OPERATORS[field.type][0] ?? '=';

  const apply = () => {
    const made = {
      field: field.field,
      operator: used,
      values: takesList(used) ? values.filter((value) => value !== '') : values.slice(0, 1),
    };
    const why = whyUnwritable(made);
    if (why === undefined && (field.type !== 'time' || made.values.every((value) => instantOf(value) !== undefined))) onApply(made);
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
        onChange={(event) => setOperator(event.target.value as ConditionOperator)}
      >
        {operatorsOf(field.type, used).map((each) => (
          <option key={each} value={each}>
            {operatorName(each, field.type)}
          </option>
        ))}
      </select>
      <ValueFields
        field={field}
        operator={used}
        values={values}
        configuration={configuration}
        describedBy={`${id}problem`}
        onChange={setValues}
      />
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

interface ValueFieldsProps {
  field: ConditionField;
  operator: ConditionOperator;
  values: readonly string[];
  configuration: Configuration;
  describedBy: string;
  onChange: (values: readonly string[]) => void;
}

function ValueFields({ field, operator, values, configuration, describedBy, onChange }: ValueFieldsProps) {
  const t = useTexts(texts);
  const id = useId();
  if (field.type === 'catalog') {
    const catalog = configuration.catalogs.get(field.catalog ?? '');
    const isMultiple = takesList(operator);
    return (
      <fieldset className={styles.entries} aria-describedby={describedBy}>
        <legend className={styles.label}>{t.value}</legend>
        {(catalog?.catalogEntries ?? []).map(({ key }) => {
          const text = String(key);
          return (
            <label key={key} className={styles.entry}>
              <input
                type={isMultiple ? 'checkbox' : 'radio'}
                className={checkStyles.check}
                name={id}
                checked={values.includes(text)}
                onChange={(event) => {
                  if (!isMultiple) onChange([text]);
                  else onChange(event.target.checked ? [...values, text] : values.filter((each) => each !== text));
                }}
              />
              {entryText(catalog, text, field.name, configuration.byKey).text}
            </label>
          );
        })}
      </fieldset>
    );
  }
  const isLines = takesList(operator);
  return (
    <>
      <label className={styles.label} htmlFor={id}>
        {isLines ? t.values : t.value}
      </label>
      {isLines ? (
        <textarea
          id={id}
          className={`${styles.input} ${styles.lines}`}
          rows={4}
          aria-describedby={describedBy}
          value={values.join('\n')}
          onChange={(event) => onChange(event.target.value.split('\n'))}
        />
      ) : field.type === 'time' ? (
        <input
          id={id}
          className={styles.input}
          type="datetime-local"
          step="1"
          aria-describedby={describedBy}
          value={localOf(values[0] ?? '')}
          onChange={(event) => onChange([instantOf(event.target.value) ?? ''])}
        />
      ) : (
        <input
          id={id}
          className={styles.input}
          type="text"
          inputMode={field.type === 'number' ? 'decimal' : 'text'}
          aria-describedby={describedBy}
          value={values[0] ?? ''}
          // A decimal comma is what German keyboards have; the interface takes a point.
          onChange={(event) => onChange([field.type === 'number' ? event.target.value.replace(',', '.') : event.target.value])}
        />
      )}
    </>
  );
}
