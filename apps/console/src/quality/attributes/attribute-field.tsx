import type { AnyAttributeDefinition } from '@sinebar/client';
import type { ReactNode } from 'react';
import { Combo } from '../../design/controls/combo';
import { TextField } from '../../design/controls/text-field';
import { defineTexts, useFormats, useLanguage, useTexts } from '../../design/language/language';
import { instantOf, localOf } from '../../design/language/local-time';
import { entryText } from './attribute-text';
import type { Configuration } from './configuration';
import { problemOf, shownNumber, typedNumber, type TextProblem } from './written-text';

const texts = defineTexts({
  en: {
    number: 'a number, such as 8.42',
    whole: 'a whole number, such as 12',
    time: 'a date with its time',
    tooLong: (most: string) => `at most ${most} characters`,
    none: '(none)',
    entries: (catalog: string, count: string) => `catalog ${catalog}, ${count} entries`,
    missing: (key: string) => `entry ${key}, which the catalog does not have`,
  },
  de: {
    number: 'eine Zahl, etwa 8,42',
    whole: 'eine ganze Zahl, etwa 12',
    time: 'ein Datum mit Uhrzeit',
    tooLong: (most: string) => `höchstens ${most} Zeichen`,
    none: '(ohne)',
    entries: (catalog: string, count: string) => `Katalog ${catalog}, ${count} Einträge`,
    missing: (key: string) => `Eintrag ${key}, den der Katalog nicht hat`,
  },
});

/** Stands for no entry in a choice; entries have numbers. */
const NO_ENTRY = 'none';

export interface AttributeFieldProps {
  definition: AnyAttributeDefinition;
  configuration: Configuration;
  /** Text as the interface has it; the empty text for no value. */
  text: string;
  onChange: (text: string) => void;
  isReadOnly?: boolean;
  isLabelHidden?: boolean;
  /** Unit of a number. */
  unit?: string | undefined;
}

/** A field for the value of an attribute, by its type: text, number, date and time, or an entry of a catalog. */
export function AttributeField({
  definition,
  configuration,
  text,
  onChange,
  isReadOnly = false,
  isLabelHidden = false,
  unit,
}: AttributeFieldProps) {
  const language = useLanguage();
  const problem = useTextProblem();
  const label = definition.description;
  const common = { label, isLabelHidden, isReadOnly, error: problem(definition, text), validationBehavior: 'aria' as const };
  if (definition.definitionType === 'CatalogAttributeDefinition') {
    return <EntryField {...{ definition, configuration, text, onChange, isReadOnly, isLabelHidden }} />;
  }
  if (definition.type === 'DateTime') {
    return <TextField {...common} type="datetime-local" value={localOf(text)} onChange={(local) => onChange(instantOf(local) ?? '')} />;
  }
  if (definition.type === 'AlphaNumeric') return <TextField {...common} value={text} onChange={onChange} />;
  return (
    <TextField
      {...common}
      inputMode={definition.type === 'Integer' ? 'numeric' : 'decimal'}
      value={shownNumber(text, language)}
      onChange={(typed) => onChange(typedNumber(typed))}
      after={unit}
    />
  );
}

function EntryField({
  definition,
  configuration,
  text,
  ...props
}: Omit<AttributeFieldProps, 'definition' | 'unit' | 'onChange'> & {
  definition: Extract<AnyAttributeDefinition, { definitionType: 'CatalogAttributeDefinition' }>;
  onChange: (text: string) => void;
}) {
  const t = useTexts(texts);
  const { count } = useFormats();
  const { onChange, ...common } = props;
  const catalog = configuration.catalogs.get(definition.catalog);
  const entries = (catalog?.catalogEntries ?? []).map(({ key }) => {
    const { text: name } = entryText(catalog, String(key), definition.description, configuration.byKey);
    return { id: String(key), name, note: String(key) };
  });
  const isMissing = text !== '' && !entries.some(({ id }) => id === text);
  const note: ReactNode = catalog && t.entries(catalog.name, count(entries.length));
  return (
    <Combo
      {...common}
      label={definition.description}
      options={[{ id: NO_ENTRY, name: t.none }, ...entries, ...(isMissing ? [{ id: text, name: t.missing(text) }] : [])]}
      chosen={text === '' ? NO_ENTRY : text}
      onChoose={(id) => onChange(id === NO_ENTRY ? '' : id)}
      note={note}
    />
  );
}

/** Returns a function that says what is wrong with the text of an attribute. */
export function useTextProblem(): (definition: AnyAttributeDefinition, text: string) => string | undefined {
  const t = useTexts(texts);
  const { count } = useFormats();
  return (definition, text) => {
    const problem = problemOf(definition, text);
    if (problem === undefined) return undefined;
    const words: Record<TextProblem, string> = {
      number: t.number,
      whole: t.whole,
      time: t.time,
      tooLong: t.tooLong(count('length' in definition ? (definition.length ?? 0) : 0)),
    };
    return words[problem];
  };
}
