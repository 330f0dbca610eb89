import type { ConditionOperator } from '@sinebar/query-language';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useFormats, useTexts } from '../../design/language/language';
import { instantOf, localOf } from '../../design/language/local-time';
import { attributeValuesQuery } from '../../server/queries/measurement-queries';
import { useServer } from '../../server/server';
import { entryText } from '../attributes/attribute-text';
import type { Configuration } from '../attributes/configuration';
import { takesList } from './condition-text';
import type { ConditionField } from './condition-words';
import { texts } from './texts';
import styles from './conditions.module.css';
import checkStyles from '../../design/controls/check.module.css';

interface ValueFieldsProps {
  field: ConditionField;
  operator: ConditionOperator;
  values: readonly string[];
  configuration: Configuration;
  partPath: string | undefined;
  describedBy: string;
  onChange: (values: readonly string[]) => void;
}

/** Most texts that are offered to choose from; more are written. */
const MAX_OFFERED = 60;

/** Fields for the values to compare with, by the type of the attribute. */
export function ValueFields(props: ValueFieldsProps) {
  const { field, operator, configuration } = props;
  const catalog = configuration.catalogs.get(field.catalog ?? '');
  if (field.type === 'catalog') {
    const entries = (catalog?.catalogEntries ?? []).map(({ key }) => {
      const value = String(key);
      return { value, name: entryText(catalog, value, field.name, configuration.byKey).text };
    });
    return <Entries {...props} entries={entries} />;
  }
  return field.type === 'text' && field.field.kind === 'attribute' && takesList(operator) ? (
    <TextValues {...props} attribute={field.field.key} />
  ) : (
    <WrittenValues {...props} />
  );
}

/** The texts that measurements have, where these are few enough to choose from. */
function TextValues({ attribute, ...props }: ValueFieldsProps & { attribute: number }) {
  const server = useServer();
  const t = useTexts(texts);
  const formats = useFormats();
  const { data, isPending } = useQuery(attributeValuesQuery(server, attribute, props.partPath));
  if (isPending) return <p className={styles.label}>{t.readingValues}</p>;
  const found = [...new Set([...(data ?? []).filter((value) => value !== ''), ...props.values])].sort(formats.compare);
  if (data === undefined || found.length === 0 || found.length > MAX_OFFERED) return <WrittenValues {...props} />;
  return <Entries {...props} entries={found.map((value) => ({ value, name: value }))} />;
}

function Entries({ operator, values, describedBy, onChange, entries }: ValueFieldsProps & { entries: { value: string; name: string }[] }) {
  const t = useTexts(texts);
  const id = useId();
  const isMultiple = takesList(operator);
  return (
    <fieldset className={styles.entries} aria-describedby={describedBy}>
      <legend className={styles.label}>{t.value}</legend>
      {entries.map(({ value, name }) => (
        <label key={value} className={styles.entry}>
          <input
            type={isMultiple ? 'checkbox' : 'radio'}
            className={checkStyles.check}
            name={id}
            checked={values.includes(value)}
            onChange={(event) => {
              if (!isMultiple) onChange([value]);
              else onChange(event.target.checked ? [...values, value] : values.filter((each) => each !== value));
            }}
          />
          {name}
        </label>
      ))}
    </fieldset>
  );
}

function WrittenValues({ field, operator, values, describedBy, onChange }: ValueFieldsProps) {
  const t = useTexts(texts);
  const id = useId();
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
