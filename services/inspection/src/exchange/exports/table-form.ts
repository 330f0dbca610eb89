import { AttributeNames, columnName, FIXED_NAMES, fixedColumn, keyOfColumn, type OutputColumn } from '@sinebar/exchange';
import type { Configuration } from '../../configuration/configuration.ts';
import { namedAttributes, nameIn } from '../attribute-names.ts';

/** How tables are written for programs or for people. */
export interface TableForm {
  /** Columns of attributes by their keys, by their names, or by names with the keys in a second row. */
  header: 'keys' | 'names' | 'both';
  /** Language of the names. */
  language: 'en' | 'de';
  /** Between the fields of CSV. */
  separator: ',' | ';' | '\t';
  /** Decimal separator of CSV. */
  decimal: '.' | ',';
}

/** A column that may be named for people. */
export interface ExportColumn extends OutputColumn {
  /** Name for programs. */
  keyName: string;
}

/** A column for an attribute of measurements. */
export interface AttributeColumn extends ExportColumn {
  key: string;
}

const TIME = '4';
const TYPES: Readonly<Partial<Record<string, OutputColumn['type']>>> = { Integer: 'number', Float: 'number', DateTime: 'time' };

/** Names of the columns of one export. */
export class ColumnNames {
  private readonly configuration: Configuration;
  private readonly form: TableForm;
  private readonly attributes: AttributeNames;

  constructor(configuration: Configuration, form: TableForm) {
    this.configuration = configuration;
    this.form = form;
    this.attributes = new AttributeNames(namedAttributes(configuration));
  }

  fixed(column: keyof (typeof FIXED_NAMES)['en'], type: OutputColumn['type']): ExportColumn {
    const { header, language } = this.form;
    const keyName = FIXED_NAMES.en[column];
    return { name: header === 'keys' ? keyName : FIXED_NAMES[language][column], keyName, type };
  }

  /**
   * Columns for the attributes of measurements, without the time.
   * Keys of those with texts of entries of catalogs are written as fields of AQDEF: with the mere key, exports had the keys of entries.
   * An attribute whose name would be read back as something else has its key instead.
   */
  ofAttributes(): AttributeColumn[] {
    const taken = new Set<string>();
    return [...this.configuration.definitions.values()]
      .filter(({ entity, key }) => entity === 'measurement' && String(key) !== TIME)
      .map((definition) => {
        const { key, type, catalog } = definition;
        const field = `K${String(key).padStart(4, '0')}`;
        const keyName = catalog === null ? String(key) : field;
        const written = nameIn(definition, this.form.language).trim();
        const isFound = this.attributes.find(written)?.key === key && this.attributes.find(written)?.of === 'measurement';
        const isOwn = isFound && fixedColumn(written) === undefined && keyOfColumn(written) === undefined && !taken.has(written);
        taken.add(written);
        const name = this.form.header === 'keys' ? keyName : isOwn ? written : field;
        return { key: String(key), name, keyName, type: TYPES[type] ?? 'text' };
      });
  }

  ofCharacteristic(path: string): ExportColumn {
    const name = columnName(path, this.attributes);
    return { name, keyName: name, type: 'number' };
  }
}

/** The row of keys below that of the names, where it is wanted. */
export function keyRowOf(columns: readonly ExportColumn[], { header }: TableForm): readonly string[] | undefined {
  return header === 'both' ? columns.map(({ keyName }) => keyName) : undefined;
}
