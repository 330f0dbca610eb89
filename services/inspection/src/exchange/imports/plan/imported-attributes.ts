import { newValueProblem, ruleOf, type AttributeRule } from '../../../configuration/attribute-values.ts';
import type { AttributeEntity, Configuration } from '../../../configuration/configuration.ts';
import type { CatalogKeys } from './imported-catalogs.ts';

type Attributes = Readonly<Record<string, string>>;

/** Fields of AQDEF whose keys mean something else in this interface; spec: exchange interface. */
const OTHER_MEANING: Readonly<Partial<Record<AttributeEntity, ReadonlySet<number>>>> = {
  measurement: new Set([96, 97, 98, 99, 100, 101]),
};
/** Type of a characteristic: the field K2004, while the attribute 2004 is a direction. */
const [TYPE_FIELD, TYPE_KEY] = [2004, 12_004] as const;

const DECIMAL_COMMA = /^[+-]?\d*,\d+$/;
const MAYBE_THOUSANDS = /^[+-]?[1-9]\d{0,2},\d{3}$/;

/** Keeps of the fields of a file what the configuration of the server allows. */
export class ImportedAttributes {
  private readonly configuration: Configuration;
  private readonly catalogs: CatalogKeys;
  private readonly misfits = new Map<string, string>();

  constructor(configuration: Configuration, catalogs: CatalogKeys) {
    this.configuration = configuration;
    this.catalogs = catalogs;
  }

  /** @returns the attributes that can be stored */
  of(entity: AttributeEntity, written: Attributes): Record<string, string> {
    const kept: Record<string, string> = {};
    for (const key in written) {
      const text = written[key] as string;
      const rule = ruleOfField(this.configuration, entity, Number(key));
      if (!rule) continue;
      if (rule.type === 'Catalog') {
        const entry = this.catalogs.entryOf(Number(key), text);
        if (entry === undefined) this.misfits.set(`${entity} ${key}`, `its catalog has no entry for ${JSON.stringify(text.slice(0, 40))}`);
        else kept[key] = String(entry);
      } else {
        const value = rule.type === 'Float' ? withDecimalPoint(text) : text;
        const problem = newValueProblem(value, rule.type, rule.length);
        if (problem === undefined) kept[key] = value;
        else this.misfits.set(`${entity} ${key}`, `${JSON.stringify(text.slice(0, 40))}: ${problem}`);
      }
    }
    return kept;
  }

  /** Says once for each key what did not fit. */
  warnings(): { key: string; message: string }[] {
    return [...this.misfits].map(([attribute, problem]) => {
      const key = Number(attribute.split(' ')[1]);
      return { key: keyName(key), message: `The ${attribute.replace(' ', ' attribute ')} is left out where it does not fit: ${problem}.` };
    });
  }
}

/** Writes a number with a decimal comma with a point, unless the comma may stand between thousands. */
function withDecimalPoint(text: string): string {
  return DECIMAL_COMMA.test(text) && !MAYBE_THOUSANDS.test(text) ? text.replace(',', '.') : text;
}

/** Finds the rule for a field of a file; `undefined` where the server has no attribute for it. */
export function ruleOfField(configuration: Configuration, entity: AttributeEntity, key: number): AttributeRule | undefined {
  return OTHER_MEANING[entity]?.has(key) === true ? undefined : ruleOf(configuration, entity, key);
}

/** A key as AQDEF names its field. */
export function keyName(key: number): string {
  return `K${String(key === TYPE_KEY ? TYPE_FIELD : key).padStart(4, '0')}`;
}
