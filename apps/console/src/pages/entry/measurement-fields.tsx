import type { AnyAttributeDefinition } from '@sinebar/client';
import { useState } from 'react';
import { QuietButton } from '../../design/controls/buttons';
import { useFormats, useTexts } from '../../design/language/language';
import { AttributeField } from '../../quality/attributes/attribute-field';
import type { Configuration } from '../../quality/attributes/configuration';
import styles from './entry.module.css';
import { texts } from './texts';

/** Keys of attributes of measurements. */
export const TIME_KEY = 4;
export const SERIAL_KEY = 14;
/** Marks figures over several measurements; it is never typed. */
const AGGREGATION_KEY = 99;

/** Attributes that are always offered: serial number, batch, machine, operator, cavity, order, gage. */
const USUAL: readonly number[] = [SERIAL_KEY, 6, 10, 8, 7, 53, 12];

export type MeasurementTexts = Readonly<Record<number, string>>;

export interface MeasurementFieldsProps {
  configuration: Configuration;
  fields: MeasurementTexts;
  onChange: (key: number, text: string) => void;
}

/** Attributes that can be entered: the usual ones in their order, then the others. */
export function enteredDefinitions({ of }: Configuration): AnyAttributeDefinition[] {
  const rank = ({ key }: AnyAttributeDefinition) => (USUAL.includes(key) ? USUAL.indexOf(key) : USUAL.length);
  return of('measurement')
    .filter(({ key }) => key !== AGGREGATION_KEY)
    .toSorted((one, other) => rank(one) - rank(other) || one.key - other.key);
}

/** What the values were measured on, when, by whom and with what. */
export function MeasurementFields({ configuration, fields, onChange }: MeasurementFieldsProps) {
  const t = useTexts(texts);
  const { count } = useFormats();
  const definitions = enteredDefinitions(configuration);
  const usual = definitions.filter(({ key }) => USUAL.includes(key));
  const [isAllShown, setAllShown] = useState(usual.length === 0);
  const shown = isAllShown ? definitions : definitions.filter(({ key }) => USUAL.includes(key) || (fields[key] ?? '') !== '');
  const hidden = definitions.length - shown.length;
  return (
    <fieldset className={styles.attributes}>
      <legend>{t.measurement}</legend>
      {shown.map((definition) => (
        <AttributeField
          key={definition.key}
          definition={definition}
          configuration={configuration}
          text={fields[definition.key] ?? ''}
          onChange={(text) => onChange(definition.key, text)}
        />
      ))}
      {hidden > 0 && (
        <span className={styles.more}>
          <QuietButton onPress={() => setAllShown(true)}>{t.more(count(hidden))}</QuietButton>
        </span>
      )}
    </fieldset>
  );
}
