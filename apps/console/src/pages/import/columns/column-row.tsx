import { CHARACTERISTIC_KEYS, STANDARD_ATTRIBUTES, type ReadTable, type TableMapping } from '@sinebar/client';
import fieldStyles from '../../../design/controls/field.module.css';
import { SelectField } from '../../../design/controls/select-field';
import { useLanguage, useTexts } from '../../../design/language/language';
import type { Configuration } from '../../../quality/attributes/configuration';
import styles from './columns.module.css';
import { holdsOf, withColumn, type ColumnHolds } from './mapping';
import { texts } from './texts';

const KINDS = ['part', 'time', 'measurement', 'characteristic', 'value', 'attribute', 'nothing'] as const;
const OWNERS = ['measurement', 'part', 'characteristic'] as const;
const { nominal, lowerTolerance, upperTolerance, unit } = CHARACTERISTIC_KEYS;
/** Time of a measurement, which is a column of its own kind. */
const TIME_KEY = 4;
/** Attributes of a characteristic that are given beside its column. */
const DESCRIBED = [
  ['nominal', nominal],
  ['lower', lowerTolerance],
  ['upper', upperTolerance],
  ['unit', unit],
] as const;

export interface ColumnRowProps {
  column: ReadTable['columns'][number];
  mapping: TableMapping;
  /** Whether another column names the characteristic. */
  isLong: boolean;
  configuration: Configuration;
  onChange: (mapping: TableMapping) => void;
}

/** One column of the file, and what it holds. */
export function ColumnRow({ column, mapping, isLong, configuration, onChange }: ColumnRowProps) {
  const t = useTexts(texts);
  const { name, examples } = column;
  const holds = holdsOf(mapping, column);
  const change = (next: ColumnHolds) => onChange(withColumn(mapping, name, next));
  const first = configuration.of('measurement').find(({ key }) => key !== TIME_KEY)?.key ?? TIME_KEY;
  return (
    <tr>
      <th scope="row" className={styles.name}>
        {name}
      </th>
      <td className={styles.examples} title={examples.join('\n')}>
        {examples.filter((text) => text !== '').join(' · ')}
      </td>
      <td className={styles.holds}>
        <SelectField
          label={t.holdsOf(name)}
          isLabelHidden
          value={holds.is}
          onChoose={(is) => change(is === 'attribute' ? { is, of: 'measurement', key: first } : { is })}
          options={KINDS.map((kind) => [kind, t[`is_${kind}`]] as const)}
        />
      </td>
      <td className={styles.details}>
        {holds.is === 'attribute' && <AttributeChoice {...{ name, holds, isLong, configuration }} onChoose={change} />}
        {holds.is === 'value' && !isLong && <ValueDetails name={name} holds={holds} onChange={change} />}
      </td>
    </tr>
  );
}

interface AttributeChoiceProps {
  name: string;
  holds: Extract<ColumnHolds, { is: 'attribute' }>;
  isLong: boolean;
  configuration: Configuration;
  onChoose: (holds: ColumnHolds) => void;
}

function AttributeChoice({ name, holds, isLong, configuration, onChoose }: AttributeChoiceProps) {
  const t = useTexts(texts);
  const language = useLanguage();
  const attributesOf = (owner: (typeof OWNERS)[number]) => [
    ...configuration.of(owner).map(({ key, description }) => ({ key, description })),
    // Those that the server lacks are defined by the import where it may.
    ...STANDARD_ATTRIBUTES.filter(({ entity, key }) => entity === owner && !configuration.byKey.has(key)).map(({ key, names }) => ({
      key,
      description: names[language],
    })),
  ];
  const isKnown = OWNERS.some((owner) => owner === holds.of && attributesOf(owner).some(({ key }) => key === holds.key));
  return (
    <select
      className={fieldStyles.field}
      aria-label={t.attributeOf(name)}
      value={`${holds.of} ${holds.key}`}
      onChange={(event) => {
        const [of, key] = event.target.value.split(' ');
        const owner = OWNERS.find((known) => known === of);
        if (owner) onChoose({ is: 'attribute', of: owner, key: Number(key) });
      }}
    >
      {!isKnown && <option value={`${holds.of} ${holds.key}`}>{holds.key}</option>}
      {OWNERS.filter((owner) => isLong || owner !== 'characteristic').map((owner) => (
        <optgroup key={owner} label={t[owner]}>
          {attributesOf(owner).map(({ key, description }) => (
            <option key={key} value={`${owner} ${key}`}>
              {`${description} (${key})`}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  );
}

interface ValueDetailsProps {
  name: string;
  holds: Extract<ColumnHolds, { is: 'value' }>;
  onChange: (holds: ColumnHolds) => void;
}

function ValueDetails({ name, holds, onChange }: ValueDetailsProps) {
  const t = useTexts(texts);
  const { characteristic, attributes = {} } = holds;
  const describe = (key: number, text: string) => {
    const { [key]: _, ...others } = attributes;
    onChange({ ...holds, attributes: text === '' ? others : { ...others, [key]: text } });
  };
  return (
    <span className={styles.described}>
      <input
        className={fieldStyles.field}
        aria-label={t.characteristicOf(name)}
        placeholder={t.characteristicName}
        value={characteristic ?? name}
        onChange={(event) => {
          const { characteristic: _, ...others } = holds;
          onChange(event.target.value === '' ? others : { ...others, characteristic: event.target.value });
        }}
      />
      {DESCRIBED.map(([what, key]) => (
        <input
          key={key}
          className={`${fieldStyles.field} ${styles.short}`}
          aria-label={t.ofColumn(t[what], name)}
          placeholder={t[what]}
          value={attributes[key] ?? ''}
          onChange={(event) => describe(key, event.target.value)}
        />
      ))}
    </span>
  );
}
