import type { AnyAttributeDefinition } from '@sinebar/client';
import { useState } from 'react';
import { Button } from '../../design/controls/button';
import { defineTexts, useFormats, useTexts } from '../../design/language/language';
import { PaneHead } from '../../design/page/pane-head';
import { AttributeField } from '../attributes/attribute-field';
import type { Configuration } from '../attributes/configuration';
import type { DraftState } from './use-draft';
import styles from './editing.module.css';

const texts = defineTexts({
  en: {
    attributes: 'Attributes',
    filled: (filled: string, all: string) => `${filled} of ${all} have a value`,
    was: (text: string) => `was ${text}`,
    wasEmpty: 'was empty',
    more: (count: string) => `Add attribute: show the ${count} without a value`,
    none: 'The server has no attributes of this kind. Define them under Administration.',
  },
  de: {
    attributes: 'Attribute',
    filled: (filled: string, all: string) => `${filled} von ${all} haben einen Wert`,
    was: (text: string) => `war ${text}`,
    wasEmpty: 'war leer',
    more: (count: string) => `Attribut hinzufügen: die ${count} ohne Wert zeigen`,
    none: 'Der Server hat keine Attribute dieser Art. Legen Sie sie unter Verwaltung an.',
  },
});

/** Up to so many attributes are shown with and without a value. */
const MAX_SHOWN = 24;

export interface AttributesFormProps {
  definitions: readonly AnyAttributeDefinition[];
  configuration: Configuration;
  state: DraftState;
  isReadOnly: boolean;
  /** Attributes that are shown also without a value. */
  important?: readonly number[];
  /** Unit of a number. */
  unitOf?: (key: number) => string | undefined;
  /** Shows the text of an attribute as a reader knows it. */
  textOf: (key: number, text: string) => string;
}

/** All attributes of an item as fields, in the order of their keys; what is changed shows what it was. */
export function AttributesForm({ definitions, configuration, state, isReadOnly, important = [], unitOf, textOf }: AttributesFormProps) {
  const t = useTexts(texts);
  const { count } = useFormats();
  const [isAllShown, setAllShown] = useState(definitions.length <= MAX_SHOWN);
  const { draft, fields, change } = state;
  const isFilled = ({ key }: AnyAttributeDefinition) => (fields[key] ?? '') !== '';
  const isShown = (definition: AnyAttributeDefinition) =>
    isAllShown || isFilled(definition) || draft[definition.key] !== undefined || important.includes(definition.key);
  const shown = definitions.filter(isShown).sort((a, b) => a.key - b.key);
  const hidden = definitions.length - shown.length;
  return (
    <section>
      <PaneHead name={t.attributes} note={t.filled(count(definitions.filter(isFilled).length), count(definitions.length))} />
      {definitions.length === 0 && <p className={styles.hint}>{t.none}</p>}
      <div className={styles.rows}>
        {shown.map((definition) => {
          const { key, description } = definition;
          const changed = draft[key];
          return (
            <div key={key} className={changed === undefined ? styles.row : `${styles.row} ${styles.changed}`}>
              <span className={styles.key}>{key}</span>
              <span aria-hidden="true" className={styles.name} title={description}>
                {description}
              </span>
              <AttributeField
                definition={definition}
                configuration={configuration}
                text={fields[key] ?? ''}
                onChange={(text) => change(String(key), text)}
                isReadOnly={isReadOnly}
                isLabelHidden
                unit={unitOf?.(key)}
              />
              <span className={styles.was}>
                {changed !== undefined && (changed.was === '' ? t.wasEmpty : t.was(textOf(key, changed.was)))}
              </span>
            </div>
          );
        })}
      </div>
      {hidden > 0 && !isReadOnly && (
        <Button kind="quiet" onPress={() => setAllShown(true)}>
          {t.more(count(hidden))}
        </Button>
      )}
    </section>
  );
}
